import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { bridge } from '../http/access/access.ts'
import { bridgeSecrets } from '../http/access/bridge-secret.ts'
import type { DeclareRoutes } from '../http/server/types.ts'
import { second } from '../lib/time.ts'
import { BridgeEventsRoute } from './bridge-schemas.ts'
import { createEventStreams } from './event-streams.ts'

const maxCacheTime = 5 * second

export const eventRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    const { nameOf } = bridgeSecrets(ctx.config)
    const streams = createEventStreams({
      sessions: ctx.sessions,
      process: ctx.node,
      maxAge: Math.min(maxCacheTime, ctx.config.SESSION_VALIDATION_CACHE_TTL),
      isStopping: () => http.shutdown.hasBegun,
    })
    http.addHook('preClose', async () => streams.stop())
    http.get(
      '/auth/bridge/events',
      { schema: BridgeEventsRoute, config: { access: bridge, limit: 'bridge' } },
      (request, reply) => {
        const secretName = nameOf(request.headers['x-bridge-secret']) ?? ''
        streams.assertRoom(secretName)
        if (request.method === 'HEAD') void reply.headers(streamHeaders).send('')
        else streams.open(beginStream(request, reply), secretName)
      },
    )
  }

const streamHeaders = {
  'content-type': 'text/event-stream',
  // Disables buffering in nginx.
  'x-accel-buffering': 'no',
}

/** Closing the stream closes the connection. */
function beginStream({ raw: request }: FastifyRequest, reply: FastifyReply) {
  const { raw } = reply
  reply.hijack()
  raw.shouldKeepAlive = false
  // The stream ends when the connection closes, so chunked encoding is not needed.
  raw.useChunkedEncodingByDefault = false
  raw.writeHead(200, { ...(reply.getHeaders() as Record<string, string>), ...streamHeaders })
  raw.flushHeaders()
  // The request is counted when the stream opens because a stream's duration is not a response time.
  request.series?.observe(200, 0)
  delete request.series
  return raw
}
