import { recordAll } from '../../../audit/record.ts'
import type { Context } from '../../../context.ts'
import { transact } from '../../../db/transact.ts'
import { recordEvents } from '../../../events/record.ts'
import { iso } from '../../../lib/time.ts'
import { postEvent } from '../events.ts'
import { type PostRow, updatePost } from '../queries.ts'
import { effectiveState } from '../states.ts'
import { type DuePost, takeDue } from './queries.ts'

/** Limits the number of posts per transaction to keep transactions short. */
const batch = 500

/** Several nodes may run this concurrently. Returns the number of posts that this node has published. */
export async function publishDue(ctx: Context): Promise<number> {
  for (let total = 0; ; ) {
    const count = await publishBatch(ctx)
    total += count
    if (count < batch) return total
  }
}

const publishBatch = (ctx: Context): Promise<number> =>
  transact(ctx, async (tx) => {
    const posts = await takeDue(tx.db, ctx.postTypeProvider.columns(), ctx.clock.date(), batch)
    await recordPublished(tx, posts)
    return posts.length
  })

/** Publishes the locked post if it is due, so that the caller changes a published post and the job skips the post. */
export async function publishIfDue(ctx: Context, found: PostRow): Promise<PostRow> {
  const post = effectiveState(found, ctx.clock.date())
  if (post === found || post.deleted_at || !post.published_at) return post
  const { id, slug, lang, status, published_at, scheduled_at, post_type } = post
  await updatePost(ctx.db, id, { status, published_at, scheduled_at })
  await recordPublished(ctx, [{ id, slug, lang, published_at, ...(post_type && { post_type }) }])
  return post
}

/** The event has no actor, because it is triggered by the schedule. */
async function recordPublished(ctx: Context, posts: readonly DuePost[]): Promise<void> {
  await recordAll(
    ctx,
    posts.map(({ id, slug, lang, published_at }) => ({
      event: 'post_published',
      details: { post_id: id, slug, lang, published_at: iso(published_at) },
    })),
  )
  await recordEvents(
    ctx,
    posts.map((post) => postEvent('post.published', { ...post, status: 'published' })),
  )
}
