import { type SelectQueryBuilder, sql } from 'kysely'
import type { SessionRow } from '../context.ts'
import type { Db, Tables } from '../db/tables.ts'
import { isAcceptedByApplication } from './columns.ts'
import { type LiveSince, notRunOut, unended } from './queries.ts'

export interface SessionEnd {
  now: Date
  reason: string
}

const endedBy = ({ now, reason }: SessionEnd) => ({ status: 'revoked' as const, ended_at: now, end_reason: reason })

export interface EndedSession {
  id: string
  user_id: string
  end_reason: string
}

/** Returns the ids of the session and its user, or undefined if the session had ended. */
export async function endByHash(
  db: Db,
  tokenHash: Buffer,
  ending: SessionEnd,
): Promise<{ id: string; user_id: string } | undefined> {
  return db
    .updateTable('sessions')
    .set(endedBy(ending))
    .where('token_hash', '=', tokenHash)
    .where('status', 'in', unended)
    .returning(['id', 'user_id'])
    .executeTakeFirst()
}

/** Ends full and partial sessions, except the session whose id is `except` and its parent. */
export async function endOfUsers(
  db: Db,
  userIds: readonly string[],
  except: string | null,
  ending: SessionEnd,
): Promise<{ id: string; user_id: string }[]> {
  const { rows } = await sql<{ id: string; user_id: string }>`UPDATE sessions
    SET status = 'revoked', ended_at = ${ending.now}, end_reason = ${ending.reason}
    WHERE user_id = ANY(${userIds}::uuid[]) AND status IN ('pending', 'active') AND id IS DISTINCT FROM ${except}::uuid
      AND id IS DISTINCT FROM (SELECT parent_id FROM sessions WHERE id = ${except}::uuid)
    RETURNING id, user_id`.execute(db)
  return rows
}

/**
 * Users with a session whose row does not yet say that its application has ceased to accept it. Only applications with a
 * rule need to look at all of their sessions.
 */
export async function findUsersOfEndedApplications(db: Db, limit: number): Promise<string[]> {
  const { rows } = await sql<{ user_id: string }>`SELECT DISTINCT ended.user_id
    FROM applications a CROSS JOIN LATERAL (
      (SELECT s.user_id FROM sessions s WHERE s.application_id = a.id AND s.status IN ('pending', 'active')
        AND s.application_epoch < a.sessions_from_epoch LIMIT ${limit})
      UNION ALL (SELECT s.user_id FROM sessions s WHERE s.application_id = a.id AND s.status IN ('pending', 'active')
        AND a.sign_in_methods <> '{}' AND NOT ${sql.raw(isAcceptedByApplication)} LIMIT ${limit})) AS ended
    LIMIT ${limit}`.execute(db)
  return rows.map(({ user_id }) => user_id)
}

export async function endOfApplications(db: Db, userIds: readonly string[], now: Date): Promise<EndedSession[]> {
  const { rows } = await sql<EndedSession>`UPDATE sessions s
    SET status = 'revoked', ended_at = ${now}, end_reason = CASE WHEN s.application_epoch < a.sessions_from_epoch
      THEN 'application_disabled' ELSE 'sign_in_method' END
    FROM applications a WHERE a.id = s.application_id AND s.user_id = ANY(${userIds}::uuid[])
      AND s.status IN ('pending', 'active') AND NOT ${sql.raw(isAcceptedByApplication)}
    RETURNING s.id, s.user_id, s.end_reason`.execute(db)
  return rows
}

/**
 * The live sessions that were created while the settings declared an address (`application_id` is null), which meanwhile
 * belongs only to an application that is disabled or deleted. Sessions contain no path, so they stay while the settings
 * declare a part of the address.
 */
const ofFormerlyDeclared = (
  declared: readonly string[],
) => sql`s.application_id IS NULL AND s.status IN ('pending', 'active')
  AND s.application IN (SELECT regexp_replace(address, '://$', ':') FROM application_addresses o JOIN applications a
    ON a.id = o.application_id WHERE o.kind = 'return' AND (NOT a.is_enabled OR a.deleted_at IS NOT NULL)
    AND NOT EXISTS (SELECT FROM unnest(${declared}::text[]) AS declared (address)
      WHERE declared.address = o.address OR starts_with(declared.address, o.address || '/')))`

/** `declared` are the return addresses in the settings, which come first. */
export async function findUsersOfFormerlyDeclared(
  db: Db,
  declared: readonly string[],
  limit: number,
): Promise<string[]> {
  const { rows } = await sql<{ user_id: string }>`SELECT DISTINCT s.user_id FROM sessions s
    WHERE ${ofFormerlyDeclared(declared)} LIMIT ${limit}`.execute(db)
  return rows.map(({ user_id }) => user_id)
}

