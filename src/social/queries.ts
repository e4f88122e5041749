import { type Selectable, sql } from 'kysely'
import type { Db, Tables } from '../db/tables.ts'

export type FlowRow = Selectable<Tables['social_flows']>

export const insertFlow = (db: Db, row: FlowRow) => db.insertInto('social_flows').values(row).execute()

interface Key {
  stateHash: Buffer
  flowHash: Buffer
  provider: string
  now: Date
}

/**
 * Uses one conditional statement so that a flow is consumed only once, only in the browser that started it, and only
 * for its own provider.
 */
export const takeFlowRow = (db: Db, { stateHash, flowHash, provider, now }: Key) =>
  db
    .deleteFrom('social_flows')
    .where('state_hash', '=', stateHash)
    .where('flow_hash', '=', flowHash)
    .where('provider', '=', provider)
    .where('expires_at', '>', now)
    .returning(['format', 'user_id', 'session_id', 'sign_in_flow'])
    .executeTakeFirst()

/** Returns true only for the first use of the token. */
export async function useTokenOnce(db: Db, tokenHash: Buffer, expiresAt: Date): Promise<boolean> {
  const row = await db
    .insertInto('social_tokens_used')
    .values({ token_hash: tokenHash, expires_at: expiresAt })
    .onConflict((conflict) => conflict.doNothing())
    .returning('token_hash')
    .executeTakeFirst()
  return row !== undefined
}

interface IdentityKey {
  provider: string
  issuer: string
  subject: string
}

export async function findIdentityOwner(db: Db, { provider, issuer, subject }: IdentityKey) {
  const row = await db
    .selectFrom('social_accounts')
    .select('user_id')
    .where('provider', '=', provider)
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst()
  return row?.user_id
}

interface ProviderProfile {
  email: string | null
  name: string
  picture: string
}

export async function noteIdentityUse(db: Db, userId: string, key: IdentityKey, shown: ProviderProfile, now: Date) {
  const row = await db
    .updateTable('social_accounts')
    .set({ ...shown, last_used_at: now })
    .where('provider', '=', key.provider)
    .where('issuer', '=', key.issuer)
    .where('subject', '=', key.subject)
    .where('user_id', '=', userId)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Returns false if the identity is already linked, or if the user has another identity with this provider. */
export async function insertIdentity(db: Db, row: Selectable<Tables['social_accounts']>): Promise<boolean> {
  const inserted = await db
    .insertInto('social_accounts')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted !== undefined
}

const listed = ['provider', 'subject', 'email', 'name', 'picture', 'linked_at', 'last_used_at'] as const

export const findIdentitiesOf = (db: Db, userId: string) =>
  db
    .selectFrom('social_accounts')
    .select(listed)
    .where('user_id', '=', userId)
    .orderBy('linked_at')
    .orderBy('id')
    .execute()

export async function deleteIdentity(db: Db, userId: string, provider: string): Promise<boolean> {
  const row = await db
    .deleteFrom('social_accounts')
    .where('user_id', '=', userId)
    .where('provider', '=', provider)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Includes deleted users. */
export const findAddressHolder = (db: Db, email: string) =>
  db.selectFrom('users').select(['id', 'deleted_at']).where('email', '=', email).executeTakeFirst()

export async function deleteExpiredFlows(db: Db, before: Date, limit: number): Promise<number> {
  const result = await sql`DELETE FROM social_flows WHERE state_hash IN (
    SELECT state_hash FROM social_flows WHERE expires_at < ${before} ORDER BY expires_at LIMIT ${limit} FOR UPDATE SKIP LOCKED)`.execute(
    db,
  )
  return Number(result.numAffectedRows ?? 0n)
}

export async function deleteExpiredTokens(db: Db, before: Date, limit: number): Promise<number> {
  const result = await sql`DELETE FROM social_tokens_used WHERE token_hash IN (
    SELECT token_hash FROM social_tokens_used WHERE expires_at < ${before} ORDER BY expires_at LIMIT ${limit} FOR UPDATE SKIP LOCKED)`.execute(
    db,
  )
  return Number(result.numAffectedRows ?? 0n)
}
