import { type Insertable, sql } from 'kysely'
import type { SessionRow } from '../context.ts'
import { insertTogether } from '../db/run-text.ts'
import type { Db, Tables } from '../db/tables.ts'

export type NewSession = Omit<SessionRow, 'ended_at' | 'end_reason'>

/** Writes a session and its trace. Gives the number of other sessions that the user has by then; those of applications do not count. */
export async function insertSession(
  db: Db,
  row: NewSession,
  signedIn: Insertable<Tables['audit_events']>,
): Promise<number> {
  const others = `(SELECT count(*)::int FROM sessions o WHERE o.user_id = sessions.user_id AND o.status IN ('pending', 'active')
    AND o.parent_id IS NULL)`
  const [counted] = await insertTogether<{ others: number }, 'sessions', 'audit_events'>(
    db,
    { table: 'sessions', row },
    { table: 'audit_events', row: signedIn },
    `${others} AS others`,
  )
  return counted?.others ?? 0
}

export interface Ending {
  now: Date
  reason: string
}

/** Sessions older than these have run out. */
interface Since {
  usedSince: Date
  startedSince: Date
}

/** Partial sessions have a lifetime of their own. */
interface LiveSince extends Since {
  pendingSince: Date
}

const notRunOut = ({ usedSince, startedSince, pendingSince }: LiveSince) => sql<boolean>`CASE status
  WHEN 'pending' THEN created_at > ${pendingSince}
  ELSE last_used_at > ${usedSince} AND started_at > ${startedSince} END`

const endedBy = ({ now, reason }: Ending) => ({ status: 'revoked' as const, ended_at: now, end_reason: reason })
const live = ['pending', 'active'] as const

/** Whether a session has not been ended. Its times are not looked at. */
export async function isLive(db: Db, id: string): Promise<boolean> {
  const row = await db
    .selectFrom('sessions')
    .select('id')
    .where('id', '=', id)
    .where('status', 'in', live)
    .executeTakeFirst()
  return row !== undefined
}

/** Whether a session of an application and another one stem from one sign-in. A browser session may end any. */
export async function isOfSameSignIn(
  db: Db,
  { parent_id }: Pick<SessionRow, 'parent_id'>,
  otherId: string,
): Promise<boolean> {
  if (parent_id === null || otherId === parent_id) return true
  const rows = await db.selectFrom('sessions').select('id').where('parent_id', '=', parent_id).execute()
  return rows.some(({ id }) => id === otherId)
}

/** The user whose live session it is. */
export async function findOwner(db: Db, tokenHash: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('sessions')
    .select('user_id')
    .where('token_hash', '=', tokenHash)
    .where('status', 'in', live)
    .executeTakeFirst()
  return row?.user_id
}

/** The user whose session it was, when it was still alive. */
export async function endByHash(
  db: Db,
  tokenHash: string,
  ending: Ending,
): Promise<{ id: string; user_id: string } | undefined> {
  return db
    .updateTable('sessions')
    .set(endedBy(ending))
    .where('token_hash', '=', tokenHash)
    .where('status', 'in', live)
    .returning(['id', 'user_id'])
    .executeTakeFirst()
}

/**
 * Ends the live sessions of users, full and partial. With an id, all but that session and the one it was handed over
 * from.
 */
export async function endOfUsers(
  db: Db,
  userIds: readonly string[],
  except: string | null,
  ending: Ending,
): Promise<{ id: string; user_id: string }[]> {
  const { rows } = await sql<{ id: string; user_id: string }>`UPDATE sessions
    SET status = 'revoked', ended_at = ${ending.now}, end_reason = ${ending.reason}
    WHERE user_id = ANY(${userIds}::uuid[]) AND status IN ('pending', 'active') AND id IS DISTINCT FROM ${except}::uuid
      AND id IS DISTINCT FROM (SELECT parent_id FROM sessions WHERE id = ${except}::uuid)
    RETURNING id, user_id`.execute(db)
  return rows
}

/** The next users with a live session, in the order of their ids. */
export async function findUsersWithSessions(db: Db, after: string, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('sessions')
    .select('user_id')
    .distinct()
    .where('status', 'in', live)
    .where('user_id', '>', after)
    .orderBy('user_id')
    .limit(limit)
    .execute()
  return rows.map(({ user_id }) => user_id)
}

