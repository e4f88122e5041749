import type { Db } from '../db/tables.ts'

/** Every identity of other providers by which the user could sign in. Gives how many there were. */
export async function deleteIdentitiesOf(db: Db, userId: string): Promise<number> {
  const rows = await db.deleteFrom('social_accounts').where('user_id', '=', userId).returning('id').execute()
  return rows.length
}
