import { sql } from 'kysely'
import type { Db } from '../db/tables.ts'
import type { PageRequest } from '../lib/paging.ts'

export interface RunEvent {
  run_id: string
  component_id: string | null
  event_type: string
  actor_user_id: string | null
  actor_email: string | null
  detail: Record<string, unknown>
  created_at: Date
}

/** Returns the events of the newest runs. The newest run is first. Each run's events are in chronological order. */
export async function findRunEvents(
  db: Db,
  moduleId: string,
  runtimeScope: string,
  { limit, offset }: Pick<PageRequest, 'limit' | 'offset'>,
): Promise<RunEvent[]> {
  const { rows } = await sql<RunEvent>`
    SELECT e.run_id, e.component_id, e.event_type, e.actor_user_id, u.email AS actor_email, e.detail, e.created_at
    FROM (SELECT run_id, min(created_at) AS started_at FROM module_hub_events
      WHERE module_id = ${moduleId} AND runtime_scope = ${runtimeScope}
      GROUP BY run_id ORDER BY started_at DESC, run_id DESC LIMIT ${limit} OFFSET ${offset}) AS newest
    JOIN module_hub_events e USING (run_id)
    LEFT JOIN users u ON u.id::text = e.actor_user_id
    ORDER BY newest.started_at DESC, e.run_id DESC, e.created_at`.execute(db)
  return rows
}

export async function countRuns(db: Db, moduleId: string, runtimeScope: string): Promise<number> {
  const { rows } = await sql<{ count: string }>`SELECT count(DISTINCT run_id) AS count FROM module_hub_events
    WHERE module_id = ${moduleId} AND runtime_scope = ${runtimeScope}`.execute(db)
  return Number(rows[0]?.count ?? 0)
}
