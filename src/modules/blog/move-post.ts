import { recordAudit } from '../../audit/record.ts'
import type { Context, Transaction } from '../../context.ts'
import { transact } from '../../db/transact.ts'
import { recordEvents } from '../../events/record.ts'
import { isAdmin } from '../../http/access/is-admin.ts'
import { AppError } from '../../lib/errors.ts'
import { assertUnchanged, type ExpectedVersion } from '../../lib/expected-version.ts'
import { day } from '../../lib/time.ts'
import { accessTo, isOwnerOrAdmin } from './access.ts'
import { changePost, type PostWriter, withLockedPost } from './change-post.ts'
import { moveEvents, postEvent } from './events.ts'
import { giveUpImages } from './featured-image/set-image.ts'
import { endPreviewLinksIfWithdrawn, endPreviewLinksOf } from './preview-links/change-links.ts'
import { type PostRow, purgePosts, removePost, trashUnpublishedOf, updatePost } from './queries.ts'
import { assertTogether, futureTime } from './read-members.ts'
import { freeSlug, takenSlugs } from './slugs.ts'
import { type PostState, permittedState, transitions } from './states.ts'

interface Move {
  next(post: PostRow, now: Date): PostState
  expected?: ExpectedVersion
}

export const publishPost = (ctx: Context, writer: PostWriter, id: string, expected: ExpectedVersion) =>
  move(ctx, writer, id, { next: transitions.publish, expected })

export const unpublishPost = (ctx: Context, writer: PostWriter, id: string) =>
  move(ctx, writer, id, { next: transitions.unpublish })

export function schedulePost(
  ctx: Context,
  writer: PostWriter,
  id: string,
  { at, expected }: { at: string; expected: ExpectedVersion },
): Promise<PostState> {
  const time = futureTime('scheduled_at', at, ctx.clock.now())
  return move(ctx, writer, id, { next: (post) => transitions.schedule(post, time), expected })
}

const move = (ctx: Context, writer: PostWriter, id: string, { next, expected }: Move): Promise<PostState> =>
  changePost(ctx, writer, id, async ({ tx, user, post, type, now }) => {
    assertUnchanged(post, expected)
    // `now` can be slightly in the future. A post published at `now` would not be visible yet.
    const wanted = next(post, ctx.clock.date())
    assertTogether({ ...post, ...wanted }, type)
    const after = permittedState(type, user, post, wanted)
    if (wanted === post) return after
    await endPreviewLinksIfWithdrawn(tx, post, after)
    await updatePost(tx.db, id, { ...after, updated_at: now })
    await recordEvents(tx, moveEvents(post, { ...post, ...after }))
    return after
  })

export const deletePost = (ctx: Context, writer: PostWriter, id: string, mode: 'trash' | 'force'): Promise<void> =>
  withLockedPost(ctx, writer, id, async ({ tx, user, post, types, now }) => {
    const isForced = mode === 'force' && isAdmin(user)
    if (!isForced && accessTo(post, user, types) === 'hidden') throw new AppError('NOT_FOUND')
    if (!isOwnerOrAdmin(post, user) || (mode === 'force' && !isForced)) throw new AppError('FORBIDDEN')
    // For a post in the trash, the event was recorded when the post was moved there.
    if (!post.deleted_at) await recordEvents(tx, [postEvent('post.deleted', post)])
    if (!isForced) {
      await endPreviewLinksOf(tx, id)
      return void (await updatePost(tx.db, id, { deleted_at: now, deleted_by: user.id, updated_at: now }))
    }
    await removePost(tx.db, id)
    await giveUpImages(tx, [post])
    const details = { post_id: id, slug: post.slug }
    await recordAudit(tx, { event: 'post_purged', actor: user, device: writer.device, details })
  })

/**
 * Moves a user's drafts to the trash, and scheduled posts, which would otherwise be published. Called when someone else
 * may have written them.
 */
export async function trashUnpublished(tx: Transaction, userId: string): Promise<void> {
  for (const post of await trashUnpublishedOf(tx.db, tx.postTypeProvider.columns(), userId, tx.clock.date())) {
    await endPreviewLinksOf(tx, post.id)
    await recordEvents(tx, [postEvent('post.deleted', post)])
  }
}

/** Restores a post as a draft. If its slug has been taken, the post gets an unused one. */
export const restorePost = (ctx: Context, writer: PostWriter, id: string): Promise<void> =>
  withLockedPost(ctx, writer, id, async ({ tx, user, post, now }) => {
    if (!post.deleted_at) throw new AppError('NOT_DELETED')
    const slug = freeSlug(post.slug, await takenSlugs(tx, post.lang, post.slug))
    const undeleted = { deleted_at: null, deleted_by: null, status: 'draft', scheduled_at: null } as const
    await updatePost(tx.db, id, { ...undeleted, slug, updated_at: now })
    await recordEvents(tx, [postEvent('post.restored', { ...post, ...undeleted, slug })])
    const details = { post_id: id, slug }
    await recordAudit(tx, { event: 'post_restored', actor: user, device: writer.device, details })
  })

export async function purgeTrash(ctx: Context, limit: number): Promise<number> {
  const days = ctx.config.BLOG_TRASH_DAYS
  if (days === 0) return 0
  return transact(ctx, async (tx) => {
    const purged = await purgePosts(tx.db, new Date(ctx.clock.now() - days * day), limit)
    await giveUpImages(tx, purged)
    return purged.length
  })
}
