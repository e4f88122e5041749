import type { Context } from '../../../context.ts'
import { visitor } from '../../../http/access.ts'
import type { Routes } from '../../../http/create-server.ts'
import { envelope } from '../../../http/envelope.ts'
import { base } from '../paths.ts'
import { listMetaOf } from '../shapes.ts'
import { listPosts } from './list-posts.ts'
import { ListPostsRoute } from './schemas.ts'

export const listRoutes =
  (ctx: Context): Routes =>
  (http) => {
    const read = { access: visitor, limit: 'read', module: 'blog' } as const
    http.get(base, { schema: ListPostsRoute, config: read }, async (request) => {
      const { posts, pagination } = await listPosts(ctx, request.auth?.user, request.query)
      return envelope(request, posts, listMetaOf(pagination))
    })
  }
