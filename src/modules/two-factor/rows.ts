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

export interface TwoFactorRecoveryCodesTable {
  id: string
  user_id: string
  code_hash: Buffer
  used_at: Date | null
  created_at: Date
}

export interface TwoFactorPasskeysTable {
  two_factor_id: string
  credential_id: Buffer
  public_key: Buffer
  sign_count: number
  transports: string[] | null
  aaguid: string | null
  backed_up: boolean
}

declare module '../../db/tables.ts' {
  interface Tables {
    two_factor: TwoFactorTable
    two_factor_recovery_codes: TwoFactorRecoveryCodesTable
    two_factor_passkeys: TwoFactorPasskeysTable
  }
}
