import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { Db, Tables } from '../../../db/tables.ts'
import type { PageRequest } from '../../../lib/paging.ts'

export type CommentRow = Selectable<Tables['post_comments']>

export interface FullComment extends Omit<CommentRow, 'depth'> {
  author: { id: string; name: string; display_name: string | null; picture: string } | null
  replies_count: number
}

/** Moderators see every comment. Other users see approved comments and their own pending comments. */
export interface CommentViewer {
  readerId: string | undefined
  isModerator: boolean
}

const seenBy = ({ readerId, isModerator }: CommentViewer, table: 'c' | 'r') => {
  if (isModerator) return sql<boolean>`true`
  const [status, userId] = [sql.ref(`${table}.status`), sql.ref(`${table}.user_id`)]
  if (readerId === undefined) return sql<boolean>`${status} = 'approved'`
  return sql<boolean>`(${status} = 'approved' OR (${status} = 'pending' AND ${userId} = ${readerId}))`
}

const author = sql<FullComment['author']>`(SELECT json_build_object('id', u.id, 'name', u.name,
  'display_name', u.display_name, 'picture', u.picture) FROM users u WHERE u.id = c.user_id AND u.deleted_at IS NULL)`

const full = (db: Db, eyes: CommentViewer) =>
  db
    .selectFrom('post_comments as c')
    .select(['c.id', 'c.post_id', 'c.user_id', 'c.parent_id', 'c.comment_body', 'c.status', 'c.moderated_by'])
    .select(['c.moderated_at', 'c.moderation_reason', 'c.edited_at', 'c.deleted_at', 'c.created_at', 'c.updated_at'])
    .select(author.as('author'))
    .select(
      sql<number>`(SELECT count(*)::int FROM post_comments r WHERE r.parent_id = c.id AND ${seenBy(eyes, 'r')})`.as(
        'replies_count',
      ),
    )
    .where(seenBy(eyes, 'c'))

export interface CommentFilter {
  postId: string | undefined
  /** Null selects top-level comments. */
  parentId: string | null | undefined
  status: CommentRow['status'] | undefined
  /** Omits deleted comments, which remain only because they have replies. */
  onlyLive: boolean
}

const filtered = (db: Db, eyes: CommentViewer, { postId, parentId, status, onlyLive }: CommentFilter) => {
  let query = full(db, eyes)
  if (postId !== undefined) query = query.where('c.post_id', '=', postId)
  if (parentId !== undefined) query = query.where('c.parent_id', parentId === null ? 'is' : '=', parentId)
  if (status !== undefined) query = query.where('c.status', '=', status)
  return onlyLive ? query.where('c.deleted_at', 'is', null) : query
}

export const findComments = (
  db: Db,
  eyes: CommentViewer,
  filter: CommentFilter,
  { limit, offset, order }: PageRequest & { order: 'asc' | 'desc' },
): Promise<FullComment[]> =>
  filtered(db, eyes, filter).orderBy('c.created_at', order).orderBy('c.id', order).limit(limit).offset(offset).execute()

export async function countComments(db: Db, eyes: CommentViewer, filter: CommentFilter): Promise<number> {
  const row = await filtered(db, eyes, filter)
    .clearSelect()
    .select((build) => build.fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

export const findSeenComment = (db: Db, eyes: CommentViewer, id: string): Promise<FullComment | undefined> =>
  full(db, eyes).where('c.id', '=', id).executeTakeFirst()

const all = [
  ...['id', 'post_id', 'user_id', 'parent_id', 'depth', 'comment_body', 'status', 'moderated_by', 'moderated_at'],
  ...['moderation_reason', 'edited_at', 'deleted_at', 'created_at', 'updated_at'],
] as (keyof CommentRow)[]

export const findComment = (db: Db, id: string): Promise<CommentRow | undefined> =>
  db.selectFrom('post_comments').select(all).where('id', '=', id).executeTakeFirst() as Promise<CommentRow | undefined>

/** With `share`, other transactions can also take a `share` lock, but cannot change or delete the row. */
export const lockComment = (db: Db, id: string, mode: 'update' | 'share'): Promise<CommentRow | undefined> => {
  const query = db.selectFrom('post_comments').select(all).where('id', '=', id)
  return (mode === 'share' ? query.forShare() : query.forUpdate()).executeTakeFirst() as Promise<CommentRow | undefined>
}

export const insertComment = (db: Db, comment: Insertable<Tables['post_comments']>) =>
  db.insertInto('post_comments').values(comment).execute()

export const updateComment = (db: Db, id: string, changes: Updateable<Tables['post_comments']>) =>
  db.updateTable('post_comments').set(changes).where('id', '=', id).execute()

export const removeComment = (db: Db, id: string) => db.deleteFrom('post_comments').where('id', '=', id).execute()

export async function hasReplies(db: Db, id: string): Promise<boolean> {
  const row = await db.selectFrom('post_comments').select('id').where('parent_id', '=', id).limit(1).executeTakeFirst()
  return row !== undefined
}

export async function hasApprovedComment(db: Db, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom('post_comments')
    .select('id')
    .where('user_id', '=', userId)
    .where('status', '=', 'approved')
    .where('deleted_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

export const findCommentsOf = (db: Db, userId: string) =>
  db
    .selectFrom('post_comments')
    .select(['id', 'post_id', 'parent_id', 'comment_body', 'status', 'edited_at', 'created_at'])
    .where('user_id', '=', userId)
    .orderBy('id')
    .execute()
