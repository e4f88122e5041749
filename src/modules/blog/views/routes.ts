import type { Context } from '../../../context.ts'
import { visitor } from '../../../http/access/access.ts'
import { envelope } from '../../../http/responses/envelope.ts'
import type { DeclareRoutes } from '../../../http/server/types.ts'
import { postPaths } from '../names.ts'
import { readInputFrom } from '../read-post.ts'
import { readStats } from './read-stats.ts'
import { StatsRoute, ViewRoute } from './schemas.ts'
import { viewPost } from './view-post.ts'

const module = { id: 'blog', component: 'ext-views' }

export const viewRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    const interact = { access: visitor, limit: 'interact', whileImpersonating: 'allowed', module } as const
    const read = { access: visitor, limit: 'read', whileImpersonating: 'allowed', module } as const
    for (const path of postPaths) {
      http.post(`${path}/view`, { schema: ViewRoute, config: interact }, async (request) =>
        envelope(request, await viewPost(ctx, readInputFrom(request), request.params.id), {}),
      )
      http.get(`${path}/stats`, { schema: StatsRoute, config: read }, async (request) =>
        envelope(request, await readStats(ctx, readInputFrom(request), request.params.id), {}),
      )
    }
  }
