import { type Insertable, sql } from 'kysely'
import type { Db, Tables } from '../../../db/tables.ts'

export interface NewToken {
  /** In hex. */
  hash: string
  client_id: string
  client_epoch: number
  scopes: readonly string[]
  resource_id: string | null
  /** Null for machines. */
  grant_id: string | null
  resource_epoch: number | null
  created_at: Date
  expires_at: Date
}

/** Returns the hashes of the stored tokens: those whose client and resource exist. */
export async function insertAccessTokens(db: Db, tokens: readonly NewToken[]): Promise<Set<string>> {
  const { rows } = await sql<{ hash: string }>`INSERT INTO oauth_access_tokens
      (token_hash, client_id, client_epoch, scopes, resource_id, resource_epoch, grant_id, created_at, expires_at)
    SELECT decode(t.hash, 'hex'), c.id, t.client_epoch, t.scopes, r.id, t.resource_epoch, t.grant_id, t.created_at,
      t.expires_at
    FROM json_to_recordset(${JSON.stringify(tokens)}::json) AS t (hash text, client_id uuid, client_epoch bigint,
      scopes text[], resource_id uuid, resource_epoch bigint, grant_id uuid, created_at timestamptz,
      expires_at timestamptz)
    JOIN oauth_clients c ON c.id = t.client_id
    LEFT JOIN oauth_resources r ON r.id = t.resource_id
    WHERE t.resource_id IS NULL OR r.id IS NOT NULL
    RETURNING encode(token_hash, 'hex') AS hash`.execute(db)
  return new Set(rows.map(({ hash }) => hash))
}

export interface StoredToken {
  /** In hex. */
  hash: string
  client_id: string
  client_epoch: number
  scopes: string[]
  resource_id: string | null
  grant_id: string | null
  resource_epoch: number | null
  created_at: Date
  expires_at: Date
}

export async function findTokens(db: Db, hashes: readonly Buffer[], now: Date): Promise<StoredToken[]> {
  const { rows } = await sql<StoredToken>`SELECT encode(token_hash, 'hex') AS hash, client_id, client_epoch, scopes,
      resource_id, resource_epoch, grant_id, created_at, expires_at FROM oauth_access_tokens
    WHERE token_hash = ANY(${[...hashes]}::bytea[]) AND expires_at > ${now}`.execute(db)
  return rows
}

/** Of these tokens, those that were revoked. */
export async function findRevoked(db: Db, ids: readonly string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('oauth_revoked_tokens')
    .select('token_id')
    .where('token_id', 'in', [...ids])
    .execute()
  return new Set(rows.map(({ token_id }) => token_id))
}

/** Returns false if the token was already revoked. */
export async function insertRevoked(db: Db, row: Insertable<Tables['oauth_revoked_tokens']>): Promise<boolean> {
  const result = await db
    .insertInto('oauth_revoked_tokens')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return Number(result.numInsertedOrUpdatedRows ?? 0n) > 0
}

export async function eraseExpiredTokens(db: Db, now: Date, limit: number): Promise<number> {
  const result =
    await sql`DELETE FROM oauth_access_tokens WHERE token_hash IN (SELECT token_hash FROM oauth_access_tokens
    WHERE expires_at <= ${now} ORDER BY expires_at LIMIT ${limit} FOR UPDATE SKIP LOCKED)`.execute(db)
  return Number(result.numAffectedRows ?? 0n)
}

export async function eraseExpiredRevocations(db: Db, now: Date, limit: number): Promise<number> {
  const result = await sql`DELETE FROM oauth_revoked_tokens WHERE token_id IN (SELECT token_id FROM oauth_revoked_tokens
    WHERE expires_at <= ${now} ORDER BY expires_at LIMIT ${limit} FOR UPDATE SKIP LOCKED)`.execute(db)
  return Number(result.numAffectedRows ?? 0n)
}
