import { recordAudit } from '../../audit/record.ts'
import type { Context } from '../../context.ts'
import { AppError } from '../../lib/errors.ts'
import { looksLikeId } from '../../lib/ids.ts'
import { pageOf, paginationOf } from '../../lib/paging.ts'
import { assertUnchanged, changePost, type Writer } from './change-post.ts'
import { keepRevision } from './keep-revision.ts'
import { findFullPost, updatePost } from './queries.ts'
import { assertTogether, timeField } from './read-members.ts'
import { isOwnerOrAdmin, readingOf } from './readers.ts'
import type { Render } from './render.ts'
import { renderBody } from './render-body.ts'
import { countRevisions, findRevision, findRevisions, type RevisionRow } from './revision-queries.ts'
import { asOf } from './states.ts'

export async function listRevisions(
  ctx: Context,
  writer: Writer,
  postId: string,
  paging: { page?: number; limit?: number },
) {
  await assertOwn(ctx, writer, postId)
  const page = pageOf(paging)
  const total = await countRevisions(ctx.db, postId)
  return { revisions: await findRevisions(ctx.db, postId, page), pagination: paginationOf(page, total) }
}

export async function readRevision(ctx: Context, writer: Writer, postId: string, id: string): Promise<RevisionRow> {
  await assertOwn(ctx, writer, postId)
  return getRevision(ctx, postId, id)
}

/** What the post says now becomes a revision first: restoring loses nothing. Its state stays as it is. */
export async function restoreRevision(
  ctx: Context,
  render: Render,
  writer: Writer,
  { postId, id, expected }: { postId: string; id: string; expected: string | undefined },
): Promise<void> {
  await assertOwn(ctx, writer, postId)
  const expectedTime = expected ? timeField('expected_updated_at', expected) : undefined
  const { title, excerpt, ...source } = await getRevision(ctx, postId, id)
  const rendered = await renderBody(render, source)
  await changePost(ctx, writer, postId, async ({ change, user, post, now }) => {
    assertUnchanged(post, expectedTime)
    const said = { title, excerpt, ...rendered }
    assertTogether({ ...post, ...said }, {})
    await keepRevision(ctx, change.db, post, { userId: user.id, now })
    await updatePost(change.db, postId, { ...said, updated_at: now })
  })
}

async function getRevision({ db }: Context, postId: string, id: string): Promise<RevisionRow> {
  const revision = looksLikeId(id) ? await findRevision(db, postId, id) : undefined
  if (!revision) throw new AppError('NOT_FOUND')
  return revision
}

/** The drafts of a post are for those alone who may change it. */
async function assertOwn(ctx: Context, { view: { user }, device }: Writer, postId: string): Promise<void> {
  const found = await findFullPost(ctx.db, postId)
  if (!found || readingOf(asOf(found, new Date(ctx.clock.now())), user) === 'hidden') throw new AppError('NOT_FOUND')
  if (isOwnerOrAdmin(found, user)) return
  const details = { post_id: postId }
  await recordAudit(ctx, ctx.db, { event: 'authz_denied', outcome: 'failure', actor: user, device, details })
  throw new AppError('FORBIDDEN')
}
