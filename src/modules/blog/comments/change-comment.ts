import { recordAudit } from '../../../audit/record.ts'
import type { Context, Transaction, UserRow } from '../../../context.ts'
import type { Db } from '../../../db/tables.ts'
import { transact } from '../../../db/transact.ts'
import { recordEvents } from '../../../events/record.ts'
import { AppError } from '../../../lib/errors.ts'
import { assertUnchanged, type ExpectedVersion, laterThan } from '../../../lib/expected-version.ts'
import { lockCaller } from '../../../sessions/authenticate.ts'
import { isOwner, type PostReader } from '../access.ts'
import { type PostWriter, tracingDenials } from '../change-post.ts'
import { commentEvent } from '../events.ts'
import { findPostStanding } from '../queries.ts'
import { loadReadablePost, type ReadPostInput } from '../read-post.ts'
import { commentText } from './add-comment.ts'
import {
  type CommentRow,
  findComment,
  hasApprovedComment,
  hasReplies,
  lockComment,
  removeComment,
  updateComment,
} from './queries.ts'
import { commentViewerOf, initialStatus, isModerator, isSeenBy } from './rules.ts'

export async function changeComment(
  ctx: Context,
  writer: PostWriter,
  reading: ReadPostInput,
  { id, ...input }: { id: string; comment_body: string },
): Promise<CommentRow['status']> {
  const comment_body = commentText(input.comment_body)
  await assertSeen(ctx, reading, await getComment(ctx.db, id))
  return withLockedComment(ctx, writer, id, async ({ tx, user, comment, now }) => {
    const isAuthor = comment.user_id === user.id
    if (!isModerator(ctx.config, user)) {
      if (!isSeenBy(comment, commentViewerOf(ctx.config, user))) throw new AppError('NOT_FOUND')
      if (!isAuthor) throw new AppError('FORBIDDEN')
      const closes = comment.created_at.getTime() + ctx.config.COMMENTS_EDIT_WINDOW
      if (closes <= now.getTime()) throw new AppError('EDIT_WINDOW_CLOSED')
    }
    const status = await statusAfterEdit(tx, comment, user)
    await updateComment(tx.db, id, { comment_body, status, edited_at: now, updated_at: now })
    if (status !== comment.status) await recordEvents(tx, [commentEvent('comment.moderated', { ...comment, status })])
    if (!isAuthor) await traceModeration(tx, writer, comment, { changed: ['comment_body'] })
    return status
  })
}

export async function deleteComment(
  ctx: Context,
  writer: PostWriter,
  reading: ReadPostInput,
  id: string,
): Promise<void> {
  const found = await getComment(ctx.db, id)
  const { user } = writer.view
  if (found.user_id !== user.id && !(await ownsPostOf(ctx.db, found, user))) await assertSeen(ctx, reading, found)
  await withLockedComment(ctx, writer, id, async ({ tx, user, comment, now }) => {
    const isAuthor = comment.user_id === user.id
    const may = isAuthor || isModerator(ctx.config, user) || (await ownsPostOf(tx.db, comment, user))
    if (!may) throw new AppError('FORBIDDEN')
    await removeOrClear(tx.db, comment, now)
    await recordEvents(tx, [commentEvent('comment.deleted', comment)])
    if (!isAuthor) await traceModeration(tx, writer, comment, { deleted: true })
  })
}

export interface Moderation {
  status: CommentRow['status']
  reason: string | undefined
  /** The version that the moderator has read. */
  expected: ExpectedVersion
}

export const moderateComment = (
  ctx: Context,
  writer: PostWriter,
  id: string,
  { status, reason, expected }: Moderation,
): Promise<void> =>
  withLockedComment(ctx, writer, id, async ({ tx, user, comment, now }) => {
    if (!isModerator(ctx.config, user)) throw new AppError('FORBIDDEN')
    assertUnchanged(comment, expected)
    const moderated = { moderated_by: user.id, moderated_at: now, moderation_reason: reason || null }
    await updateComment(tx.db, id, { status, ...moderated, updated_at: now })
    await recordEvents(tx, [commentEvent('comment.moderated', { ...comment, status })])
    await traceModeration(tx, writer, comment, { status })
  })

interface LockedComment {
  tx: Transaction
  user: UserRow
  comment: CommentRow
  now: Date
}

const withLockedComment = <Result>(
  ctx: Context,
  writer: PostWriter,
  id: string,
  work: (locked: LockedComment) => Promise<Result>,
): Promise<Result> =>
  tracingDenials(ctx, writer, { comment_id: id }, () =>
    transact(ctx, async (tx) => {
      const user = await lockCaller(tx, writer.view)
      const comment = await lockComment(tx.db, id, 'update')
      if (!comment || comment.deleted_at) throw new AppError('NOT_FOUND')
      return work({ tx, user, comment, now: laterThan(comment, ctx.clock.date()) })
    }),
  )

async function getComment(db: Db, id: string): Promise<CommentRow> {
  const comment = await findComment(db, id)
  if (!comment || comment.deleted_at) throw new AppError('NOT_FOUND')
  return comment
}

/** Call this before taking any lock because the check may compare a password, which is slow. */
async function assertSeen(ctx: Context, reading: ReadPostInput, comment: CommentRow): Promise<void> {
  if (isModerator(ctx.config, reading.reader)) return
  await loadReadablePost(ctx, comment.post_id, reading)
  if (!isSeenBy(comment, commentViewerOf(ctx.config, reading.reader))) throw new AppError('NOT_FOUND')
}

async function ownsPostOf(db: Db, { post_id }: CommentRow, user: PostReader): Promise<boolean> {
  const post = await findPostStanding(db, [], post_id)
  return post !== undefined && !post.deleted_at && isOwner(post, user)
}

/** An edited comment needs approval like a new one. A comment that a moderator set to pending stays pending. */
async function statusAfterEdit(ctx: Context, comment: CommentRow, user: UserRow): Promise<CommentRow['status']> {
  if (isModerator(ctx.config, user)) return comment.status
  if (comment.status === 'pending' && comment.moderated_at) return 'pending'
  const post = await findPostStanding(ctx.db, [], comment.post_id)
  const isTrusted = post !== undefined && isOwner(post, user)
  return initialStatus(ctx.config, { isTrusted, hasApproved: await hasApprovedComment(ctx.db, user.id) })
}

/** A comment with replies keeps its row, without author and text, until the last reply is deleted. */
async function removeOrClear(db: Db, { id, parent_id }: CommentRow, now: Date): Promise<void> {
  if (await hasReplies(db, id)) {
    await updateComment(db, id, { comment_body: '', user_id: null, deleted_at: now, updated_at: now })
    return
  }
  await removeComment(db, id)
  const parent = parent_id === null ? undefined : await lockComment(db, parent_id, 'update')
  if (parent?.deleted_at && !(await hasReplies(db, parent.id))) await removeOrClear(db, parent, now)
}

function traceModeration(
  tx: Transaction,
  { view, device }: PostWriter,
  { id, post_id, user_id }: CommentRow,
  what: Record<string, unknown>,
): Promise<void> {
  const details = { comment_id: id, post_id, ...what }
  return recordAudit(tx, {
    event: 'comment_moderated',
    actor: view.user,
    device,
    details,
    target: user_id ?? undefined,
  })
}
