import { type Selectable, sql } from 'kysely'
import type { Db, Tables } from '../../../db/tables.ts'

export type StoredConsent = Pick<
  Selectable<Tables['oauth_consents']>,
  'scopes' | 'resources' | 'targets' | 'expires_at'
>

export const findConsent = (db: Db, userId: string, clientId: string): Promise<StoredConsent | undefined> =>
  db
    .selectFrom('oauth_consents')
    .select(['scopes', 'resources', 'targets', 'expires_at'])
    .where('user_id', '=', userId)
    .where('client_id', '=', clientId)
    .executeTakeFirst()

export interface GivenConsent {
  user_id: string
  client_id: string
  scopes: readonly string[]
  resources: readonly string[]
  targets: readonly string[]
  given_at: Date
  expires_at: Date
}

/** Adds to what the user has allowed before, unless that has expired. */
export async function writeConsent(db: Db, consent: GivenConsent): Promise<void> {
  const { user_id, client_id, scopes, resources, targets, given_at, expires_at } = consent
  const merged = (column: 'scopes' | 'resources' | 'targets') =>
    sql`CASE WHEN c.expires_at > excluded.given_at
      THEN ARRAY(SELECT DISTINCT unnest(${sql.ref(`c.${column}`)} || ${sql.ref(`excluded.${column}`)}) ORDER BY 1)
      ELSE ${sql.ref(`excluded.${column}`)} END`
  await sql`INSERT INTO oauth_consents AS c (user_id, client_id, scopes, resources, targets, given_at, expires_at)
    VALUES (${user_id}, ${client_id}, ${[...scopes]}::text[], ${[...resources]}::uuid[], ${[...targets]}::text[],
      ${given_at}, ${expires_at})
    ON CONFLICT (user_id, client_id) DO UPDATE SET scopes = ${merged('scopes')}, resources = ${merged('resources')},
      targets = ${merged('targets')}, given_at = excluded.given_at, expires_at = excluded.expires_at`.execute(db)
}

export async function eraseExpiredConsents(db: Db, before: Date, limit: number): Promise<number> {
  const result = await sql`DELETE FROM oauth_consents WHERE (user_id, client_id) IN (
    SELECT user_id, client_id FROM oauth_consents WHERE expires_at < ${before} ORDER BY expires_at LIMIT ${limit}
    FOR UPDATE SKIP LOCKED)`.execute(db)
  return Number(result.numAffectedRows ?? 0n)
}
