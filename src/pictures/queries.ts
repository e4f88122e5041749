import type { Db } from '../db/tables.ts'

/** A file that is about to be written. It is in use only once its user has it as their picture. */
export const insertPicture = (db: Db, name: string, userId: string, now: Date) =>
  db.insertInto('pictures').values({ name, user_id: userId, created_at: now, unused_since: now }).execute()

/** False when the file was given up meanwhile. */
export async function markUsed(db: Db, name: string): Promise<boolean> {
  const row = await db
    .updateTable('pictures')
    .set({ unused_since: null })
    .where('name', '=', name)
    .returning('name')
    .executeTakeFirst()
  return row !== undefined
}

/** The files that were in use for this user until now. */
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

export async function findUnused(db: Db, before: Date, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('pictures')
    .select('name')
    // The user of some has been erased.
    .where((build) => build.or([build('unused_since', '<', before), build('user_id', 'is', null)]))
    .orderBy('unused_since')
    .limit(limit)
    .execute()
  return rows.map(({ name }) => name)
}

export const forgetPicture = (db: Db, name: string) => db.deleteFrom('pictures').where('name', '=', name).execute()
