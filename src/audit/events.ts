/** Every event that the audit knows. The names are stable: people filter and alarm on them. */
export const auditEvents = [
  'login_success',
  'login_fail',
  'login_locked',
  'partial_created',
  'logout',
  'session_ended',
  'session_limit',
  'session_context_changed',
  'register',
  'register_existing',
  'verify_sent',
  'verify_ok',
  'token_rejected',
  'profile_updated',
  'first_admin_created',
  'bridge_auth_fail',
  'bridge_secret_from_browser',
  'rate_limited',
  'csrf_rejected',
  'config_loaded',
  'migration_applied',
  'dependency_down',
  'dependency_up',
] as const

export type AuditEvent = (typeof auditEvents)[number]
