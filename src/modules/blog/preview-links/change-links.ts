import { recordAudit } from '../../../audit/record.ts'
import type { Context, Transaction } from '../../../context.ts'
import { AppError } from '../../../lib/errors.ts'
import { newId } from '../../../lib/ids.ts'
import { day } from '../../../lib/time.ts'
import { changePost, getEditablePost, type PostWriter } from '../change-post.ts'
import { hasExtension } from '../components.ts'
import type { PostRow } from '../queries.ts'
import { effectiveState } from '../states.ts'
import {
  deleteAllPreviewLinks,
  deleteExpiredPreviewLinks,
  deletePreviewLinks,
  findValidPreviewLinks,
  insertPreviewLink,
  type PreviewLinkView,
} from './queries.ts'
import { newPreviewToken, previewTokenHash } from './token.ts'

export const previewLinkDays = 7

/** The maximum number of valid links per post. */
export const maxPreviewLinks = 20

/** The token is returned only here. */
export const createPreviewLink = (
  ctx: Context,
  writer: PostWriter,
  postId: string,
): Promise<PreviewLinkView & { previewToken: string }> =>
  changePost(ctx, writer, postId, async ({ tx, user, post }) => {
    if (post.status === 'published') throw new AppError('POST_ALREADY_PUBLISHED')
    const created_at = ctx.clock.date()
    if ((await findValidPreviewLinks(tx.db, postId, created_at)).length >= maxPreviewLinks)
      throw new AppError('TOO_MANY_PREVIEW_LINKS')
    const previewToken = newPreviewToken()
    const link = { id: newId(), created_at, expires_at: new Date(created_at.getTime() + previewLinkDays * day) }
    await insertPreviewLink(tx.db, { ...link, post_id: postId, token_hash: previewTokenHash(previewToken) })
    const details = { post_id: postId, link_id: link.id }
    await recordAudit(tx, { event: 'preview_link_created', actor: user, device: writer.device, details })
    return { ...link, previewToken }
  })

export async function listPreviewLinks(ctx: Context, writer: PostWriter, postId: string): Promise<PreviewLinkView[]> {
  await getEditablePost(ctx, writer, postId, await ctx.postTypeProvider.loadFresh(ctx.db))
  return findValidPreviewLinks(ctx.db, postId, ctx.clock.date())
}

export const revokePreviewLinks = (ctx: Context, writer: PostWriter, postId: string): Promise<number> =>
  changePost(ctx, writer, postId, async ({ tx, user }) => {
    const revoked = await deletePreviewLinks(tx.db, postId, ctx.clock.date())
    const details = { post_id: postId, revoked }
    if (revoked > 0)
      await recordAudit(tx, { event: 'preview_links_revoked', actor: user, device: writer.device, details })
    return revoked
  })

/** Call this when a post is unpublished or moved to the trash so that old links do not work again later. */
export async function endPreviewLinksOf(tx: Transaction, postId: string): Promise<void> {
  if (hasExtension(tx, 'ext-preview-links')) await deletePreviewLinks(tx.db, postId, tx.clock.date())
}

/** A post that is withdrawn from the public must not stay readable through an earlier link. */
export async function endPreviewLinksIfWithdrawn(
  tx: Transaction,
  before: Pick<PostRow, 'id' | 'status' | 'published_at' | 'scheduled_at'>,
  after: Pick<PostRow, 'status'>,
): Promise<void> {
  const { status } = effectiveState(before, tx.clock.date())
  if (status === 'published' && after.status !== 'published') await endPreviewLinksOf(tx, before.id)
}

/** When a backup is restored, a link that was revoked after the backup was made must not become valid again. */
export const endAllPreviewLinks = async (ctx: Context): Promise<number> =>
  hasExtension(ctx, 'ext-preview-links') ? deleteAllPreviewLinks(ctx.db, ctx.clock.date()) : 0

/** Expired links are kept for this time, so that their holders learn that the links have expired. */
const retentionDays = 30

export const previewLinkCleanupJobs = {
  preview_links: async (ctx: Context): Promise<number> =>
    hasExtension(ctx, 'ext-preview-links')
      ? deleteExpiredPreviewLinks(ctx.db, new Date(ctx.clock.now() - retentionDays * day), 1_000)
      : 0,
}
