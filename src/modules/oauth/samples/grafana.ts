import type { Sample } from './sample.ts'

export const grafana: Sample = {
  web: ({ issuer, clientId, scope, origin }) => `# grafana.ini
[server]
root_url = ${origin}/

[auth.generic_oauth]
enabled = true
name = Wardenry
client_id = ${clientId}
client_secret = $__env{CLIENT_SECRET}
scopes = ${scope}
auth_url = ${issuer}/oauth/authorize
token_url = ${issuer}/oauth/token
api_url = ${issuer}/oauth/userinfo
use_pkce = true
use_refresh_token = true
login_attribute_path = preferred_username
name_attribute_path = name
email_attribute_path = email
groups_attribute_path = groups
# The keys of the roles that the application declares.
role_attribute_path = contains(groups[*], 'admin') && 'Admin' || contains(groups[*], 'editor') && 'Editor' || 'Viewer'
allow_sign_up = true
`,
}
