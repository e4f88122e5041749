import type { ColumnType, Generated } from 'kysely'
import type { JsonObject } from './kinds.ts'

export interface OutboxTable {
  id: string
  channel: 'mail' | 'sms' | 'task'
  message: string
  payload: string | null
  status: Generated<'pending' | 'queued' | 'sent' | 'failed' | 'expired'>
  attempts: Generated<number>
  created_at: Date
  expires_at: Date | null
  done_at: Date | null
  last_error: string | null
}

export interface MessageTemplatesTable {
  name: string
  language: string
  version: number
  subject: string | null
  text: string | null
  html: string | null
  author_id: string | null
  created_at: Date
}

export interface AuditEventsTable {
  id: string
  time: Date
  event: string
  outcome: 'success' | 'failure'
  actor_id: string | null
  actor_role: string | null
  target_id: string | null
  impersonator_id: string | null
  method: string | null
  ip: string | null
  user_agent: string | null
  request_id: string | null
  node: string
  details: JsonObject
  seal: Generated<number | null>
}

export interface AuditSealsTable {
  number: number
  events: number
  first_time: Date
  digest: string
  key_id: string
  mac: string
  sealed_at: Date
}

export interface RateLimitsTable {
  key: string
  count: number
  resets_at: Date
}

export interface StoredSettingsTable {
  name: string
  value: string | null
  /** A bigint, which the driver may return as text. Convert it with `Number`. */
  version: ColumnType<string, number, number>
  changed_by: string | null
  changed_at: Date
}
