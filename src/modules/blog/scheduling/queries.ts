import { sql } from 'kysely'
import type { Db } from '../../../db/tables.ts'

export interface DuePost {
  id: string
  slug: string
  lang: string
  published_at: Date
}

/**
 * Publishes the posts that are due longest and returns them. Rows locked by another node or a writer are skipped, so
 * each post is returned to one caller once. `updated_at` does not change: readers have seen the post as published since
 * its time.
 */
export async function takeDue(db: Db, now: Date, limit: number): Promise<DuePost[]> {
  const { rows } = await sql<DuePost>`UPDATE posts
    SET status = 'published', published_at = scheduled_at, scheduled_at = NULL
    WHERE id IN (
      SELECT id FROM posts WHERE status = 'scheduled' AND scheduled_at <= ${now} AND deleted_at IS NULL
      ORDER BY scheduled_at LIMIT ${limit} FOR UPDATE SKIP LOCKED)
    RETURNING id, slug, lang, published_at`.execute(db)
  return rows
}
