import type { Insertable, Selectable, Updateable } from 'kysely'
import type { Db, Tables } from '../../db/tables.ts'

export type SecretRow = Selectable<Tables['application_secrets']>

export const findSecrets = (db: Db, applicationId: string): Promise<SecretRow[]> =>
  db
    .selectFrom('application_secrets')
    .selectAll()
    .where('application_id', '=', applicationId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()

export const insertSecret = (db: Db, row: Insertable<Tables['application_secrets']>) =>
  db.insertInto('application_secrets').values(row).execute()

export const updateSecret = (db: Db, id: string, changes: Updateable<Tables['application_secrets']>) =>
  db.updateTable('application_secrets').set(changes).where('id', '=', id).execute()

/** Reads no more than it deletes, because even a DELETE without rows would make all nodes read the applications again. */
export async function deleteSecrets(db: Db, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await db.deleteFrom('application_secrets').where('id', 'in', ids).execute()
}

/** Secrets that were revoked after the backup must not work again. */
export async function deleteAllSecrets(db: Db): Promise<number> {
  const deleted = await db.deleteFrom('application_secrets').executeTakeFirst()
  return Number(deleted.numDeletedRows)
}
