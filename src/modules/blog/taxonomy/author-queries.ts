import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../db/tables.ts'
import type { Page } from '../../../lib/paging.ts'
import { isLive } from '../lists/readable-queries.ts'
import type { FullPost } from '../queries.ts'

export type Author = NonNullable<FullPost['author']> & { post_count: number }

/** As they are kept, and what is due and not counted yet. */
const counted = (now: Date) => sql`(SELECT key::uuid AS user_id, sum(posts)::integer AS post_count FROM (
    SELECT key, posts FROM post_counts WHERE facet = 'author' AND visibility = 'public'
    UNION ALL SELECT p.user_id::text, 1 FROM posts p WHERE p.status = 'scheduled' AND p.scheduled_at <= ${now}
      AND p.visibility = 'public' AND p.user_id IS NOT NULL AND ${isLive(now)}
  ) AS parts GROUP BY key HAVING sum(posts) > 0) AS counted JOIN users u ON u.id = counted.user_id AND u.deleted_at IS NULL`

export const findAuthor = async (db: Db, id: string, now: Date): Promise<Author | undefined> =>
  (await selectAuthors(db, now, sql`u.id = ${id}`, { limit: 1, offset: 0 }))[0]

/** The busiest first; each says how many there are. */
export const findAuthors = (db: Db, now: Date, page: Page) => selectAuthors(db, now, sql`true`, page)

async function selectAuthors(db: Db, now: Date, which: RawBuilder<boolean>, { limit, offset }: Omit<Page, 'page'>) {
  const { rows } = await sql<Author & { total: number }>`
    SELECT u.id, u.name, u.last_name, u.display_name, u.picture, post_count, (count(*) OVER ())::integer AS total
    FROM ${counted(now)} WHERE ${which} ORDER BY post_count DESC, u.id LIMIT ${limit} OFFSET ${offset}`.execute(db)
  return rows
}

export async function countAuthors(db: Db, now: Date): Promise<number> {
  const { rows } = await sql<{ total: number }>`SELECT count(*)::integer AS total FROM ${counted(now)}`.execute(db)
  return rows[0]?.total ?? 0
}
