import { isDeepStrictEqual } from 'node:util'
import type { Context } from '../../context.ts'
import { recordEvents } from '../../events/record.ts'
import { AppError } from '../../lib/errors.ts'
import { assertUnchanged } from '../../lib/expected-version.ts'
import { looksLikeId } from '../../lib/ids.ts'
import { pageOf, paginationOf } from '../../lib/paging.ts'
import { changePost, getEditablePost, type PostWriter } from './change-post.ts'
import { postEvent } from './events.ts'
import { type PostRow, updatePost } from './queries.ts'
import { assertTogether, readExpected } from './read-members.ts'
import type { RenderText } from './render.ts'
import { renderBody } from './render.ts'
import { requireApprovalAgain } from './require-approval.ts'
import {
  countRevisions,
  findNewestRevision,
  findRevision,
  findRevisions,
  keepRevision,
  type RevisedColumns,
  type RevisionAuthor,
  type RevisionRow,
} from './revision-queries.ts'
import { assertAllowedByType } from './type-rules.ts'

export async function listRevisions(
  ctx: Context,
  writer: PostWriter,
  postId: string,
  paging: { page?: number; limit?: number },
) {
  await getEditablePost(ctx, writer, postId, await ctx.postTypeProvider.loadFresh(ctx.db))
  const page = pageOf(paging)
  const total = await countRevisions(ctx.db, postId)
  return { revisions: await findRevisions(ctx.db, postId, page), pagination: paginationOf(page, total) }
}

/** Fields are shown as defined by the post's current type. */
export async function readRevision(ctx: Context, writer: PostWriter, postId: string, id: string): Promise<RevisionRow> {
  const types = await ctx.postTypeProvider.loadFresh(ctx.db)
  const post = await getEditablePost(ctx, writer, postId, types)
  const revision = await getRevision(ctx, postId, id)
  return { ...revision, fields: types.typeOf(post).shownFields(revision.fields) }
}

/** The previous content remains available as a revision. */
export async function restoreRevision(
  ctx: Context,
  render: RenderText,
  writer: PostWriter,
  { postId, id, expected }: { postId: string; id: string; expected: string | undefined },
): Promise<void> {
  const expectedVersion = readExpected(expected)
  await getEditablePost(ctx, writer, postId, await ctx.postTypeProvider.loadFresh(ctx.db))
  const { title, excerpt, fields, ...source } = await getRevision(ctx, postId, id)
  const rendered = await renderBody(render, source)
  await changePost(ctx, writer, postId, async (locked) => {
    const { tx, user, post, type, now } = locked
    assertUnchanged(post, expectedVersion)
    const said = { title, excerpt, ...rendered, ...(post.custom_fields && { custom_fields: fields }) }
    if (said.body_format !== post.body_format) assertAllowedByType(type, { ...post, ...said })
    assertTogether({ ...post, ...said }, type)
    await updatePost(tx.db, postId, { ...said, updated_at: now })
    await recordEvents(tx, [postEvent('post.updated', post)])
    await requireApprovalAgain(locked)
    await keepChange(tx, { before: post, after: { ...post, ...said } }, { userId: user.id, now })
  })
}

async function getRevision({ db }: Context, postId: string, id: string): Promise<RevisionRow> {
  const revision = looksLikeId(id) ? await findRevision(db, postId, id) : undefined
  if (!revision) throw new AppError('NOT_FOUND')
  return revision
}

/** First stores the previous content if revisions were disabled when that content was saved. */
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
