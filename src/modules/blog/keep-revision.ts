import { isDeepStrictEqual } from 'node:util'
import type { Context } from '../../context.ts'
import { newId } from '../../lib/ids.ts'
import type { PostRow } from './queries.ts'
import { findNewestRevision, insertRevision, removeOldRevisions } from './revision-queries.ts'

type RevisedColumns = Pick<PostRow, 'id' | 'title' | 'body' | 'body_format' | 'excerpt' | 'custom_fields'>

interface RevisionAuthor {
  userId: string | null
  now: Date
}

/** If the post was changed while revisions were disabled, its current content is stored first. */
export async function keepChange(
  ctx: Context,
  { before, after }: { before: RevisedColumns & Pick<PostRow, 'updated_at'>; after: RevisedColumns },
  by: RevisionAuthor,
): Promise<void> {
  if (ctx.config.BLOG_REVISIONS_MAX === 0 || !saysElse(before, after)) return
  const newest = await findNewestRevision(ctx.db, before.id)
  if (!newest || saysElse({ ...newest, custom_fields: newest.fields }, before))
    await keepRevision(ctx, before, { ...by, now: before.updated_at })
  await keepRevision(ctx, after, by)
}

const said = ['title', 'body', 'body_format', 'excerpt'] as const
const saysElse = (one: Omit<RevisedColumns, 'id'>, other: Omit<RevisedColumns, 'id'>): boolean =>
  said.some((name) => one[name] !== other[name]) ||
  !isDeepStrictEqual(one.custom_fields ?? {}, other.custom_fields ?? {})

export async function keepRevision(
  { config, db }: Context,
  { id, title, body, body_format, excerpt, custom_fields }: RevisedColumns,
  { userId, now }: RevisionAuthor,
): Promise<void> {
  const kept = config.BLOG_REVISIONS_MAX
  if (kept === 0) return
  await insertRevision(db, {
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
  await removeOldRevisions(db, id, kept)
}
