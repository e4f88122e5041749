import { sql } from 'kysely'
import type { Db } from '../db/tables.ts'

export async function deleteUnusedSessions(db: Db, unusedSince: Date, limit: number): Promise<number> {
  const result = await sql`DELETE FROM sessions WHERE id IN (
    SELECT id FROM sessions WHERE last_used_at < ${unusedSince} LIMIT ${limit} FOR UPDATE SKIP LOCKED)`.execute(db)
  return Number(result.numAffectedRows ?? 0n)
}

/** Uses two statements, because each condition has its own index. */
export async function deleteEndedSessions(db: Db, endedBefore: Date, limit: number): Promise<number> {
  const result = await sql`DELETE FROM sessions WHERE id IN (
    SELECT id FROM sessions WHERE ended_at < ${endedBefore} LIMIT ${limit} FOR UPDATE SKIP LOCKED)`.execute(db)
  return Number(result.numAffectedRows ?? 0n)
}
