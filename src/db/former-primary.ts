import type pg from 'pg'
import { FormerPrimary } from './errors.ts'

/** Rejects a primary that a promoted standby has replaced, even if the primary is writable again. */
export type RejectFormerPrimary = (client: pg.Client) => Promise<void>

// A promotion starts a new timeline in the same system. WAL file names begin with the timeline number.
const identity = `SELECT system_identifier::text AS system,
  ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int AS timeline FROM pg_control_system()`

export function formerPrimaryCheck(): RejectFormerPrimary {
  const newest = new Map<string, number>()
  return async (client) => {
    // The check is skipped on hosted servers that do not allow these functions.
    const found = await client.query<{ system: string; timeline: number }>(identity).catch(() => undefined)
    const row = found?.rows[0]
    if (!row) return
    const known = newest.get(row.system) ?? 0
    if (row.timeline < known)
      throw new FormerPrimary(
        `the server is a former primary, because another server was promoted (timeline ${row.timeline} is older than ${known})`,
      )
    newest.set(row.system, row.timeline)
  }
}