export async function endFormerlyDeclared(
  db: Db,
  { userIds, declared }: { userIds: readonly string[]; declared: readonly string[] },
  now: Date,
): Promise<EndedSession[]> {
  const { rows } = await sql<EndedSession>`UPDATE sessions s
    SET status = 'revoked', ended_at = ${now}, end_reason = 'application_disabled'
    WHERE s.user_id = ANY(${userIds}::uuid[]) AND ${ofFormerlyDeclared(declared)}
    RETURNING s.id, s.user_id, s.end_reason`.execute(db)
  return rows
}

/** Application and impersonated sessions are neither counted nor ended. */
export async function endBeyond(
  db: Db,
  { userId, status, max }: { userId: string; status: SessionRow['status']; max: number },
  ending: SessionEnd & LiveSince,
): Promise<string[]> {
  // Expired sessions that have not been ended are ended first.
  const isUsed = notRunOut(ending)
  const tooMany = db
    .selectFrom('sessions')
    .select('id')
    .where('user_id', '=', userId)
    .where('parent_id', 'is', null)
    .where('impersonated_by', 'is', null)
    .where('status', '=', status)
    .orderBy(isUsed, 'desc')
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .offset(max)
  return endAll(db, tooMany, ending)
}

/** Ends the oldest sessions that exceed the application's limit, which applies per browser session. */
export async function endOlderOfApplication(
  db: Db,
  { parent_id, application, application_id }: Pick<SessionRow, 'parent_id' | 'application' | 'application_id'>,
  maxPerApplication: number,
  ending: SessionEnd,
): Promise<string[]> {
  const tooMany = db
    .selectFrom('sessions')
    .select('id')
    .where('parent_id', '=', parent_id)
    .where('application', '=', application)
    .where('application_id', application_id === null ? 'is' : '=', application_id)
    .where('status', 'in', unended)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .offset(maxPerApplication)
  return endAll(db, tooMany, ending)
}

/** Returns the ids of the ended sessions. */
async function endAll(
  db: Db,
  sessions: SelectQueryBuilder<Tables, 'sessions', { id: string }>,
  ending: SessionEnd,
): Promise<string[]> {
  const rows = await db
    .updateTable('sessions')
    .set(endedBy(ending))
    .where('id', 'in', sessions)
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** Returns false if the user has no such session, or if it had ended. */
export async function endById(db: Db, userId: string, id: string, ending: SessionEnd): Promise<boolean> {
  const row = await db
    .updateTable('sessions')
    .set(endedBy(ending))
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .where('status', 'in', unended)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** An unused handover code could still create a session. The caller must have locked the users' rows. */
export async function invalidateCodesOfUsers(db: Db, userIds: readonly string[], now: Date): Promise<void> {
  await sql`UPDATE handover_codes SET used_at = ${now} WHERE used_at IS NULL
    AND session_id IN (SELECT id FROM sessions WHERE user_id = ANY(${userIds}::uuid[]))`.execute(db)
}

/** Invalidates the unused codes that were issued to this session's application in the same browser session. */
export async function invalidateCodesOfApplication(db: Db, sessionId: string, now: Date): Promise<void> {
  // An application is an origin or a scheme. In a URL, a slash follows an origin. A scheme ends with a colon.
  await sql`UPDATE handover_codes c SET used_at = ${now} FROM sessions s
    WHERE s.id = ${sessionId} AND c.session_id = s.parent_id AND c.used_at IS NULL
      AND c.application_id IS NOT DISTINCT FROM s.application_id
      AND starts_with(c.return_to, CASE WHEN s.application LIKE '%:' THEN s.application ELSE s.application || '/' END)
    `.execute(db)
}

export async function deleteUnusedSessions(db: Db, unusedSince: Date, limit: number): Promise<number> {
  const result = await sql`DELETE FROM sessions WHERE id IN (
    SELECT id FROM sessions WHERE last_used_at < ${unusedSince} ORDER BY last_used_at LIMIT ${limit} FOR UPDATE SKIP LOCKED)`.execute(
    db,
  )
  return Number(result.numAffectedRows ?? 0n)
}

/** Separate from `deleteUnusedSessions` because each condition has its own index. */
export async function deleteEndedSessions(db: Db, endedBefore: Date, limit: number): Promise<number> {
  const result = await sql`DELETE FROM sessions WHERE id IN (
    SELECT id FROM sessions WHERE ended_at < ${endedBefore} ORDER BY ended_at LIMIT ${limit} FOR UPDATE SKIP LOCKED)`.execute(
    db,
  )
  return Number(result.numAffectedRows ?? 0n)
}
