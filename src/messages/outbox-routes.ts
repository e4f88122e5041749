import { signedInAdmin } from '../admin/locked-target.ts'
import type { Context } from '../context.ts'
import { staffReading, staffWith } from '../http/access/access.ts'
import type { DeclareRoutes } from '../http/server/types.ts'
import { listOutbox } from './list-outbox.ts'
import { OutboxRoute, RetryManyRoute, RetryRoute } from './outbox-schemas.ts'
import { retryFailed, retryMessage } from './retry-messages.ts'

const retries = { access: staffWith('messages:retry'), limit: 'admin' } as const
const base = '/auth/admin/outbox'

export const outboxRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    http.get(
      base,
      { schema: OutboxRoute, config: { access: staffReading('messages:read'), limit: 'admin', strictQuery: true } },
      async ({ query }) => ({
        success: true as const,
        data: await listOutbox(ctx, query),
      }),
    )

    http.post(`${base}/retry`, { schema: RetryManyRoute, config: retries }, async (request) => {
      const ids = await retryFailed(ctx, signedInAdmin(request), request.body)
      return { success: true as const, data: { ids, retried: ids.length } }
    })

    http.post(`${base}/:message_id/retry`, { schema: RetryRoute, config: retries }, async (request) => {
      await retryMessage(ctx, signedInAdmin(request), request.params.message_id)
      return { success: true as const, message: 'The message will be sent now' }
    })
  }
