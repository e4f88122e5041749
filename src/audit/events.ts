/** The events of the core. The names are stable: people filter and alarm on them. */
const coreEvents = [
  'login_success',
  'login_fail',
  'login_locked',
  'partial_created',
  'logout',
  'session_ended',
  'session_limit',
  'session_context_changed',
  'handover_issued',
  'handover_redeemed',
  'handover_rejected',
  'register',
  'register_existing',
  'verify_sent',
  'verify_ok',
  'token_sent',
  'token_used',
  'token_rejected',
  'reset_requested',
  'reset_completed',
  'password_changed',
  'admin_password_set',
  'reauth_fail',
  'reauth_success',
  'social_login',
  'social_linked',
  'social_unlinked',
  'social_rejected',
  'profile_updated',
  'email_change_started',
  'email_change_half',
  'email_change_completed',
  'email_change_cancelled',
  'email_change_expired',
  'export_requested',
  'picture_changed',
  'upload_rejected',
  'admin_user_created',
  'admin_user_updated',
  'role_changed',
  'user_deleted',
  'user_restored',
  'credentials_removed',
  'first_admin_created',
  'authz_denied',
  'bridge_auth_fail',
  'bridge_secret_from_browser',
  'rate_limited',
  'csrf_rejected',
  'return_rejected',
  'sign_in_cancelled',
  'module_dry_run',
  'module_installed',
  'module_failed',
  'config_loaded',
  'migration_applied',
  'dependency_down',
  'dependency_up',
] as const

/** The events of modules, which add theirs by declaration merging. */
// biome-ignore lint/suspicious/noEmptyInterface: modules fill it.
export interface ModuleAuditEvents {}

export type AuditEvent = (typeof coreEvents)[number] | keyof ModuleAuditEvents

/** Every event that is known: those of the core, then those that modules have added. */
export const auditEvents: string[] = [...coreEvents]

export const addAuditEvents = (events: readonly string[]): void => void auditEvents.push(...events)
