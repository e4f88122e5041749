import type { ServerResponse } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { allApplications } from '../context/applications.ts'
import type { Context } from '../context.ts'
import { bridgeSecrets } from '../http/access/bridge-secret.ts'
import { maxFeedAge } from '../lib/versioned-cache.ts'

/**
 * Ends streams whose secret was revoked, has ended or belongs to an application that was disabled. The secrets in the
 * settings are valid until the process ends.
 */
export function watchStreamSecrets(ctx: Pick<Context, 'config' | 'applications' | 'usage' | 'clock' | 'sessions'>) {
  const secrets = bridgeSecrets(ctx)
  const streams = new Map<ServerResponse, { request: FastifyRequest; knownAt: number }>()

  const isAccepted = (request: FastifyRequest) =>
    secrets.find(request)?.may(request.routeOptions.config.access?.right ?? 'sessions') === true

  function check(): void {
    if (streams.size === 0) return
    const isKnown = ctx.applications.whenCurrent() === undefined
    const now = performance.now()
    for (const [stream, watched] of streams) {
      if (isKnown && isAccepted(watched.request)) watched.knownAt = now
      else if (isKnown || now - watched.knownAt > maxFeedAge) stream.destroy()
    }
  }

  const stop = ctx.sessions.watchRevocations({
    revoked(owner) {
      if (owner === allApplications) void (ctx.applications.whenCurrent() ?? Promise.resolve()).then(check)
    },
    missed: () => {},
  })

  return {
    add(stream: ServerResponse, request: FastifyRequest): void {
      if (!request.bridgeSecret?.application) return
      streams.set(stream, { request, knownAt: performance.now() })
      stream.once('close', () => streams.delete(stream))
    },
    /** Call this several times a second. */
    check,
    stop,
  }
}
