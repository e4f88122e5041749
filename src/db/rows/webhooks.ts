import type { ColumnType, Generated } from 'kysely'

export interface WebhooksTable {
  id: string
  url: string
  description: string
  events: string[]
  is_enabled: boolean
  disabled_reason: ColumnType<DisabledReason | null, DisabledReason | null | undefined>
  headers: string
  secret: string
  former_secret: ColumnType<string | null, string | null | undefined>
  created_at: Date
  updated_at: Date
  failures: Generated<number>
  failing_since: ColumnType<Date | null, Date | null | undefined>
  paused_until: ColumnType<Date | null, Date | null | undefined>
}

/**
 * `gone`: the receiver responded with 410. `failing`: it accepted nothing for days. `restored`: the webhook comes from
 * a backup.
 */
export type DisabledReason = 'gone' | 'failing' | 'restored'

export interface WebhookDeliveriesTable {
  id: string
  webhook_id: string
  event_seq: number
  position: number
  target_id: string | null
  status: Generated<DeliveryStatus>
  attempts: Generated<number>
  created_at: Date
  next_attempt_at: Date
  claimed_until: ColumnType<Date | null, Date | null | undefined>
  done_at: ColumnType<Date | null, Date | null | undefined>
}

export type DeliveryStatus = 'waiting' | 'delivered' | 'failed'

export interface WebhookAttemptsTable {
  id: Generated<number>
  delivery_id: string
  started_at: Date
  duration_ms: number
  status: number | null
  error: string | null
  response: string | null
}
