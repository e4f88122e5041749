import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../db/tables.ts'
import type { PageRequest } from '../../../lib/paging.ts'
import { isCounted, isDue } from '../lists/readable-queries.ts'
import type { FullPost } from '../queries.ts'
import type { SitemapScope } from '../sitemap/scope.ts'

export type AuthorWithCount = NonNullable<FullPost['author']> & { post_count: number }

/** Adds due posts to the stored counts, which do not include them yet. */
const counted = (scope: SitemapScope) => sql`(SELECT key::uuid AS user_id, sum(posts)::integer AS post_count FROM (
    SELECT c.key, c.posts FROM post_counts c WHERE c.facet = 'author' AND ${isCounted(scope)}
    UNION ALL SELECT p.user_id::text, 1 FROM posts p WHERE ${isDue(scope)} AND p.user_id IS NOT NULL
  ) AS parts GROUP BY key HAVING sum(posts) > 0) AS counted JOIN users u ON u.id = counted.user_id AND u.deleted_at IS NULL`

export const findAuthor = async (db: Db, id: string, scope: SitemapScope): Promise<AuthorWithCount | undefined> =>
  (await selectAuthors(db, scope, sql`u.id = ${id}`, { limit: 1, offset: 0 }))[0]

export const findAuthors = (db: Db, scope: SitemapScope, page: PageRequest) => selectAuthors(db, scope, sql`true`, page)

async function selectAuthors(
  db: Db,
  scope: SitemapScope,
  which: RawBuilder<boolean>,
  { limit, offset }: Omit<PageRequest, 'page'>,
) {
  const { rows } = await sql<AuthorWithCount & { total: number }>`
    SELECT u.id, u.name, u.last_name, u.display_name, u.picture, post_count, (count(*) OVER ())::integer AS total
    FROM ${counted(scope)} WHERE ${which} ORDER BY post_count DESC, u.id LIMIT ${limit} OFFSET ${offset}`.execute(db)
  return rows
}

export async function countAuthors(db: Db, scope: SitemapScope): Promise<number> {
  const { rows } = await sql<{ total: number }>`SELECT count(*)::integer AS total FROM ${counted(scope)}`.execute(db)
  return rows[0]?.total ?? 0
}
