import type { Db } from '../db/tables.ts'

export async function deleteIdentitiesOf(db: Db, userId: string): Promise<number> {
  const rows = await db.deleteFrom('social_accounts').where('user_id', '=', userId).returning('id').execute()
  return rows.length
}
