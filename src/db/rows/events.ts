import type { Generated } from 'kysely'
import type { JsonObject } from './kinds.ts'

export interface EventsTable {
  seq: Generated<number>
  id: string
  type: string
  occurred_at: Date
  user_id: string | null
  data: JsonObject
  position: Generated<number | null>
}

export interface WebhooksTable {
  id: string
  url: string
  description: string
  events: string[]
  is_enabled: boolean
  disabled_reason: 'gone' | 'failing' | null
  headers: string | null
  secret: string
  former_secret: string | null
  created_at: Date
  updated_at: Date
  failures: Generated<number>
  failing_since: Date | null
  paused_until: Date | null
}

export interface WebhookDeliveriesTable {
  id: string
  webhook_id: string
  position: number
  user_id: string | null
  status: Generated<'pending' | 'delivered' | 'failed'>
  attempts: Generated<number>
  created_at: Date
  next_attempt_at: Date
  claimed_until: Date | null
  done_at: Date | null
}

export interface WebhookAttemptsTable {
  delivery_id: string
  attempt: number
  started_at: Date
  duration_ms: number
  status: number | null
  error: string | null
  response: string | null
}
