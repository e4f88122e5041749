import { shellQuoted } from '../../../lib/shell-quoted.ts'
import type { Sample } from './sample.ts'

export const nextcloud: Sample = {
  web: ({ issuer, clientId, scope }) => `#!/bin/sh
# The secret is in CLIENT_SECRET.
occ app:install user_oidc
occ config:system:set user_oidc use_pkce --type=boolean --value=true
occ user_oidc:provider wardenry --clientid=${shellQuoted(clientId)} --clientsecret="$CLIENT_SECRET" \\
  --discoveryuri=${shellQuoted(`${issuer}/.well-known/openid-configuration`)} \\
  --scope=${shellQuoted(scope)} \\
  --mapping-display-name=name --mapping-email=email --mapping-groups=groups --group-provisioning=1
`,
}
