/** The error codes of RFC 6749, 5.2, and RFC 8707, 2, besides those of the administration. */
export const errors = {
  invalid_request: [400, 'The request is not valid'],
  invalid_client: [401, 'The client could not be authenticated'],
  invalid_grant: [400, 'The grant is not valid'],
  unauthorized_client: [400, 'The client may not use this grant type'],
  unsupported_grant_type: [400, 'The grant type is not supported'],
  invalid_scope: [400, 'A scope is unknown, or the client may not ask for it'],
  invalid_token: [401, 'The access token is not valid'],
  insufficient_scope: [403, 'The access token lacks a scope'],
  invalid_target: [400, 'The resource is unknown, or the client may not ask for it'],
  OAUTH_CLIENT_NOT_FOUND: [404, 'There is no such client'],
  OAUTH_CLIENT_ID_TAKEN: [409, 'A client with this client_id exists or existed'],
  OAUTH_REDIRECT_INVALID: [400, 'Clients of this type cannot have this address'],
  OAUTH_RESOURCE_UNKNOWN: [404, 'There is no such resource'],
  OAUTH_RESOURCE_TAKEN: [409, 'A resource with this identifier or alias exists'],
  OAUTH_SCOPE_UNKNOWN: [400, 'A scope does not exist, or its resource is not one of the client'],
  GRANT_NOT_FOUND: [404, 'There is no such access'],
  OAUTH_SECRET_LIMIT: [409, 'The client already has two secrets. Remove one first.'],
  OAUTH_KEY_BUSY: [409, 'The next key is not published for long enough yet'],
} as const

export const oauthAuditEvents = [
  'oauth_client_created',
  'oauth_client_updated',
  'oauth_client_disabled',
  'oauth_client_deleted',
  'oauth_client_tested',
  'oauth_client_secret_added',
  'oauth_client_secret_removed',
  'oauth_client_auth_failed',
  'oauth_resource_created',
  'oauth_resource_updated',
  'oauth_resource_deleted',
  'oauth_token_revoked',
  'oauth_consent_given',
  'oauth_consent_refused',
  'oauth_consent_withdrawn',
  'oauth_code_issued',
  'oauth_code_reused',
  'oauth_tokens_issued',
  'oauth_refresh_reused',
  'oauth_grant_ended',
  'oauth_logout_delivered',
  'oauth_logout_failed',
  'oauth_request_refused',
  'oauth_key_created',
  'oauth_key_activated',
  'oauth_key_retired',
  'oauth_key_compromised',
] as const

export const oauthLimits = {
  oauth_authorize: { setting: 'RATE_LIMIT_OAUTH_AUTHORIZE', local: true },
  oauth_userinfo: { setting: 'RATE_LIMIT_OAUTH_USERINFO', local: true },
  oauth_grant_fail: { setting: 'RATE_LIMIT_OAUTH_GRANT_FAIL', local: false },
  oauth_token: { setting: 'RATE_LIMIT_OAUTH_TOKEN', local: true },
  oauth_introspect: { setting: 'RATE_LIMIT_OAUTH_INTROSPECT', local: true },
  oauth_client_fail: { setting: 'RATE_LIMIT_OAUTH_CLIENT_FAIL', local: false },
} as const

export const oauthMails = {
  oauth_key_compromised: ['algs', 'audit_url'],
} as const

type OAuthErrors = typeof errors
type OAuthAuditEvents = Record<(typeof oauthAuditEvents)[number], true>
type OAuthMails = typeof oauthMails
type OAuthLimits = Record<keyof typeof oauthLimits, true>

declare module '../../lib/errors.ts' {
  interface ModuleErrors extends OAuthErrors {}
}

declare module '../../audit/events.ts' {
  interface ModuleAuditEvents extends OAuthAuditEvents {}
}

declare module '../../outbox/messages.ts' {
  interface ModuleMessages extends OAuthMails {}
}

declare module '../../http/limits/rate-limits.ts' {
  interface ModuleLimits extends OAuthLimits {}
}

declare module '../../config/staff-permissions.ts' {
  interface ModulePermissions {
    'clients:secrets': true
    'grants:read': true
    'grants:end': true
    'signing_keys:manage': true
  }
}
