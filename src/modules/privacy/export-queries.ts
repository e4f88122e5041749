import { sql } from 'kysely'
import type { Db } from '../../db/tables.ts'

interface NewExport {
  id: string
  user_id: string
  requested_at: Date
  expires_at: Date
}

/** Replaces a finished export, or a pending one requested before `staleBefore`. Returns false if no row was written. */
export async function insertExport(db: Db, row: NewExport, staleBefore: Date): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`
    INSERT INTO user_privacy_exports (id, user_id, status, requested_at, expires_at)
    VALUES (${row.id}, ${row.user_id}, 'pending', ${row.requested_at}, ${row.expires_at})
    ON CONFLICT (user_id) DO UPDATE SET id = excluded.id, status = 'pending', archive = NULL,
      requested_at = excluded.requested_at, expires_at = excluded.expires_at
    WHERE user_privacy_exports.status = 'ready' OR user_privacy_exports.requested_at < ${staleBefore}
    RETURNING id`.execute(db)
  return rows.length > 0
}

export const findExportOf = (db: Db, userId: string) =>
  db.selectFrom('user_privacy_exports').select('requested_at').where('user_id', '=', userId).executeTakeFirst()

/** Returns undefined if the export is finished or has been replaced. */
export const findPendingExport = (db: Db, id: string) =>
  db
    .selectFrom('user_privacy_exports')
    .select('user_id')
    .where('id', '=', id)
    .where('status', '=', 'pending')
    .executeTakeFirst()

/** Returns false if another worker has already stored the archive or a newer request has replaced the export. */
export async function storeArchive(db: Db, id: string, archive: string, expiresAt: Date): Promise<boolean> {
  const row = await db
    .updateTable('user_privacy_exports')
    .set({ status: 'ready', archive, expires_at: expiresAt })
    .where('id', '=', id)
    .where('status', '=', 'pending')
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

export async function takeArchive(db: Db, id: string, now: Date): Promise<string | undefined> {
  const row = await db
    .deleteFrom('user_privacy_exports')
    .where('id', '=', id)
    .where('status', '=', 'ready')
    .where('expires_at', '>', now)
    .returning('archive')
    .executeTakeFirst()
  return row?.archive ?? undefined
}

export const deleteExportOf = (db: Db, userId: string) =>
  db.deleteFrom('user_privacy_exports').where('user_id', '=', userId).execute()

export async function deleteExpiredExports(db: Db, now: Date, limit: number): Promise<number> {
  const result = await sql`DELETE FROM user_privacy_exports WHERE id IN (
    SELECT id FROM user_privacy_exports WHERE expires_at <= ${now} ORDER BY expires_at LIMIT ${limit} FOR UPDATE SKIP LOCKED)`.execute(
    db,
  )
  return Number(result.numAffectedRows ?? 0n)
}
