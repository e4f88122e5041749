import type { Generated } from 'kysely'
import type { JsonObject } from './kinds.ts'

export interface EventsTable {
  seq: Generated<number>
  id: string
  type: string
  version: number
  occurred_at: Date
  target_id: string | null
  data: JsonObject
  position: Generated<number | null>
}
