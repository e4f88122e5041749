import { sql } from 'kysely'
import type { Db } from '../../../db/tables.ts'
import type { MadePasskey, PasskeyAssertion } from './check-response.ts'
import type { KnownCredential } from './options.ts'

/** Returns false if the credential is already registered, even for the same user. */
export async function insertPasskey(db: Db, methodId: string, passkey: MadePasskey): Promise<boolean> {
  const inserted = await db
    .insertInto('two_factor_passkeys')
    .values({ two_factor_id: methodId, ...passkey })
    .onConflict((conflict) => conflict.column('credential_id').doNothing())
    .returning('two_factor_id')
    .executeTakeFirst()
  return inserted !== undefined
}

export interface StoredPasskey {
  method_id: string
  user_id: string
  public_key: Uint8Array
}

const active = (db: Db) =>
  db
    .selectFrom('two_factor_passkeys as passkey')
    .innerJoin('two_factor as method', 'method.id', 'passkey.two_factor_id')
    .where('method.status', '=', 'active')

export const findPasskey = (db: Db, credentialId: Buffer): Promise<StoredPasskey | undefined> =>
  active(db)
    .innerJoin('users', 'users.id', 'method.user_id')
    .select(['method.id as method_id', 'method.user_id', 'passkey.public_key'])
    .where('passkey.credential_id', '=', credentialId)
    .where('users.deleted_at', 'is', null)
    .executeTakeFirst()

export const listCredentials = (db: Db, userId: string): Promise<KnownCredential[]> =>
  active(db)
    .select(['passkey.credential_id', 'passkey.transports'])
    .where('method.user_id', '=', userId)
    .orderBy('method.id')
    .execute()

/** Returns false if the counter has not increased, in which case the authenticator may have been cloned. */
export async function notePasskeyUse(
  db: Db,
  methodId: string,
  { sign_count, backed_up }: PasskeyAssertion,
  now: Date,
): Promise<boolean> {
  const { rows } = await sql`
    UPDATE two_factor_passkeys SET sign_count = ${sign_count}, backed_up = ${backed_up}
    WHERE two_factor_id = ${methodId} AND (sign_count < ${sign_count} OR (sign_count = 0 AND ${sign_count} = 0))
    RETURNING two_factor_id`.execute(db)
  if (rows.length === 0) return false
  await db.updateTable('two_factor').set({ last_used_at: now }).where('id', '=', methodId).execute()
  return true
}
