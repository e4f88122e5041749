import { sql } from 'kysely'
import type { Db } from '../../../db/tables.ts'

/** Merges the rows of up to `limit` keys without blocking writers. Returns the number of merged rows. */
export const sumUpCounts = (db: Db, limit: number): Promise<number> =>
  db.transaction().execute(async (tx) => {
    // Allows only one run at a time because two runs that merge the same rows could deadlock.
    await sql`LOCK TABLE post_counts IN SHARE UPDATE EXCLUSIVE MODE`.execute(tx)
    const { rows } = await sql<{ taken: number }>`WITH many AS (
        SELECT facet, key, lang, visibility, post_type FROM post_counts
        GROUP BY 1, 2, 3, 4, 5 HAVING count(*) > 1 OR sum(posts) = 0 LIMIT ${limit}
      ), taken AS (
        DELETE FROM post_counts USING many
        WHERE (post_counts.facet, post_counts.key, post_counts.lang, post_counts.visibility, post_counts.post_type)
          = (many.facet, many.key, many.lang, many.visibility, many.post_type) RETURNING post_counts.*
      ), summed AS (
        INSERT INTO post_counts (facet, key, lang, visibility, post_type, posts)
        SELECT facet, key, lang, visibility, post_type, sum(posts) FROM taken
        GROUP BY 1, 2, 3, 4, 5 HAVING sum(posts) <> 0
      )
      SELECT count(*)::integer AS taken FROM taken`.execute(tx)
    return rows[0]?.taken ?? 0
  })
