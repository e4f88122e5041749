import type { RawBuilder } from 'kysely'
import type { Db } from '../../../db/tables.ts'
import type { PageRequest } from '../../../lib/paging.ts'
import type { PostReader } from '../access.ts'
import { readableBy } from '../lists/readable-queries.ts'

/** If the post is already bookmarked, its position in the list does not change. */
export const addBookmark = (db: Db, postId: string, userId: string, at: Date) =>
  db
    .insertInto('post_bookmarks')
    .values({ post_id: postId, user_id: userId, bookmarked_at: at })
    .onConflict((conflict) => conflict.columns(['user_id', 'post_id']).doNothing())
    .execute()

export async function removeBookmark(db: Db, postId: string, userId: string): Promise<boolean> {
  const row = await db
    .deleteFrom('post_bookmarks')
    .where('post_id', '=', postId)
    .where('user_id', '=', userId)
    .returning('post_id')
    .executeTakeFirst()
  return row !== undefined
}

export const removeBookmarksOf = (db: Db, userId: string) =>
  db.deleteFrom('post_bookmarks').where('user_id', '=', userId).execute()

export interface BookmarkRow {
  post_id: string
  bookmarked_at: Date
  slug: string
  title: string
}

interface Readable {
  reader: NonNullable<PostReader>
  /** An SQL condition on the post `p`: the reader may read posts of its type. */
  types: RawBuilder<boolean>
  now: Date
}

const readable = (db: Db, { reader, types, now }: Readable) =>
  db
    .selectFrom('post_bookmarks as b')
    .innerJoin('posts as p', 'p.id', 'b.post_id')
    .where('b.user_id', '=', reader.id)
    .where(readableBy(reader, now))
    .where(types)

export const findBookmarks = (db: Db, whose: Readable, { limit, offset }: PageRequest): Promise<BookmarkRow[]> =>
  readable(db, whose)
    .select(['b.post_id', 'b.bookmarked_at', 'p.slug', 'p.title'])
    .orderBy('b.bookmarked_at', 'desc')
    .orderBy('b.post_id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()

export async function countBookmarks(db: Db, whose: Readable): Promise<number> {
  const row = await readable(db, whose)
    .select((build) => build.fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

export const findBookmarksOf = (db: Db, userId: string) =>
  db
    .selectFrom('post_bookmarks')
    .select(['post_id', 'bookmarked_at'])
    .where('user_id', '=', userId)
    .orderBy('bookmarked_at')
    .execute()
