import type { Context } from '../context.ts'
import { staffWith } from '../http/access/access.ts'
import type { DeclareRoutes } from '../http/server/types.ts'
import { readEvents } from './read-events.ts'
import { EventsRoute } from './schemas.ts'

export const eventLogRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    http.get(
      '/auth/admin/events',
      { schema: EventsRoute, config: { access: staffWith('events:read'), limit: 'admin' } },
      async ({ auth, query }) => ({ success: true as const, data: await readEvents(ctx, auth.user, query) }),
    )
  }
