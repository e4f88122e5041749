/** The core's audit events by subject, in the order of the filter. */
export const coreEventGroups = {
  signIn: [
    ...['login_success', 'login_fail', 'login_locked', 'partial_created', 'logout', 'sign_in_cancelled'],
    ...['token_sent', 'token_used', 'token_rejected', 'social_login', 'social_rejected'],
    ...['reauth_success', 'reauth_fail', 'session_ended', 'session_limit', 'session_context_changed'],
  ],
  account: [
    ...['register', 'register_existing', 'verify_sent', 'verify_ok', 'reset_requested', 'reset_completed'],
    ...['password_changed', 'profile_updated', 'picture_changed', 'upload_rejected', 'export_requested'],
    ...['email_change_started', 'email_change_half', 'email_change_completed', 'email_change_cancelled'],
    ...['email_change_expired', 'passkey_added', 'passkey_renamed', 'passkey_removed', 'passkey_rejected'],
    ...['backup_code_used', 'recovery_codes_issued', 'social_linked', 'social_unlinked', 'credentials_removed'],
  ],
  people: [
    ...['admin_user_created', 'admin_user_updated', 'admin_password_set', 'admin_message_sent', 'role_changed'],
    ...['user_blocked', 'user_unblocked', 'user_unlocked', 'user_deleted', 'user_restored'],
    ...['impersonation_started', 'impersonation_ended', 'users_exported', 'all_users_exported', 'users_imported'],
    ...['passkeys_reset', 'first_admin_created', 'staff_role_created', 'staff_role_updated', 'staff_role_deleted'],
    ...['roles_granted', 'roles_revoked'],
  ],
  applications: [
    ...['handover_issued', 'handover_redeemed', 'handover_rejected', 'return_rejected'],
    ...['application_created', 'application_updated', 'application_disabled', 'application_enabled'],
    ...['application_deleted', 'application_restored', 'application_secret_created', 'application_secret_updated'],
    ...['application_secret_rotated', 'application_secret_revoked', 'application_tested'],
    ...['permissions_applied', 'permission_moved', 'application_role_created', 'application_role_updated'],
    ...['application_role_deleted'],
  ],
  refused: [
    ...['authz_denied', 'bridge_auth_fail', 'bridge_secret_from_browser', 'rate_limited', 'csrf_rejected'],
    'password_rejected',
  ],
  messages: ['message_template_changed', 'message_template_reset', 'test_message_sent', 'messages_retried'],
  webhooks: [
    ...['webhook_created', 'webhook_updated', 'webhook_deleted', 'webhook_secret_rotated', 'webhook_replayed'],
    ...['webhook_tested', 'webhook_disabled'],
  ],
  operation: [
    ...['settings_changed', 'module_dry_run', 'module_installed', 'module_failed', 'audit_exported'],
    ...['backup_started', 'backup_restored', 'data_moved', 'move_undone', 'config_loaded', 'migration_applied'],
    ...['dependency_down', 'dependency_up'],
  ],
} as const satisfies Record<string, readonly string[]>

export type EventGroup = keyof typeof coreEventGroups
