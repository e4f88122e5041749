import { type Insertable, sql } from 'kysely'
import type { SessionRow } from '../context.ts'
import { insertTogether } from '../db/run-text.ts'
import type { Db, Tables } from '../db/tables.ts'
import { type Confirmation, confirmation, isAcceptedByApplication, sessionColumns } from './columns.ts'

export type NewSession = Omit<SessionRow, 'ended_at' | 'end_reason'>

/** Also inserts the audit event. Returns the number of other sessions, excluding application and impersonated ones. */
export async function insertSession(
  db: Db,
  row: NewSession,
  signedIn: Insertable<Tables['audit_events']>,
): Promise<number> {
  const others = `(SELECT count(*)::int FROM sessions o WHERE o.user_id = sessions.user_id AND o.status IN ('pending', 'active')
    AND o.parent_id IS NULL AND o.impersonated_by IS NULL)`
  const [counted] = await insertTogether<{ others: number }, 'sessions', 'audit_events'>(
    db,
    { table: 'sessions', row },
    { table: 'audit_events', row: signedIn },
    `${others} AS others`,
  )
  return counted?.others ?? 0
}

/** A session has expired if it was last used before `usedSince` or started before `startedSince`. */
interface LiveSinceTimes {
  usedSince: Date
  startedSince: Date
}

/** Partial sessions have a shorter, separate lifetime. */
export interface LiveSince extends LiveSinceTimes {
  pendingSince: Date
}

export const notRunOut = ({ usedSince, startedSince, pendingSince }: LiveSince) => sql<boolean>`CASE status
  WHEN 'pending' THEN created_at > ${pendingSince}
  ELSE last_used_at > ${usedSince} AND started_at > ${startedSince} END`

export const unended = ['pending', 'active'] as const

/** Whether the session has not been ended. Does not check whether it has expired. */
export async function isUnendedSession(db: Db, id: string): Promise<boolean> {
  const row = await db
    .selectFrom('sessions')
    .select('id')
    .where('id', '=', id)
    .where('status', 'in', unended)
    .executeTakeFirst()
  return row !== undefined
}

/** Always true for a browser session (without `parent_id`), which may end any session of the user. */
export async function isOfSameSignIn(
  db: Db,
  { parent_id }: Pick<SessionRow, 'parent_id'>,
  otherId: string,
): Promise<boolean> {
  if (parent_id === null || otherId === parent_id) return true
  const rows = await db.selectFrom('sessions').select('id').where('parent_id', '=', parent_id).execute()
  return rows.some(({ id }) => id === otherId)
}

export async function findOwner(db: Db, tokenHash: Buffer): Promise<string | undefined> {
  const row = await db
    .selectFrom('sessions')
    .select('user_id')
    .where('token_hash', '=', tokenHash)
    .where('status', 'in', unended)
    .executeTakeFirst()
  return row?.user_id
}

const listedColumns = [
  'id',
  'token_hash',
  'status',
  'created_at',
  'started_at',
  'last_used_at',
  'ip_address',
  'user_agent',
  'user_device',
  'device_id',
  'parent_id',
  'application',
  'application_id',
  'impersonated_by',
  'ends_at',
] as const

export type ListedSession = Pick<SessionRow, (typeof listedColumns)[number]>

/** Finds live sessions and those that ended after `endedSince`. Above the limit, omits application sessions first. */
export const findSessionsOf = (db: Db, userId: string, endedSince: Date, limit: number): Promise<ListedSession[]> =>
  db
    .selectFrom(
      db
        .selectFrom('sessions')
        .select(listedColumns)
        .where('user_id', '=', userId)
        .where((build) => build.or([build('ended_at', 'is', null), build('ended_at', '>', endedSince)]))
        .orderBy(sql`parent_id IS NOT NULL`)
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
        .as('listed'),
    )
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()

/** The browser or app that created the user's first session that is still stored. */
export const findFirstDevice = async (db: Db, userId: string): Promise<string | undefined> =>
  (
    await db
      .selectFrom('sessions')
      .select('user_device')
      .where('user_id', '=', userId)
      .orderBy('created_at')
      .orderBy('id')
      .limit(1)
      .executeTakeFirst()
  )?.user_device || undefined

