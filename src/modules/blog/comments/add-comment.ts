import type { Context } from '../../../context.ts'
import type { Db } from '../../../db/tables.ts'
import { transact } from '../../../db/transact.ts'
import { recordEvents } from '../../../events/record.ts'
import { AppError, invalidField } from '../../../lib/errors.ts'
import { looksLikeId, newId } from '../../../lib/ids.ts'
import { lockCaller } from '../../../sessions/authenticate.ts'
import { isOwner } from '../access.ts'
import type { PostWriter } from '../change-post.ts'
import { commentEvent } from '../events.ts'
import { textField } from '../read-members.ts'
import { loadReadablePost, type ReadPostInput } from '../read-post.ts'
import {
  type CommentRow,
  type CommentViewer,
  type FullComment,
  findSeenComment,
  hasApprovedComment,
  insertComment,
  lockComment,
} from './queries.ts'
import { commentViewerOf, initialStatus, isSeenBy, placeUnder } from './rules.ts'

interface NewComment {
  postId: string
  comment_body: string
  parent_id?: string
}

export async function addComment(
  ctx: Context,
  { view }: PostWriter,
  reading: ReadPostInput,
  { postId, ...input }: NewComment,
): Promise<FullComment> {
  const comment_body = commentText(input.comment_body)
  const post = await loadReadablePost(ctx, postId, reading)
  const isOpen = ctx.config.COMMENTS_ENABLED && post.comments_enabled && post.type.features.comments
  if (!isOpen) throw new AppError('COMMENTS_DISABLED')
  if (post.status !== 'published') throw new AppError('POST_NOT_PUBLISHED')
  return transact(ctx, async (tx) => {
    const { db } = tx
    const user = await lockCaller(tx, view)
    const eyes = commentViewerOf(ctx.config, user)
    const parent = input.parent_id ? await lockParent(db, postId, input.parent_id, eyes) : undefined
    const isTrusted = eyes.isModerator || isOwner(post, user)
    const status = initialStatus(ctx.config, { isTrusted, hasApproved: await hasApprovedComment(db, user.id) })
    const now = ctx.clock.date()
    const comment = { ...placeUnder(parent), id: newId(), post_id: postId, user_id: user.id, comment_body, status }
    await insertComment(db, { ...comment, created_at: now, updated_at: now })
    await recordEvents(tx, [commentEvent('comment.created', comment)])
    const added = await findSeenComment(db, eyes, comment.id)
    if (!added) throw new AppError('NOT_FOUND')
    return added
  })
}

const maxCommentLength = 5000

export function commentText(input: string): string {
  const text = textField('comment_body', input, maxCommentLength)
  if (text === '') throw invalidField('comment_body', 'must not be empty')
  return text
}

/** Locks the parent so that it is not deleted while the reply is added. */
async function lockParent(db: Db, postId: string, id: string, eyes: CommentViewer): Promise<CommentRow> {
  const parent = looksLikeId(id) ? await lockComment(db, id, 'share') : undefined
  if (!parent || parent.post_id !== postId || parent.deleted_at || !isSeenBy(parent, eyes))
    throw invalidField('parent_id', 'must be the id of a comment on this post')
  const place = placeUnder(parent)
  if (place.parent_id !== null && place.parent_id !== id) await lockComment(db, place.parent_id, 'share')
  return parent
}
