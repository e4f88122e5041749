import { sql } from 'kysely'
import type { Db } from '../../../db/tables.ts'

export interface ClaimedLogout {
  id: string
  client_id: string
  user_id: string
  sid: string
  /** Including this one. */
  attempts: number
}

const claimed = sql`l.id, l.client_id, l.user_id, l.sid, l.attempts`

interface Claim {
  now: Date
  until: Date
  limit: number
  perClient: number
}

/** Each client has a limit of its own on all nodes together, so that a slow one does not delay others. */
export async function claimLogouts(db: Db, { now, until, limit, perClient }: Claim): Promise<ClaimedLogout[]> {
  const { rows } = await sql<ClaimedLogout>`
    WITH due AS MATERIALIZED (
      SELECT d.id FROM oauth_clients c CROSS JOIN LATERAL (
        SELECT id, next_attempt_at FROM oauth_logouts
        WHERE client_id = c.id AND done_at IS NULL AND next_attempt_at <= ${now}
          AND (claimed_until IS NULL OR claimed_until <= ${now})
        ORDER BY next_attempt_at
        LIMIT greatest(0, ${perClient}::int - (SELECT count(*)::int FROM oauth_logouts
          WHERE client_id = c.id AND claimed_until > ${now} AND done_at IS NULL))
        FOR UPDATE SKIP LOCKED) d
      WHERE c.backchannel_uri IS NOT NULL AND c.is_enabled AND c.deleted_at IS NULL
      ORDER BY d.next_attempt_at LIMIT ${limit}
    )
    UPDATE oauth_logouts l SET claimed_until = ${until}, attempts = l.attempts + 1 FROM due WHERE l.id = due.id
    RETURNING ${claimed}`.execute(db)
  return rows
}

/** Returns false if another node has recorded the outcome. */
export async function markLogoutDone(db: Db, id: string, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('oauth_logouts')
    .set({ done_at: now, claimed_until: null })
    .where('id', '=', id)
    .where('done_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export const postponeLogout = (db: Db, id: string, until: Date) =>
  db
    .updateTable('oauth_logouts')
    .set({ next_attempt_at: until, claimed_until: null })
    .where('id', '=', id)
    .where('done_at', 'is', null)
    .execute()

export interface LogoutExpiry {
  createdBefore: Date
  now: Date
  limit: number
}

/** Gives up those that have waited for too long. */
export async function expireLogouts(db: Db, { createdBefore, now, limit }: LogoutExpiry): Promise<ClaimedLogout[]> {
  const { rows } = await sql<ClaimedLogout>`UPDATE oauth_logouts l SET done_at = ${now}, claimed_until = NULL
    WHERE id IN (SELECT id FROM oauth_logouts
      WHERE done_at IS NULL AND created_at < ${createdBefore} AND (claimed_until IS NULL OR claimed_until <= ${now})
      ORDER BY created_at LIMIT ${limit} FOR UPDATE SKIP LOCKED)
    RETURNING ${claimed}`.execute(db)
  return rows
}

export async function eraseOldLogouts(db: Db, createdBefore: Date, limit: number): Promise<number> {
  const result = await sql`DELETE FROM oauth_logouts WHERE id IN (SELECT id FROM oauth_logouts
    WHERE created_at < ${createdBefore} ORDER BY created_at LIMIT ${limit} FOR UPDATE SKIP LOCKED)`.execute(db)
  return Number(result.numAffectedRows ?? 0n)
}

export const eraseAllLogouts = (db: Db) => db.deleteFrom('oauth_logouts').execute()

export async function eraseLogoutsOf(db: Db, userIds: readonly string[]): Promise<void> {
  await db
    .deleteFrom('oauth_logouts')
    .where('user_id', 'in', [...userIds])
    .execute()
}
