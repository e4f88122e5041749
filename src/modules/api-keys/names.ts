export const errors = {
  KEY_SCOPE_NOT_ALLOWED: [403, 'You cannot give these scopes to a key'],
  TOO_MANY_KEYS: [409, 'The maximum number of keys is reached. Revoke one first.'],
} as const

export const keyAuditEvents = [
  'api_key_created',
  'api_key_updated',
  'api_key_rotated',
  'api_key_revoked',
  'api_key_expired',
  'api_key_reported',
  'api_key_used_from_new_network',
  'api_key_refused',
  'service_account_created',
  'service_account_updated',
  'service_account_disabled',
  'service_account_deleted',
] as const

export const keyLimits = {
  api_key_report: { setting: 'RATE_LIMIT_API_KEY_FAIL', local: false },
  api_key_write: { setting: 'RATE_LIMIT_API_KEY_WRITE', local: false, byAccount: true },
} as const

const reason = {
  en: { expired: 'it has expired', revoked: 'it was revoked', reported: 'it was found in public' },
  es: { expired: 'ha vencido', revoked: 'se ha revocado', reported: 'se ha encontrado en público' },
} as const

export const keyMails = {
  api_key_created: ['key_name', 'key_hint', 'scopes', 'keys_url'],
  api_key_ending: ['key_name', 'key_hint', 'valid_until', 'keys_url'],
  api_key_ended: { variables: ['key_name', 'key_hint', 'reason', 'keys_url'], words: { reason } },
  api_key_new_network: ['key_name', 'key_hint', 'ip', 'keys_url'],
} as const

type KeyErrors = typeof errors
type KeyAuditEvents = Record<(typeof keyAuditEvents)[number], true>
type KeyMails = typeof keyMails
type KeyLimits = Record<keyof typeof keyLimits, true>

declare module '../../lib/errors.ts' {
  interface ModuleErrors extends KeyErrors {}
}

declare module '../../audit/events.ts' {
  interface ModuleAuditEvents extends KeyAuditEvents {}
}

declare module '../../outbox/messages.ts' {
  interface ModuleMessages extends KeyMails {}
}

declare module '../../http/limits/rate-limits.ts' {
  interface ModuleLimits extends KeyLimits {}
}

declare module '../../config/staff-permissions.ts' {
  interface ModulePermissions {
    'keys:manage': true
    'service_accounts:read': true
  }
}
