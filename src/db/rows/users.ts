import type { ColumnType, Generated, GeneratedAlways } from 'kysely'
import type { JsonObject } from './kinds.ts'

// biome-ignore lint/suspicious/noEmptyInterface: modules extend this interface.
export interface ModuleUserColumns {}

export interface UsersTable extends ModuleUserColumns {
  id: string
  email: string
  user_name: string
  phone: string | null
  /** Whether the phone number is a login identifier. */
  phone_trusted: Generated<boolean>
  password_hash: string | null
  user_type: Generated<string>
  name: Generated<string>
  last_name: Generated<string>
  display_name: string | null
  title: string | null
  gender: string | null
  dob: string | null
  picture: Generated<string>
  lang: string | null
  tmz: string | null
  metadata: ColumnType<JsonObject, JsonObject | undefined>
  is_verified: Generated<boolean>
  two_factor: Generated<boolean>
  two_factor_changed_at: Date | null
  first_time: Generated<boolean>
  session_epoch: Generated<number>
  created_at: Date
  updated_at: Date
  deleted_at: Date | null
  external_id: string | null
  search_text: GeneratedAlways<string>
}

/** `UserRow` does not contain these columns. */
export type InternalUserColumn =
  | 'password_hash'
  | 'deleted_at'
  | 'external_id'
  | 'search_text'
  | 'two_factor_changed_at'

export interface UserBlocksTable {
  user_id: string
  since: Date
  until: Date | null
  reason: string
}

export interface OneTimeSecretsTable {
  id: string
  purpose: string
  secret_hash: Buffer
  user_id: string | null
  target: string | null
  created_at: Date
  expires_at: Date
  used_at: Date | null
  code_hash: Buffer | null
  code_expires_at: Date | null
  guesses: Generated<number>
}

export interface SocialAccountsTable {
  id: string
  user_id: string
  provider: string
  issuer: string
  subject: string
  email: string | null
  name: Generated<string>
  picture: Generated<string>
  linked_at: Date
  last_used_at: Date
}

export interface SocialFlowsTable {
  state_hash: Buffer
  flow_hash: Buffer
  provider: string
  format: 'web' | 'json'
  user_id: string | null
  session_id: string | null
  sign_in_flow: string | null
  expires_at: Date
}

export type EmailChangeStatus = 'pending' | 'completed' | 'cancelled' | 'replaced' | 'expired'

export interface EmailChangesTable {
  id: string
  user_id: string
  session_id: string | null
  old_email: string
  new_email: string
  status: Generated<EmailChangeStatus>
  current_confirmed_at: Date | null
  new_confirmed_at: Date | null
  created_at: Date
  expires_at: Date
  ended_at: Date | null
  notice_id: string | null
}

export interface AccountCountersTable {
  key: string
  failures: number
  window_ends_at: Date
  in_a_row: number
  locked_until: Date | null
}

export interface PicturesTable {
  name: string
  user_id: string | null
  created_at: Date
  unused_since: Date | null
}
