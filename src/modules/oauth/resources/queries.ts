import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { Db, Tables } from '../../../db/tables.ts'

export type LockedResource = Selectable<Tables['oauth_resources']>

export const lockResource = (db: Db, id: string): Promise<LockedResource | undefined> =>
  db.selectFrom('oauth_resources').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

export const insertResource = (db: Db, row: Insertable<Tables['oauth_resources']>) =>
  db.insertInto('oauth_resources').values(row).execute()

export const updateResource = (db: Db, id: string, changes: Updateable<Tables['oauth_resources']>) =>
  db.updateTable('oauth_resources').set(changes).where('id', '=', id).returning('epoch').executeTakeFirstOrThrow()

/** Clients lose the resource. */
export async function deleteResourceRow(db: Db, id: string): Promise<void> {
  await db.deleteFrom('oauth_resources').where('id', '=', id).execute()
  await sql`UPDATE oauth_clients SET resources = array_remove(resources, ${id}::uuid)
    WHERE ${id}::uuid = ANY(resources)`.execute(db)
}

export async function findLiveApplication(db: Db, id: string): Promise<{ id: string; key: string } | undefined> {
  const { rows } = await sql<{ id: string; key: string }>`SELECT id, key FROM applications
    WHERE id = ${id} AND deleted_at IS NULL FOR SHARE`.execute(db)
  return rows[0]
}
