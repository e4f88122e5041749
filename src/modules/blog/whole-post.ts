import type { Context } from '../../context.ts'
import { extrasOf } from './extras.ts'
import type { FullPost } from './queries.ts'
import type { PostReader } from './readers.ts'
import { shownPost } from './shapes.ts'
import { asOf } from './states.ts'

export const wholePost = async (ctx: Context, post: FullPost, reader: PostReader) => ({
  ...shownPost(ctx, await ctx.postTypeProvider.loadFresh(ctx.db), asOf(post, ctx.clock.date())),
  ...(await extrasOf(ctx, post.id, reader)),
})
