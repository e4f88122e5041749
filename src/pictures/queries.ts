import type { Db } from '../db/tables.ts'

/** The picture is considered unused until `markUsed` is called. */
export const insertPicture = (db: Db, name: string, userId: string, now: Date) =>
  db.insertInto('pictures').values({ name, user_id: userId, created_at: now, unused_since: now }).execute()

/** For files without a row, such as post images. The cleanup job removes them in its next run. */
export async function insertReleased(db: Db, names: readonly string[], now: Date): Promise<void> {
  const rows = names.map((name) => ({ name, user_id: null, created_at: now, unused_since: now }))
  if (rows.length > 0) await db.insertInto('pictures').values(rows).execute()
}

/** Returns false if the file has been removed. */
export async function markUsed(db: Db, name: string): Promise<boolean> {
  const row = await db
    .updateTable('pictures')
    .set({ unused_since: null })
    .where('name', '=', name)
    .returning('name')
    .executeTakeFirst()
  return row !== undefined
}

export async function markUnused(db: Db, userId: string, now: Date): Promise<string[]> {
  const rows = await db
    .updateTable('pictures')
    .set({ unused_since: now })
    .where('user_id', '=', userId)
    .where('unused_since', 'is', null)
    .returning('name')
    .execute()
  return rows.map(({ name }) => name)
}

/** Whether the user has been deleted or has replaced the picture. Post images have no row in this table. */
export async function isWithdrawn(db: Db, name: string): Promise<boolean> {
  const row = await db
    .selectFrom('pictures')
    .leftJoin('users', 'users.id', 'pictures.user_id')
    .select(['users.id', 'users.deleted_at', 'pictures.unused_since'])
    .where('pictures.name', '=', name)
    .executeTakeFirst()
  return row !== undefined && (row.id === null || row.deleted_at !== null || row.unused_since !== null)
}

export async function findUnused(db: Db, before: Date, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('pictures')
    .select('name')
    // `user_id` is null if the user has been erased or if the file never belonged to a user.
    .where((build) => build.or([build('unused_since', '<', before), build('user_id', 'is', null)]))
    .orderBy('unused_since')
    .limit(limit)
    .execute()
  return rows.map(({ name }) => name)
}

export async function forgetPicture(db: Db, name: string): Promise<boolean> {
  const row = await db.deleteFrom('pictures').where('name', '=', name).returning('name').executeTakeFirst()
  return row !== undefined
}
