import { shellQuoted } from '../../../lib/shell-quoted.ts'
import type { Sample } from './sample.ts'

export const gitea: Sample = {
  web: ({ issuer, clientId, scope }) => `#!/bin/sh
# The secret is in CLIENT_SECRET. The name of the source is part of the redirect address.
gitea admin auth add-oauth --name wardenry --provider openidConnect \\
  --key ${shellQuoted(clientId)} --secret "$CLIENT_SECRET" \\
  --auto-discover-url ${shellQuoted(`${issuer}/.well-known/openid-configuration`)} \\
  ${scope
    .split(' ')
    .map((one) => `--scopes ${shellQuoted(one)}`)
    .join(' ')} \\
  --group-claim-name groups --admin-group admin
`,
}
