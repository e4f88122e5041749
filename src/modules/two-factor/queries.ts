import { type Insertable, sql } from 'kysely'
import type { Db, Tables } from '../../db/tables.ts'

export type StoredKind = Tables['two_factor']['method']
export type MethodKind = StoredKind | 'recovery'

/** All of a user's recovery codes are represented by one row, which `userMethodsOf` builds. */
export interface MethodRow {
  id: string
  user_id: string
  method: MethodKind
  identifier: string | null
  status: 'pending_setup' | 'active'
  /** The secret is encrypted. */
  secret: string | null
  metadata: Record<string, unknown>
  last_used_at: Date | null
  created_at: Date
}

/**
 * The most recently used method comes first because it is the default. With `passkeys`, includes the user's passkeys,
 * except those that the browser created without asking and whose authenticator has not verified the user yet.
 */
export async function findMethods(
  db: Db,
  userId: string,
  { pendingSince, passkeys }: { pendingSince: Date; passkeys: boolean },
): Promise<MethodRow[]> {
  const { rows } = await sql<MethodRow>`
    SELECT id, user_id, method, identifier, status, secret, metadata, last_used_at, created_at
    FROM two_factor WHERE user_id = ${userId} AND (status = 'active' OR created_at > ${pendingSince})
    UNION ALL
    SELECT id, user_id, 'passkey', NULL, 'active', NULL, jsonb_build_object('name', name), last_used_at, created_at
    FROM passkeys WHERE user_id = ${userId} AND ${passkeys} AND ${isFactor}
    ORDER BY last_used_at DESC NULLS LAST, created_at, id`.execute(db)
  return rows
}

const isFactor = sql<boolean>`(uv_seen OR created_via <> 'upgrade')`

export type NewMethodRow = Pick<MethodRow, 'id' | 'user_id' | 'identifier' | 'secret' | 'metadata' | 'status'> & {
  method: StoredKind
  created_at: Date
}

export const insertMethod = (db: Db, row: NewMethodRow) =>
  db
    .insertInto('two_factor')
    .values({ ...row, last_used_at: null, updated_at: row.created_at })
    .execute()

export async function insertMethods(db: Db, rows: readonly Insertable<Tables['two_factor']>[]): Promise<void> {
  await db.insertInto('two_factor').values(rows).execute()
}

export const findAuthenticators = (db: Db, userIds: readonly string[]) =>
  db
    .selectFrom('two_factor')
    .select(['user_id', 'secret', 'created_at', 'last_used_at'])
    .where('user_id', 'in', [...userIds])
    .where('method', '=', 'totp')
    .where('status', '=', 'active')
    .orderBy('created_at')
    .orderBy('id')
    .execute()

export const deletePendingMethods = (db: Db, userId: string, method: StoredKind, identifier: string | null) =>
  db
    .deleteFrom('two_factor')
    .where('user_id', '=', userId)
    .where('method', '=', method)
    .where('identifier', identifier === null ? 'is' : '=', identifier)
    .where('status', '=', 'pending_setup')
    .execute()

export async function activateMethod(db: Db, id: string, now: Date): Promise<boolean> {
  const row = await db
    .updateTable('two_factor')
    .set({ status: 'active', updated_at: now })
    .where('id', '=', id)
    .where('status', '=', 'pending_setup')
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

export const recordMethodUse = (db: Db, id: string, now: Date) =>
  db.updateTable('two_factor').set({ last_used_at: now }).where('id', '=', id).execute()

/** Consumes the time step unless it or a later one has been used. Stores the seed, encrypted with the current key. */
export async function consumeTimeStep(db: Db, id: string, step: number, secret: string): Promise<boolean> {
  const { rows } = await sql`UPDATE two_factor SET last_step = ${step}, secret = ${secret}
    WHERE id = ${id} AND (last_step IS NULL OR last_step < ${step}) RETURNING id`.execute(db)
  return rows.length > 0
}

export const deleteMethod = (db: Db, id: string) => db.deleteFrom('two_factor').where('id', '=', id).execute()

export async function deleteMethodsOf(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('two_factor').where('user_id', '=', userId).execute()
}

/** Moves email methods to a new email address, and merges methods that become identical. */
export async function readdress(
  db: Db,
  { userId, from, to, at }: { userId: string; from: string; to: string; at: Date },
): Promise<void> {
  await sql`DELETE FROM two_factor AS old WHERE user_id = ${userId} AND method = 'email' AND (
    (identifier = ${to} AND status = 'pending_setup') OR (identifier = ${from} AND EXISTS (
      SELECT FROM two_factor AS other
      WHERE other.user_id = old.user_id AND other.method = 'email' AND other.identifier = ${to} AND other.status = 'active')))`.execute(
    db,
  )
  await sql`UPDATE two_factor SET identifier = ${to}, updated_at = ${at}
    WHERE user_id = ${userId} AND method = 'email' AND identifier = ${from}`.execute(db)
}

export async function deleteStalePending(db: Db, startedBefore: Date, limit: number): Promise<number> {
  const result = await sql`DELETE FROM two_factor WHERE id IN (
    SELECT id FROM two_factor WHERE status = 'pending_setup' AND created_at <= ${startedBefore}
    LIMIT ${limit} FOR UPDATE SKIP LOCKED)`.execute(db)
  return Number(result.numAffectedRows ?? 0n)
}

export const findSealedOtherwise = (db: Db, keyId: string, limit: number) =>
  db
    .selectFrom('two_factor')
    .select(['id', 'secret'])
    .where('secret', 'is not', null)
    .where(sql<boolean>`split_part(secret, '.', 1) <> ${keyId}`)
    .$narrowType<{ secret: string }>()
    .limit(limit)
    .execute()

/** Does nothing if another process has replaced the seed. */
export const replaceMethodSecret = (db: Db, id: string, before: string, after: string) =>
  db.updateTable('two_factor').set({ secret: after }).where('id', '=', id).where('secret', '=', before).execute()

/** The state changes whenever the user's second factors change. */
export async function findFactorState(db: Db, userId: string): Promise<string> {
  const { rows } = await sql<{ state: string }>`
    SELECT concat_ws(',', two_factor, extract(epoch FROM two_factor_changed_at), (
      SELECT string_agg(id::text, ',' ORDER BY id) FROM (
        SELECT id FROM two_factor WHERE user_id = users.id AND status = 'active'
        UNION ALL SELECT id FROM passkeys WHERE user_id = users.id AND ${isFactor}) AS factors
    )) AS state FROM users WHERE id = ${userId}`.execute(db)
  return rows[0]?.state ?? ''
}

/** Two changes within a millisecond still result in different states. */
export async function touchFactorState(db: Db, userIds: readonly string[], at: Date): Promise<void> {
  await sql`UPDATE users SET
      two_factor_changed_at = greatest(${at}::timestamptz, two_factor_changed_at + interval '1 microsecond')
    WHERE id = ANY(${userIds}::uuid[])`.execute(db)
}

/** Includes unfinished enrolments. */
export async function listKinds(db: Db, userId: string): Promise<StoredKind[]> {
  const { rows } = await sql<{ method: StoredKind }>`
    SELECT method, id FROM two_factor WHERE user_id = ${userId}
    UNION ALL SELECT 'passkey', id FROM passkeys WHERE user_id = ${userId} ORDER BY id`.execute(db)
  return rows.map(({ method }) => method)
}