export async function countLive(db: Db, userId: string, since: LiveSince): Promise<number> {
  const { rows } = await sql<{ count: number }>`SELECT count(*)::integer AS count FROM sessions
    WHERE user_id = ${userId} AND status IN ('pending', 'active') AND impersonated_by IS NULL AND ${notRunOut(since)}`.execute(
    db,
  )
  return rows[0]?.count ?? 0
}

/** The numbers of live sessions by application, each counted up to a limit. */
export async function countLiveOfApplications(
  db: Db,
  ids: readonly string[],
  { usedSince, upTo }: { usedSince: Date; upTo: number },
): Promise<Map<string, number>> {
  const { rows } = await sql<{ id: string; count: number }>`SELECT a.id, (SELECT count(*)::int FROM (
      SELECT FROM sessions s WHERE s.application_id = a.id AND ${sql.raw(isAcceptedByApplication)}
        AND s.status IN ('pending', 'active') AND s.last_used_at > ${usedSince} LIMIT ${upTo}) AS live) AS count
    FROM applications a WHERE a.id = ANY(${ids}::uuid[])`.execute(db)
  return new Map(rows.map(({ id, count }) => [id, count]))
}

/** Skips locked rows so that no request waits. The time of a skipped session is written at its next use. */
export async function writeLastUse(db: Db, ids: readonly string[], at: Date): Promise<WrittenUse[]> {
  const { rows } = await sql<WrittenUse>`WITH used AS (
      SELECT id, xmin::text AS before FROM sessions
      WHERE id = ANY(${ids}::uuid[]) AND status = 'active' AND last_used_at < ${at}
      ORDER BY id FOR NO KEY UPDATE SKIP LOCKED)
    UPDATE sessions s SET last_used_at = ${at} FROM used WHERE s.id = used.id
    RETURNING encode(s.token_hash, 'hex') AS key, used.before, s.xmin::text AS after`.execute(db)
  return rows
}

/** `before` and `after` are the row's `xmin`, the id of the transaction that last wrote the row. */
export interface WrittenUse {
  /** The key of the cached session. */
  key: string
  before: string
  after: string
}

export const noteProof = (db: Db, id: string, at: Date) => updateActive(db, id, { proved_at: at })

export const noteFactorProof = (db: Db, id: string, at: Date) =>
  updateActive(db, id, { proved_at: at, ...confirmation(true) })

export const notePasskeyProof = (db: Db, id: string, at: Date) =>
  updateActive(db, id, { proved_at: at, passkey_proved_at: at, ...confirmation(true) })

/** Whether the user has authenticated with a passkey in this browser session since then, at the sign-in or later. */
export async function isProvenByPasskey(db: Db, id: string, since: Date): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM sessions WHERE id = ${id} AND status = 'active' AND parent_id IS NULL
      AND (passkey_proved_at >= ${since}
        OR (passkey_proved_at IS NULL AND proof = 'passkey' AND created_at >= ${since}))`.execute(db)
  return rows.length > 0
}

/** Earlier than the epoch, from which authentications count if REAUTH_WINDOW is 0. */
const never = new Date(-1)

/** Until they authenticate with a passkey again, the user's sessions are not proven by one. */
export const forgetPasskeyProofs = (db: Db, userId: string) =>
  sql`UPDATE sessions SET passkey_proved_at = ${never} WHERE user_id = ${userId} AND status = 'active'`.execute(db)

/** Does not change `proved_at`, the time of the last authentication. */
export const noteConfirmed = (db: Db, id: string) => updateActive(db, id, confirmation(true))

/** The caller has locked the user. */
export const lockSession = (db: Db, id: string) =>
  db.selectFrom('sessions').select(sessionColumns).where('id', '=', id).forNoKeyUpdate().executeTakeFirst()

/** Restarts the idle timeout of the session and its parent. Returns false if the session has ended. */
export async function restartIdle(
  db: Db,
  { id, parent_id }: Pick<SessionRow, 'id' | 'parent_id'>,
  at: Date,
): Promise<boolean> {
  if (parent_id) await updateActive(db, parent_id, { last_used_at: at })
  return updateActive(db, id, { last_used_at: at })
}

async function updateActive(
  db: Db,
  id: string,
  changes: Partial<Pick<Tables['sessions'], 'proved_at' | 'passkey_proved_at' | 'last_used_at'> & Confirmation>,
): Promise<boolean> {
  const row = await db
    .updateTable('sessions')
    .set(changes)
    .where('id', '=', id)
    .where('status', '=', 'active')
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}
