import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { bridge } from '../http/access/access.ts'
import type { DeclareRoutes } from '../http/server/types.ts'
import { second } from '../lib/time.ts'
import { BridgeEventsRoute } from './bridge-schemas.ts'
import { createEventStreams } from './event-streams.ts'
import { watchStreamSecrets } from './stream-secrets.ts'

const maxCacheTime = 5 * second

export const eventRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    const secrets = watchStreamSecrets(ctx)
    const streams = createEventStreams({
      sessions: ctx.sessions,
      process: ctx.node,
      maxAge: Math.min(maxCacheTime, ctx.config.SESSION_VALIDATION_CACHE_TTL),
      isStopping: () => http.shutdown.hasBegun,
      checkSecrets: secrets.check,
    })
    http.addHook('preClose', async () => {
      secrets.stop()
      streams.stop()
    })
    http.get(
      '/auth/bridge/events',
      { schema: BridgeEventsRoute, config: { access: bridge, limit: 'bridge' } },
      (request, reply) => {
        const secretName = request.bridgeSecret?.name ?? ''
        streams.assertRoom(secretName)
        if (request.method === 'HEAD') return void reply.headers(streamHeaders).send('')
        const stream = beginStream(request, reply)
        secrets.add(stream, request)
        streams.open(stream, secretName)
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
