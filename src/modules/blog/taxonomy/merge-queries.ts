import { sql } from 'kysely'
import type { Db } from '../../../db/tables.ts'

/**
 * Saving a post starts by locking its row, which conflicts with `FOR SHARE`. Locking the posts in id order prevents
 * deadlocks between merges.
 */
export async function lockPostsWithTag(db: Db, tagId: string): Promise<void> {
  await sql`SELECT FROM posts WHERE id IN (SELECT post_id FROM post_tag_links WHERE tag_id = ${tagId})
    ORDER BY id FOR SHARE`.execute(db)
}

/** Waits for transactions that are adding the tag to a post, and blocks new ones. */
export async function lockTag(db: Db, tagId: string): Promise<void> {
  await sql`SELECT FROM post_tags WHERE id = ${tagId} FOR UPDATE`.execute(db)
}

export interface MergeCounts {
  /** The number of posts with the merged tag, including drafts and posts in the trash. */
  posts: number
  /** The number of these posts that already have the other tag. */
  already: number
}

export async function countMergedPosts(db: Db, tagId: string, intoId: string): Promise<MergeCounts> {
  const { rows } = await sql<MergeCounts>`SELECT count(*)::integer AS posts,
      (count(*) FILTER (WHERE EXISTS (
        SELECT FROM post_tag_links other WHERE other.post_id = l.post_id AND other.tag_id = ${intoId})))::integer AS already
    FROM post_tag_links l WHERE l.tag_id = ${tagId}`.execute(db)
  return rows[0] ?? { posts: 0, already: 0 }
}

/** Database triggers count the new links and copy the visibility of the posts to them. */
export async function copyTagLinks(db: Db, tagId: string, intoId: string): Promise<void> {
  await sql`INSERT INTO post_tag_links (post_id, tag_id)
    SELECT post_id, ${intoId} FROM post_tag_links WHERE tag_id = ${tagId} ORDER BY post_id
    ON CONFLICT (post_id, tag_id) DO NOTHING`.execute(db)
}
