import type { Context } from '../../../context.ts'
import { visitor } from '../../../http/access/access.ts'
import { envelope } from '../../../http/replies/envelope.ts'
import type { DeclareRoutes } from '../../../http/server/create-server.ts'
import { listMetaOf } from '../../../lib/paging.ts'
import { base } from '../names.ts'
import { listPosts } from './list-posts.ts'
import { ListPostsRoute } from './schemas.ts'

export const listRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    const read = { access: visitor, limit: 'read', module: 'blog' } as const
    http.get(base, { schema: ListPostsRoute, config: read }, async (request) => {
      const { posts, pagination } = await listPosts(ctx, request.auth?.user, request.query)
      return envelope(request, posts, listMetaOf(pagination))
    })
  }
