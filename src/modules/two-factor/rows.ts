import type { ColumnType } from 'kysely'
import type { JsonObject } from '../../db/rows/kinds.ts'

export interface TwoFactorTable {
  id: string
  user_id: string
  method: 'email' | 'sms' | 'totp' | 'passkey'
  identifier: string | null
  status: 'pending_setup' | 'active'
  /** The secret is encrypted. */
  secret: string | null
  last_step: ColumnType<string | null, number | null | undefined, number>
  metadata: ColumnType<JsonObject, JsonObject | undefined>
  last_used_at: Date | null
  created_at: Date
  updated_at: Date
}

declare module '../../db/tables.ts' {
  interface Tables {
    two_factor: TwoFactorTable
  }
}
