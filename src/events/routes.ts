import type { Context } from '../context.ts'
import { staffReading } from '../http/access/access.ts'
import { viewerOf } from '../http/credentials/authenticate-key.ts'
import type { DeclareRoutes } from '../http/server/types.ts'
import { readEvents } from './read-events.ts'
import { EventsRoute } from './schemas.ts'

export const eventLogRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    http.get(
      '/auth/admin/events',
      { schema: EventsRoute, config: { access: staffReading('events:read'), limit: 'admin' } },
      async (request) => ({
        success: true as const,
        data: await readEvents(ctx, viewerOf(request), request.query),
      }),
    )
  }
