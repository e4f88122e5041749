import type { Config } from '../../../config/load.ts'
import type { Db } from '../../../db/tables.ts'
import type { SigningKeyRow } from '../directory-queries.ts'
import type { KeyStatus, SigningAlg } from '../rows.ts'
import type { GeneratedKey } from './generate-key.ts'

/** All keys, also those that were removed, in the order of their creation. */
export const findSigningKeys = (db: Db): Promise<SigningKeyRow[]> =>
  db.selectFrom('oauth_keys').selectAll().orderBy('created_at').orderBy('kid').execute()

interface KeyLife {
  id: string
  status: KeyStatus
  created_at: Date
  active_from: Date
}

export const insertSigningKey = (db: Db, { kid, alg, publicJwk, sealedPrivate }: GeneratedKey, life: KeyLife) =>
  db
    .insertInto('oauth_keys')
    .values({ ...life, kid, alg, public_jwk: JSON.stringify(publicJwk), sealed_private: sealedPrivate })
    .execute()

interface KeyEnd {
  retired_at: Date
  published_until: Date
  delete_after: Date
}

/** The private key is erased, because it never signs again. */
export const retireCurrent = (db: Db, alg: SigningAlg, end: KeyEnd) =>
  db
    .updateTable('oauth_keys')
    .set({ status: 'retired', sealed_private: '', ...end })
    .where('alg', '=', alg)
    .where('status', '=', 'current')
    .returning(['kid'])
    .executeTakeFirst()

export const activateNext = (db: Db, alg: SigningAlg, active_from: Date) =>
  db
    .updateTable('oauth_keys')
    .set({ status: 'current', active_from })
    .where('alg', '=', alg)
    .where('status', '=', 'next')
    .returning(['kid'])
    .executeTakeFirst()

/** Without an algorithm, removes all keys. */
export async function removeKeys(db: Db, end: KeyEnd, alg?: SigningAlg) {
  let query = db
    .updateTable('oauth_keys')
    .set({ status: 'removed', sealed_private: '', ...end })
    .where('status', '<>', 'removed')
  if (alg) query = query.where('alg', '=', alg)
  return query.returning(['kid', 'id', 'alg']).execute()
}

export const updateSealed = (db: Db, { kid, sealed_private }: Pick<SigningKeyRow, 'kid' | 'sealed_private'>) =>
  db.updateTable('oauth_keys').set({ sealed_private }).where('kid', '=', kid).execute()

export const deleteKeys = (db: Db, kids: readonly string[]) =>
  db.deleteFrom('oauth_keys').where('kid', 'in', kids).execute()

/** The algorithms of the enabled resources. */
export async function findAlgsInUse(
  db: Db,
  { OAUTH_ACCESS_TOKEN_ALG: usual }: Pick<Config, 'OAUTH_ACCESS_TOKEN_ALG'>,
): Promise<Set<SigningAlg>> {
  const rows = await db
    .selectFrom('oauth_resources')
    .select('alg')
    .distinct()
    .where('is_enabled', '=', true)
    .where('token_format', '=', 'jwt')
    .execute()
  return new Set(rows.map(({ alg }) => alg ?? usual))
}

export async function countEnabledClients(db: Db): Promise<number> {
  const row = await db
    .selectFrom('oauth_clients')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('is_enabled', '=', true)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return Number(row?.count)
}

/** The revocations are of no use without the tokens. */
export async function deleteAllTokens(db: Db): Promise<void> {
  await db.deleteFrom('oauth_access_tokens').execute()
  await db.deleteFrom('oauth_revoked_tokens').execute()
}
