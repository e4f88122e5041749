import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { bridge } from '../http/access/access.ts'
import { bridgeSecrets } from '../http/access/bridge-secret.ts'
import type { Routes } from '../http/server/create-server.ts'
import { second } from '../lib/time.ts'
import { createEventStreams } from './event-streams.ts'
import { BridgeEventsRoute } from './schemas.ts'

const maxCacheTime = 5 * second

/** GET /auth/bridge/events: what back ends need to cache sessions in their own process. */
export const eventRoutes =
  (ctx: Context): Routes =>
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
  // nginx would collect events before it passes them on.
  'x-accel-buffering': 'no',
}

/** Writes the head. The connection closes with the stream, which no other request can follow. */
function beginStream({ raw: request }: FastifyRequest, reply: FastifyReply) {
  const { raw } = reply
  reply.hijack()
  raw.shouldKeepAlive = false
  // The end of the stream is the end of the connection: chunks would be three pieces to write instead of one.
  raw.useChunkedEncodingByDefault = false
  raw.writeHead(200, { ...(reply.getHeaders() as Record<string, string>), ...streamHeaders })
  raw.flushHeaders()
  // A stream is counted when it opens: hours of it say nothing about the time of an answer.
  request.series?.observe(200, 0)
  delete request.series
  return raw
}
