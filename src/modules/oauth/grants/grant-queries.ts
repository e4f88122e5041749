import { type Insertable, sql } from 'kysely'
import type { Db, Tables } from '../../../db/tables.ts'

type NewGrant = Omit<Insertable<Tables['oauth_grants']>, 'claims' | 'client_epoch'> & { claims: object }
type NewCode = Omit<Insertable<Tables['oauth_codes']>, 'grant_id' | 'created_at'>

/**
 * Returns false if the client or its application is disabled, or the resource was erased. One statement, so that a client
 * that is disabled meanwhile is either seen here, or its epoch is later than that of the grant.
 */
export async function insertGrant(db: Db, grant: NewGrant, code: NewCode): Promise<boolean> {
  const { rows } = await sql`WITH given AS (
      INSERT INTO oauth_grants (id, created_at, user_id, client_id, client_epoch, session_id, is_offline, sid, scopes,
        resource_id, claims, acr, amr, auth_time, ip_address, user_agent, check_at, expires_at)
      SELECT ${grant.id}, ${grant.created_at}, ${grant.user_id}, c.id, c.epoch, ${grant.session_id}, ${grant.is_offline},
        ${grant.sid}, ${[...grant.scopes]}::text[], ${grant.resource_id}::uuid, ${JSON.stringify(grant.claims)}::jsonb,
        ${grant.acr}, ${[...grant.amr]}::text[], ${grant.auth_time}, ${grant.ip_address}, ${grant.user_agent},
        ${grant.check_at}, ${grant.expires_at}
      FROM oauth_clients c JOIN applications a ON a.id = c.application_id
      WHERE c.id = ${grant.client_id} AND c.is_enabled AND c.deleted_at IS NULL AND a.is_enabled AND a.deleted_at IS NULL
        AND (${grant.resource_id}::uuid IS NULL
          OR EXISTS (SELECT FROM oauth_resources WHERE id = ${grant.resource_id}::uuid))
      RETURNING id)
    INSERT INTO oauth_codes (code_hash, created_at, grant_id, redirect_uri, code_challenge, nonce, expires_at)
    SELECT ${code.code_hash}, ${grant.created_at}, id, ${code.redirect_uri}, ${code.code_challenge}, ${code.nonce},
      ${code.expires_at} FROM given RETURNING grant_id`.execute(db)
  return rows.length > 0
}

export interface FoundGrant {
  id: string
  user_id: string
  /** The id of the row. */
  client_id: string
  session_id: string
}

const found = ['g.id', 'g.user_id', 'g.client_id', 'g.session_id'] as const

/** Without a lock, to know whom to lock. Also finds what has ended. */
export const findGrantOfCode = (db: Db, hash: Buffer): Promise<FoundGrant | undefined> =>
  db
    .selectFrom('oauth_codes as c')
    .innerJoin('oauth_grants as g', 'g.id', 'c.grant_id')
    .select(found)
    .where('c.code_hash', '=', hash)
    .executeTakeFirst()

export const findGrantOfRefreshToken = (db: Db, hash: Buffer): Promise<FoundGrant | undefined> =>
  db
    .selectFrom('oauth_refresh_tokens as t')
    .innerJoin('oauth_grants as g', 'g.id', 't.grant_id')
    .select(found)
    .where('t.token_hash', '=', hash)
    .executeTakeFirst()

export const lockGrant = (db: Db, id: string) =>
  db
    .selectFrom('oauth_grants')
    .select([
      ...['id', 'epoch', 'user_id', 'client_id', 'client_epoch', 'session_id', 'is_offline', 'sid', 'scopes'],
      ...['resource_id', 'claims', 'acr', 'amr', 'auth_time', 'last_used_at', 'expires_at', 'ended_at'],
    ] as const)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()

export type LockedGrant = NonNullable<Awaited<ReturnType<typeof lockGrant>>>

export interface EndedGrant {
  id: string
  epoch: number
  user_id: string
  client_id: string
  scopes: string[]
}

interface GrantEnd {
  now: Date
  reason: string
}

const ended = ['id', 'epoch', 'user_id', 'client_id', 'scopes'] as const

/** Returns undefined if it has ended before. */
export const endGrantById = (db: Db, id: string, { now, reason }: GrantEnd): Promise<EndedGrant | undefined> =>
  db
    .updateTable('oauth_grants')
    .set({ ended_at: now, end_reason: reason })
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .returning(ended)
    .executeTakeFirst()

export const endGrantsOfUsers = (
  db: Db,
  userIds: readonly string[],
  { now, reason }: GrantEnd,
): Promise<EndedGrant[]> =>
  db
    .updateTable('oauth_grants')
    .set({ ended_at: now, end_reason: reason })
    .where('user_id', 'in', [...userIds])
    .where('ended_at', 'is', null)
    .returning(ended)
    .execute()
