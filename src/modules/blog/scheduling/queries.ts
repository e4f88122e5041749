import { sql } from 'kysely'
import type { Db } from '../../../db/tables.ts'
import { typeOf } from '../queries.ts'
import type { PostTypeColumns } from '../rows.ts'

export interface DuePost {
  id: string
  slug: string
  lang: string
  published_at: Date
  post_type?: string
}

/** Skips locked rows, so no post is published twice. Readers already see the posts, so `updated_at` stays the same. */
export async function takeDue(
  db: Db,
  more: readonly (keyof PostTypeColumns)[],
  now: Date,
  limit: number,
): Promise<DuePost[]> {
  const returned = ['id', 'slug', 'lang', 'published_at', ...typeOf(more)].map((name) => sql.ref(name))
  const { rows } = await sql<DuePost>`UPDATE posts
    SET status = 'published', published_at = scheduled_at, scheduled_at = NULL
    WHERE id IN (
      SELECT id FROM posts WHERE status = 'scheduled' AND scheduled_at <= ${now} AND deleted_at IS NULL
      ORDER BY scheduled_at LIMIT ${limit} FOR UPDATE SKIP LOCKED)
    RETURNING ${sql.join(returned)}`.execute(db)
  return rows
}
