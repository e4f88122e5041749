import { sql } from 'kysely'
import type { Db } from '../db/tables.ts'

export interface OutboxRow {
  id: string
  channel: 'mail' | 'sms' | 'task'
  message: string
  payload: string
  expires_at: Date | null
}

export const insertMessage = (db: Db, row: OutboxRow & { created_at: Date }) =>
  db.insertInto('outbox').values(row).execute()

/** The number of messages counted in the current window, and the seconds until the window ends. */
export interface LimitWindow {
  count: number
  seconds_left: number
}

export async function countMessage(db: Db, key: string, windowMs: number): Promise<LimitWindow> {
  const { rows } = await sql<LimitWindow>`${counted({ key, windowMs })}`.execute(db)
  return rows[0] ?? { count: 1, seconds_left: 1 }
}

/** Undefined if no message was counted in the current window. */
export async function findMessageWindow(db: Db, key: string): Promise<LimitWindow | undefined> {
  const { rows } = await sql<LimitWindow>`
    SELECT count, greatest(1, ceil(extract(epoch FROM resets_at - now())))::int AS seconds_left
    FROM rate_limits WHERE key = ${key} AND resets_at > now()`.execute(db)
  return rows[0]
}

export interface MessageLimit<Name extends string> {
  name: Name
  key: string
  attempts: number
  windowMs: number
}

/** A text message that exceeds one limit does not count towards the next, so one user cannot exhaust shared limits. */
export async function countText<Name extends string>(
  db: Db,
  caps: readonly MessageLimit<Name>[],
): Promise<Name | undefined> {
  const counts = caps.map((cap, index) => {
    const before = caps[index - 1]
    return sql`${sql.ref(cap.name)} AS (${counted(cap, before && sql`FROM ${sql.ref(before.name)} WHERE count <= ${before.attempts}`)})`
  })
  const names = caps.map(({ name }) => sql`(SELECT count FROM ${sql.ref(name)}) AS ${sql.ref(name)}`)
  const { rows } = await sql<Record<string, number | null>>`
    WITH ${sql.join(counts)} SELECT ${sql.join(names)}`.execute(db)
  return caps.find(({ name, attempts }) => (rows[0]?.[name] ?? 0) > attempts)?.name
}

/** A window starts with the first message counted in it. */
const counted = ({ key, windowMs }: { key: string; windowMs: number }, when = sql``) => sql`
  INSERT INTO rate_limits (key, count, resets_at)
  SELECT ${key}::text, 1, now() + ${windowMs} * interval '1 millisecond' ${when}
  ON CONFLICT (key) DO UPDATE SET
    count = CASE WHEN rate_limits.resets_at <= now() THEN 1 ELSE rate_limits.count + 1 END,
    resets_at = CASE WHEN rate_limits.resets_at <= now() THEN excluded.resets_at ELSE rate_limits.resets_at END
  RETURNING count, greatest(1, ceil(extract(epoch FROM resets_at - now())))::int AS seconds_left`

export const findPendingMessages = (db: Db, limit: number) =>
  db.selectFrom('outbox').select('id').where('status', '=', 'pending').orderBy('created_at').limit(limit).execute()

/** Locks the rows in a fixed order because other nodes may mark the same messages. */
export const markQueued = (db: Db, ids: readonly string[]) =>
  sql`UPDATE outbox SET status = 'queued' WHERE id IN (
    SELECT id FROM outbox WHERE id = ANY(${ids}::uuid[]) AND status = 'pending'
    ORDER BY id FOR NO KEY UPDATE)`.execute(db)

export const findUndone = (db: Db, id: string): Promise<OutboxRow | undefined> =>
  db
    .selectFrom('outbox')
    .select(['id', 'channel', 'message', 'payload', 'expires_at'])
    .where('id', '=', id)
    .where('status', 'in', ['pending', 'queued'])
    .where('payload', 'is not', null)
    .$narrowType<{ payload: string }>()
    .executeTakeFirst()

interface MessageEnd {
  status: 'sent' | 'failed' | 'expired'
  at: Date
  /** Null unless the message failed. */
  lastError: string | null
}

/** Erases the payload because it may contain a link or a code. */
export const finishMessage = (db: Db, id: string, { status, at, lastError }: MessageEnd) =>
  db
    .updateTable('outbox')
    .set({ status, payload: null, done_at: at, last_error: lastError, attempts: sql`attempts + 1` })
    .where('id', '=', id)
    .execute()

/** Keeps the payload for a day so that administrators can send the message once they have fixed the cause. */
export const giveUpMessage = (db: Db, id: string, now: Date, lastError: string) =>
  db
    .updateTable('outbox')
    .set({ status: 'failed', done_at: now, last_error: lastError, attempts: sql`attempts + 1` })
    .where('id', '=', id)
    .execute()

export async function erasePayloads(db: Db, failedBefore: Date, now: Date, limit: number): Promise<number> {
  const result = await sql`UPDATE outbox SET payload = NULL WHERE id IN (
    SELECT id FROM outbox WHERE status = 'failed' AND payload IS NOT NULL
      AND (done_at < ${failedBefore} OR expires_at <= ${now}) ORDER BY created_at LIMIT ${limit} FOR UPDATE SKIP LOCKED)`.execute(
    db,
  )
  return Number(result.numAffectedRows ?? 0n)
}

export const noteFailedAttempt = (db: Db, id: string, lastError: string) =>
  db.updateTable('outbox').set({ attempts: sql`attempts + 1`, last_error: lastError }).where('id', '=', id).execute()

export const countWaiting = async (db: Db): Promise<number> => {
  const row = await db
    .selectFrom('outbox')
    .select((build) => build.fn.countAll<number>().as('count'))
    .where('status', 'in', ['pending', 'queued'])
    .executeTakeFirst()
  return Number(row?.count ?? 0)
}

export async function deleteOldMessages(db: Db, doneBefore: Date, limit: number): Promise<number> {
  const result = await sql`DELETE FROM outbox WHERE id IN (
    SELECT id FROM outbox WHERE done_at < ${doneBefore} ORDER BY done_at LIMIT ${limit} FOR UPDATE SKIP LOCKED)`.execute(
    db,
  )
  return Number(result.numAffectedRows ?? 0n)
}
