import Type from 'typebox'
import type { Context } from '../../context.ts'
import { AppError } from '../../lib/errors.ts'
import { equalSecrets } from '../../lib/hash.ts'
import { anyone } from '../access/access.ts'
import { isLocalCaller } from '../access/local-caller.ts'
import type { DeclareRoutes } from './types.ts'

const MetricsRoute = { summary: 'Get metrics for Prometheus', tags: ['Health'], response: { 200: Type.String() } }

/** If METRICS_TOKEN is set, requests must contain it. Otherwise, they must come directly from the same machine. */
export const metricsRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    http.get(
      '/metrics',
      { schema: MetricsRoute, config: { access: anyone, limit: 'read', hidden: true, ignoresApplications: true } },
      async (request, reply) => {
        const { authorization = '' } = request.headers
        const token = ctx.config.METRICS_TOKEN
        const allowed = token
          ? equalSecrets(authorization, `Bearer ${token}`)
          : isLocalCaller(request, ctx.config.PUBLIC_URL)
        if (!allowed) throw new AppError('NOT_FOUND')
        const page = await ctx.metrics.render()
        return reply.type(page.contentType).send(page.body)
      },
    )
  }
