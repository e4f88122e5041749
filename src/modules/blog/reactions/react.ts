import type { Context } from '../../../context.ts'
import { transact } from '../../../db/transact.ts'
import { AppError, invalidField } from '../../../lib/errors.ts'
import { newId } from '../../../lib/ids.ts'
import { lockCaller } from '../../../sessions/authenticate.ts'
import type { PostWriter } from '../change-post.ts'
import { loadReadablePost, type ReadPostInput } from '../read-post.ts'
import { findCounts, findReaction, putReaction, removeReaction } from './queries.ts'

export async function readReactions(ctx: Context, reading: ReadPostInput, postId: string) {
  await loadReadablePost(ctx, postId, reading)
  const rows = await findCounts(ctx.db, postId)
  return {
    post_id: postId,
    total: rows.reduce((sum, { count }) => sum + count, 0),
    counts: Object.fromEntries(rows.map(({ reaction, count }) => [reaction, count])),
    mine: reading.reader ? await findReaction(ctx.db, postId, reading.reader.id) : null,
  }
}

/** Repeating a reaction removes it. Concurrent requests from the same user are serialized. */
export async function react(
  ctx: Context,
  { view }: PostWriter,
  reading: ReadPostInput,
  { postId, reaction }: { postId: string; reaction: string },
): Promise<{ post_id: string; reaction: string; active: boolean }> {
  const types = ctx.config.REACTION_TYPES
  if (!types.includes(reaction)) throw invalidField('reaction', `must be one of ${types.join(', ')}`)
  const post = await loadReadablePost(ctx, postId, reading)
  return transact(ctx, async (tx) => {
    const { id: userId } = await lockCaller(tx, view)
    const isSame = (await findReaction(tx.db, postId, userId)) === reaction
    if (isSame) await removeReaction(tx.db, postId, userId)
    else {
      if (!post.reactions_enabled || !post.type.features.reactions) throw new AppError('REACTIONS_DISABLED')
      await putReaction(tx.db, { id: newId(), postId, userId, reaction, at: ctx.clock.date() })
    }
    return { post_id: postId, reaction, active: !isSame }
  })
}

export async function takeReactionBack(ctx: Context, { view }: PostWriter, reading: ReadPostInput, postId: string) {
  await loadReadablePost(ctx, postId, reading)
  return transact(ctx, async (tx) => {
    const { id } = await lockCaller(tx, view)
    await removeReaction(tx.db, postId, id)
    return { post_id: postId, reaction: null, active: false as const }
  })
}
