import { recordAudit } from '../../../audit/record.ts'
import type { Context } from '../../../context.ts'
import type { RequestDevice } from '../../../http/access/device.ts'
import { AppError } from '../../../lib/errors.ts'
import { iso } from '../../../lib/time.ts'
import { findBlock } from '../../../users/block-queries.ts'
import { findUser } from '../../../users/queries.ts'
import { writers } from '../access.ts'
import { type FullPost, findFullPost } from '../queries.ts'
import { postLanguageField } from '../read-members.ts'
import { inLanguage, type ReadPost, typesOf } from '../read-post.ts'
import { effectiveState } from '../states.ts'
import { findPreviewLink } from './queries.ts'
import { looksLikePreviewToken, previewTokenHash } from './token.ts'

interface PreviewInput {
  previewToken: string
  lang: string | undefined
  device: RequestDevice
}

/**
 * The token grants access to one post, regardless of its status, visibility and type. The post is read on each request,
 * so a deleted post is not found.
 */
export async function readPreview(
  ctx: Context,
  { previewToken, lang: wanted, device }: PreviewInput,
): Promise<Omit<ReadPost, 'redirectedFrom'> & { expiresAt: string }> {
  const lang = wanted === undefined ? undefined : postLanguageField('lang', wanted)
  const link = looksLikePreviewToken(previewToken)
    ? await findPreviewLink(ctx.db, previewTokenHash(previewToken))
    : undefined
  if (!link) return reject(ctx, 'NOT_FOUND', device)
  if (link.expires_at.getTime() <= ctx.clock.now()) return reject(ctx, 'PREVIEW_LINK_EXPIRED', device)
  const found = await findFullPost(ctx.db, ctx.postTypeProvider.columns(), link.post_id)
  if (!found || found.deleted_at || !(await mayBeShown(ctx, found))) return reject(ctx, 'NOT_FOUND', device)
  const post = effectiveState(found, ctx.clock.date())
  return {
    ...(await inLanguage(ctx, post, lang ?? post.lang)),
    types: await typesOf(ctx),
    expiresAt: iso(link.expires_at),
  }
}

/** A link does not work while the post's author is blocked, is deleted or may not write. A post may have no author. */
async function mayBeShown(ctx: Context, { user_id: authorId }: Pick<FullPost, 'user_id'>): Promise<boolean> {
  if (authorId === null) return true
  const author = await findUser(ctx, authorId)
  if (!author || !writers(ctx.config).roles?.includes(author.user_type)) return false
  return (await findBlock(ctx.db, authorId, ctx.clock.date())) === undefined
}

async function reject(ctx: Context, code: 'NOT_FOUND' | 'PREVIEW_LINK_EXPIRED', device: RequestDevice): Promise<never> {
  const details = { reason: 'post_preview' }
  await recordAudit(ctx, { event: 'token_rejected', outcome: 'failure', device, details })
  throw new AppError(code)
}
