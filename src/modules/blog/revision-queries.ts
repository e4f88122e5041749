import type { Selectable } from 'kysely'
import type { Context } from '../../context.ts'
import type { Db, Tables } from '../../db/tables.ts'
import { newId } from '../../lib/ids.ts'
import type { PageRequest } from '../../lib/paging.ts'
import type { PostRow } from './queries.ts'

export type RevisionRow = Selectable<Tables['post_revisions']>

const shown = ['id', 'post_id', 'user_id', 'title', 'excerpt', 'created_at'] as const

export type RevisedColumns = Pick<PostRow, 'id' | 'title' | 'body' | 'body_format' | 'excerpt' | 'custom_fields'>

export interface RevisionAuthor {
  userId: string | null
  now: Date
}

/** Stores the post's content as its newest revision, and deletes the oldest revisions above the limit. */
export async function keepRevision(
  { config, db }: Context,
  { id, title, body, body_format, excerpt, custom_fields }: RevisedColumns,
  { userId, now }: RevisionAuthor,
): Promise<void> {
  const kept = config.BLOG_REVISIONS_MAX
  if (kept === 0) return
  await db
    .insertInto('post_revisions')
    .values({
      id: newId(),
      post_id: id,
      user_id: userId,
      title,
      body,
      body_format,
      excerpt,
      fields: custom_fields,
      created_at: now,
    })
    .execute()
  await removeOldRevisions(db, id, kept)
}

const removeOldRevisions = (db: Db, postId: string, kept: number) =>
  db
    .deleteFrom('post_revisions')
    .where('id', 'in', (inner) =>
      inner
        .selectFrom('post_revisions')
        .select('id')
        .where('post_id', '=', postId)
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .offset(kept),
    )
    .execute()

export async function countRevisions(db: Db, postId: string): Promise<number> {
  const row = await db
    .selectFrom('post_revisions')
    .select((build) => build.fn.countAll<string>().as('count'))
    .where('post_id', '=', postId)
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

export const findRevisions = (db: Db, postId: string, { limit, offset }: PageRequest) =>
  db
    .selectFrom('post_revisions')
    .select(shown)
    .where('post_id', '=', postId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()

export const findNewestRevision = (db: Db, postId: string) =>
  db
    .selectFrom('post_revisions')
    .select(['title', 'body', 'body_format', 'excerpt', 'fields'])
    .where('post_id', '=', postId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()

export const findRevision = (db: Db, postId: string, id: string): Promise<RevisionRow | undefined> =>
  db
    .selectFrom('post_revisions')
    .select([...shown, 'body', 'body_format', 'fields'])
    .where('post_id', '=', postId)
    .where('id', '=', id)
    .executeTakeFirst()
