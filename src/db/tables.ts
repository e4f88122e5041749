import type { ColumnType, Generated, Kysely } from 'kysely'
import type {
  ApplicationAddressesTable,
  ApplicationLogosTable,
  ApplicationSecretsTable,
  ApplicationsTable,
  ApplicationTestsTable,
} from './rows/applications.ts'
import type { EventsTable } from './rows/events.ts'
import type { ModuleHubEventsTable, ModuleHubRegistryTable } from './rows/hub.ts'
import type { PasskeyOffersTable, PasskeysTable, RecoveryCodesTable } from './rows/passkeys.ts'
import type { PermissionsTable, RolesTable, UserRolesTable } from './rows/roles.ts'
import type {
  AuditEventsTable,
  AuditSealsTable,
  MessageTemplatesTable,
  OutboxTable,
  RateLimitsTable,
  StoredSettingsTable,
} from './rows/service.ts'
import type { HandoverCodesTable, SessionsTable } from './rows/sessions.ts'
import type {
  AccountCountersTable,
  EmailChangesTable,
  OneTimeSecretsTable,
  PicturesTable,
  SocialAccountsTable,
  SocialFlowsTable,
  UserBlocksTable,
  UsersTable,
} from './rows/users.ts'
import type { WebhookAttemptsTable, WebhookDeliveriesTable, WebhooksTable } from './rows/webhooks.ts'

/** Modules add their tables through declaration merging. */
export interface Tables {
  users: UsersTable
  sessions: SessionsTable
  handover_codes: HandoverCodesTable
  session_revocations: {
    transaction_id: Generated<string>
    user_id: string
    epoch: number
    revoked_at: Generated<Date>
  }
  one_time_secrets: OneTimeSecretsTable
  passkeys: PasskeysTable
  passkey_offers: PasskeyOffersTable
  recovery_codes: RecoveryCodesTable
  social_accounts: SocialAccountsTable
  social_flows: SocialFlowsTable
  social_tokens_used: { token_hash: Buffer; expires_at: Date }
  email_changes: EmailChangesTable
  installation_facts: { fact: string; since: Date; value: ColumnType<string | null, string | undefined> }
  schema_migrations: { scope: string; version: number; name: string; checksum: string; applied_at: Date }
  outbox: OutboxTable
  message_templates: MessageTemplatesTable
  audit_events: AuditEventsTable
  audit_seals: AuditSealsTable
  audit_seals_removed: { one: Generated<boolean>; number: number; last_mac: string; key_id: string; mac: string }
  rate_limits: RateLimitsTable
  events: EventsTable
  event_positions: { one: Generated<boolean>; last: number }
  webhooks: WebhooksTable
  webhook_cursor: { one: Generated<boolean>; position: number }
  webhook_deliveries: WebhookDeliveriesTable
  webhook_attempts: WebhookAttemptsTable
  account_counters: AccountCountersTable
  user_counts: { user_type: string; users: number }
  applications: ApplicationsTable
  application_addresses: ApplicationAddressesTable
  application_logos: ApplicationLogosTable
  application_secrets: ApplicationSecretsTable
  permissions: PermissionsTable
  roles: RolesTable
  user_roles: UserRolesTable
  role_version: { one: Generated<boolean>; version: number }
  application_tests: ApplicationTestsTable
  application_version: { one: Generated<boolean>; version: number }
  pictures: PicturesTable
  user_blocks: UserBlocksTable
  stored_settings: StoredSettingsTable
  // The hub creates these tables when the first module is installed.
  module_hub_registry: ModuleHubRegistryTable
  module_hub_events: ModuleHubEventsTable
  module_hub_locks: { lock_key: string; run_id: string; holder: string; acquired_at: Date; expires_at: Date }
}

export type Db = Kysely<Tables>
