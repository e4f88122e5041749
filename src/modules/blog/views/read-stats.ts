import type { Context } from '../../../context.ts'
import { iso } from '../../../lib/time.ts'
import { isOwnerOrAdmin } from '../access.ts'
import { hasExtension } from '../components.ts'
import { findCounts } from '../reactions/queries.ts'
import { loadReadablePost, type ReadPostInput } from '../read-post.ts'
import { extrasOf } from '../shapes.ts'
import { dayOf } from './day-key.ts'
import { findDays, findLastView } from './queries.ts'

const statsDays = 30

export async function readStats(ctx: Context, reading: ReadPostInput, id: string) {
  const post = await loadReadablePost(ctx, id, reading)
  const { counts } = await extrasOf(ctx, id, undefined)
  const last = await findLastView(ctx.db, id)
  const isOwn = isOwnerOrAdmin(post, reading.reader)
  return {
    post_id: id,
    ...counts,
    ...(hasExtension(ctx, 'ext-reactions') && { reactions: await countReactions(ctx, id) }),
    last_viewed_at: last && iso(last),
    ...(isOwn && { daily: await findDays(ctx.db, id, dayOf(ctx.clock.now()), statsDays) }),
  }
}

async function countReactions({ db }: Context, id: string): Promise<Record<string, number>> {
  const rows = await findCounts(db, id)
  return Object.fromEntries(rows.map(({ reaction, count }) => [reaction, count]))
}
