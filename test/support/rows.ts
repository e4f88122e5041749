import { sql } from 'kysely'
import type { TestApp } from './test-app.ts'

export interface AuditRow {
  event: string
  outcome: string
  actor_id: string | null
  actor_role: string | null
  target_id: string | null
  method: string | null
  ip: string | null
  details: Record<string, unknown>
  request_id: string | null
}

/** Audit events with this name, oldest first. */
export async function auditOf(app: TestApp, event: string): Promise<AuditRow[]> {
  const { rows } = await sql<AuditRow>`SELECT * FROM audit_events WHERE event = ${event} ORDER BY time, id`.execute(
    app.ctx.db,
  )
  return rows
}

/** The row counts of tables that a rejected request must not change. */
export async function rowCounts(app: TestApp): Promise<Record<string, number>> {
  const { rows } = await sql<Record<string, number>>`SELECT (SELECT count(*) FROM users)::int AS users,
    (SELECT count(*) FROM sessions)::int AS sessions, (SELECT count(*) FROM outbox)::int AS outbox,
    (SELECT count(*) FROM one_time_secrets)::int AS one_time_secrets,
    (SELECT count(*) FROM passkeys)::int AS passkeys`.execute(app.ctx.db)
  return rows[0] ?? {}
}

/** The form of the text in a row that is converted to text, if a column of type bytea contains it. */
export const inHex = (text: string): string => Buffer.from(text).toString('hex')
