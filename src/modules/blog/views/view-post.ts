import type { Context } from '../../../context.ts'
import { isBot } from '../../../http/access/device.ts'
import { addressKey } from '../../../lib/address.ts'
import { keyedHash } from '../../../lib/hash.ts'
import { isOwner } from '../access.ts'
import { loadReadablePost, type ReadPostInput } from '../read-post.ts'
import { dayKey, dayOf } from './day-key.ts'
import { countView } from './queries.ts'

export async function viewPost(ctx: Context, reading: ReadPostInput, id: string) {
  const post = await loadReadablePost(ctx, id, reading)
  const counts = post.status === 'published' && post.type.features.views && !isOwner(post, reading.reader)
  const counted = counts && !isBot(reading.device.userAgent) && (await countFor(ctx, reading, id))
  return { post_id: id, counted }
}

async function countFor(ctx: Context, { reader, device }: ReadPostInput, postId: string): Promise<boolean> {
  const now = ctx.clock.now()
  const today = dayOf(now)
  const who = reader ? `user ${reader.id}` : `${addressKey(device.address)} ${device.userAgent}`
  // The hash includes the post id so that a viewer cannot be tracked across posts, even on the same day.
  const viewer = keyedHash(await dayKey(ctx, today), 'view', `${postId} ${who}`)
  return countView(ctx.db, { postId, viewer, day: today, at: new Date(now) })
}
