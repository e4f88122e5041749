import type { Context } from '../../context.ts'
import { transact } from '../../db/transact.ts'
import { day } from '../../lib/time.ts'
import { giveUpImages } from './featured-image/give-up-images.ts'
import { purgePosts } from './queries.ts'

export async function purgeTrash(ctx: Context, limit: number): Promise<number> {
  const days = ctx.config.BLOG_TRASH_DAYS
  if (days === 0) return 0
  return transact(ctx, async (tx) => {
    const purged = await purgePosts(tx.db, new Date(ctx.clock.now() - days * day), limit)
    await giveUpImages(tx, purged)
    return purged.length
  })
}
