import { type Selectable, sql } from 'kysely'
import type { Db, Tables } from '../../../db/tables.ts'

export type PreviewLinkRow = Selectable<Tables['post_preview_links']>

const shown = ['id', 'created_at', 'expires_at'] as const
export type PreviewLinkView = Pick<PreviewLinkRow, (typeof shown)[number]>

export const insertPreviewLink = (db: Db, row: PreviewLinkRow) =>
  db.insertInto('post_preview_links').values(row).execute()

/** Newest first. */
export const findValidPreviewLinks = (db: Db, postId: string, now: Date): Promise<PreviewLinkView[]> =>
  db
    .selectFrom('post_preview_links')
    .select(shown)
    .where('post_id', '=', postId)
    .where('expires_at', '>', now)
    .orderBy('expires_at', 'desc')
    .orderBy('id', 'desc')
    .execute()

/** Also finds expired links, so that the response can state that the link has expired. */
export const findPreviewLink = (
  db: Db,
  tokenHash: Buffer,
): Promise<Pick<PreviewLinkRow, 'post_id' | 'expires_at'> | undefined> =>
  db
    .selectFrom('post_preview_links')
    .select(['post_id', 'expires_at'])
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst()

/** Returns the number of deleted links that had not expired. */
export async function deletePreviewLinks(db: Db, postId: string, now: Date): Promise<number> {
  const deleted = await db
    .deleteFrom('post_preview_links')
    .where('post_id', '=', postId)
    .returning('expires_at')
    .execute()
  return deleted.filter(({ expires_at }) => expires_at > now).length
}

/** Returns the number of deleted links that had not expired. */
export async function deleteAllPreviewLinks(db: Db, now: Date): Promise<number> {
  const result = await db.deleteFrom('post_preview_links').where('expires_at', '>', now).executeTakeFirst()
  return Number(result.numDeletedRows)
}

export async function deleteExpiredPreviewLinks(db: Db, before: Date, limit: number): Promise<number> {
  const result = await sql`DELETE FROM post_preview_links WHERE id IN (
    SELECT id FROM post_preview_links WHERE expires_at < ${before} ORDER BY expires_at LIMIT ${limit} FOR UPDATE SKIP LOCKED)`.execute(
    db,
  )
  return Number(result.numAffectedRows ?? 0n)
}
