import type { Sample } from './sample.ts'

const word = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

export const curl: Sample = {
  machine: ({ issuer, clientId, scope, resource }) => `#!/bin/sh
# The secret is in CLIENT_SECRET.
token=$(curl -sSf ${word(`${issuer}/oauth/token`)} -u ${word(clientId)}:"$CLIENT_SECRET" \\
  -d grant_type=client_credentials --data-urlencode ${word(`scope=${scope}`)} \\
  --data-urlencode ${word(`resource=${resource}`)} | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')
curl -sS ${word(resource)} -H "Authorization: Bearer $token"
`,
}
