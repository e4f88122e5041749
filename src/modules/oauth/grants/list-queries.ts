import type { Db } from '../../../db/tables.ts'

/** The access that a user has given, the latest first. Codes that nobody has redeemed are left out. */
export const listGrantsOfUser = (db: Db, userId: string) =>
  db
    .selectFrom('oauth_grants as g')
    .innerJoin('oauth_clients as c', 'c.id', 'g.client_id')
    .select([
      ...['g.id', 'g.created_at', 'g.last_used_at', 'g.ended_at', 'g.scopes', 'g.is_offline', 'g.ip_address'],
      ...['g.user_agent', 'c.client_id', 'c.name'],
    ] as const)
    .where('g.user_id', '=', userId)
    .where('g.last_used_at', 'is not', null)
    .orderBy('g.created_at', 'desc')
    .orderBy('g.id', 'desc')
    .limit(1_000)
    .execute()
