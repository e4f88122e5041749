import type { ColumnType, Generated, Kysely } from 'kysely'
import type { ModuleHubEvents, ModuleHubRegistry } from './rows/hub.ts'
import type { AuditEvents, AuditSeals, Outbox, RateLimits } from './rows/service.ts'
import type { HandoverCodes, Sessions } from './rows/sessions.ts'
import type {
  AccountCounters,
  EmailChanges,
  OneTimeSecrets,
  Pictures,
  SocialAccounts,
  SocialFlows,
  Users,
} from './rows/users.ts'

/** Modules add their tables through declaration merging. */
export interface Tables {
  users: Users
  sessions: Sessions
  handover_codes: HandoverCodes
  session_revocations: {
    transaction_id: Generated<string>
    user_id: string
    epoch: number
    revoked_at: Generated<Date>
  }
  one_time_secrets: OneTimeSecrets
  social_accounts: SocialAccounts
  social_flows: SocialFlows
  social_tokens_used: { token_hash: string; expires_at: Date }
  email_changes: EmailChanges
  installation_facts: { fact: string; since: Date; value: ColumnType<string | null, string | undefined> }
  schema_migrations: { scope: string; version: number; name: string; checksum: string; applied_at: Date }
  outbox: Outbox
  audit_events: AuditEvents
  audit_seals: AuditSeals
  audit_seals_removed: { one: Generated<boolean>; number: number; last_mac: string; key_id: string; mac: string }
  rate_limits: RateLimits
  account_counters: AccountCounters
  user_counts: { user_type: string; users: number }
  pictures: Pictures
  // Created by the hub at the first installation.
  module_hub_registry: ModuleHubRegistry
  module_hub_events: ModuleHubEvents
  module_hub_locks: { lock_key: string; run_id: string; holder: string; acquired_at: Date; expires_at: Date }
}

export type Db = Kysely<Tables>
