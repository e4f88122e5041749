import type { Generated } from 'kysely'

export interface ServiceAccountsTable {
  id: string
  created_at: Date
  updated_at: Date
  epoch: Generated<number>
  name: string
  description: string
  scopes: string[]
  is_enabled: boolean
  ends_at: Date | null
  deleted_at: Generated<Date | null>
}

export interface ApiKeysTable {
  id: string
  created_at: Date
  epoch: Generated<number>
  user_id: string | null
  service_account_id: string | null
  name: string
  secret_hash: Buffer
  hint: string
  scopes: string[]
  ip_ranges: string[]
  ends_at: Date | null
  ended_at: Generated<Date | null>
  end_reason: Generated<string | null>
  replaced_by: Generated<string | null>
  last_used_at: Generated<Date | null>
  last_used_ip: Generated<string | null>
  networks: Generated<string[]>
  network_mailed_at: Generated<Date | null>
  reminded_days: Generated<number | null>
}

declare module '../../db/tables.ts' {
  interface Tables {
    service_accounts: ServiceAccountsTable
    service_account_owners: { service_account_id: string; user_id: string }
    api_keys: ApiKeysTable
    api_key_uses: { key_id: string; day: string; count: number }
  }
}