/** Ends the oldest live sessions of a user beyond the number that is allowed. Those of applications do not count. */
export async function endBeyond(db: Db, userId: string, most: number, ending: Ending & LiveSince): Promise<string[]> {
  // Sessions that ran out keep their status: they go before any that is still used.
  const isUsed = notRunOut(ending)
  const tooMany = db
    .selectFrom('sessions')
    .select('id')
    .where('user_id', '=', userId)
    .where('parent_id', 'is', null)
    .where('status', 'in', live)
    .orderBy(isUsed, 'desc')
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .offset(most)
  const rows = await db
    .updateTable('sessions')
    .set(endedBy(ending))
    .where('id', 'in', tooMany)
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** Ends the oldest live sessions of one application below one browser session, beyond the number that is allowed. */
export async function endOlderOfApplication(
  db: Db,
  { parent_id, application }: Pick<SessionRow, 'parent_id' | 'application'>,
  max: number,
  ending: Ending,
): Promise<string[]> {
  const tooMany = db
    .selectFrom('sessions')
    .select('id')
    .where('parent_id', '=', parent_id)
    .where('application', '=', application)
    .where('status', 'in', live)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .offset(max)
  const rows = await db
    .updateTable('sessions')
    .set(endedBy(ending))
    .where('id', 'in', tooMany)
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
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
] as const

export type ListedSession = Pick<SessionRow, (typeof listedColumns)[number]>

/** Sessions that are alive or ended after a time, newest first. Those of applications never displace others. */
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

/** Full sessions that have not run out, and partial ones. */
export async function countLive(db: Db, userId: string, since: LiveSince): Promise<number> {
  const { rows } = await sql<{ count: number }>`SELECT count(*)::integer AS count FROM sessions
    WHERE user_id = ${userId} AND status IN ('pending', 'active') AND ${notRunOut(since)}`.execute(db)
  return rows[0]?.count ?? 0
}

/** False when the user has no such live session. */
export async function endById(db: Db, userId: string, id: string, ending: Ending): Promise<boolean> {
  const row = await db
    .updateTable('sessions')
    .set(endedBy(ending))
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .where('status', 'in', live)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Moves the last use of many sessions forward; never back, and never on an ended one. Those that a sign-in, a logout or
 * another node is just changing are left out: whoever waits for several rows can be waited for, and the use of a session
 * that goes on is noted again.
 */
export async function writeLastUse(db: Db, ids: readonly string[], at: Date): Promise<WrittenUse[]> {
  const { rows } = await sql<WrittenUse>`WITH used AS (
      SELECT id, xmin::text AS before FROM sessions
      WHERE id = ANY(${ids}::uuid[]) AND status = 'active' AND last_used_at < ${at}
      ORDER BY id FOR NO KEY UPDATE SKIP LOCKED)
    UPDATE sessions s SET last_used_at = ${at} FROM used WHERE s.id = used.id
    RETURNING s.token_hash, used.before, s.xmin::text AS after`.execute(db)
  return rows
}

/** A session whose last use was written: the transactions that wrote its row last, before and after that. */
export interface WrittenUse {
  token_hash: string
  before: string
  after: string
}

/** The holder has just proved who they are. False when the session was ended meanwhile. */
export const noteProof = (db: Db, id: string, at: Date) => updateActive(db, id, { proved_at: at })

/** The same by a second factor, which confirms the session as well. */
export const noteFactorProof = (db: Db, id: string, at: Date) =>
  updateActive(db, id, { proved_at: at, two_factor_verified: true })

/** A second factor confirms the session, and the recent proof stays as old as it is. */
export const noteConfirmed = (db: Db, id: string) => updateActive(db, id, { two_factor_verified: true })

/** The state of a session as it is now, held until the transaction ends. Its user is held by then. */
export const lockSession = (db: Db, id: string) =>
  db
    .selectFrom('sessions')
    .select([
      'id',
      'status',
      'two_factor_verified',
      'created_at',
      'started_at',
      'last_used_at',
      'proved_at',
      'proof',
      'parent_id',
    ])
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()

/** Restarts the idle time of a session, and of the one it was handed over from. False when it was ended meanwhile. */
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
  changes: Partial<Pick<SessionRow, 'proved_at' | 'last_used_at' | 'two_factor_verified'>>,
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
