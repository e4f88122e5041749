import type { IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { addressKey } from '../../lib/address.ts'
import type { AppError, LimitState } from '../../lib/errors.ts'
import { isPrivileged } from '../access/access.ts'
import type { AuthenticateSession, RequestAuth } from '../access/auth.ts'
import { type BridgeSecrets, bridgeSecrets } from '../access/bridge-secret.ts'
import type { RequestDevice } from '../access/device.ts'
import { type AllowedOrigins, allowedOrigins, anyOriginHeaders, corsHeaders } from '../access/origins.ts'
import { type SharedPaths, type SharedRoutes, sharedPaths } from '../access/sharing.ts'
import { clientAddress } from '../access/trusted-proxies.ts'
import { createRateLimits, type RateLimits } from '../limits/rate-limits.ts'
import { responseHeaders } from '../responses/response-headers.ts'

export type AuditRejection = (
  event:
    | 'bridge_auth_fail'
    | 'bridge_secret_from_browser'
    | 'rate_limited'
    | 'csrf_rejected'
    | 'authz_denied'
    | 'password_rejected',
  device: RequestDevice,
  more?: { details?: Record<string, unknown>; actor?: { id: string; user_type: string } },
) => Promise<void>

export interface HttpEdge extends Omit<EdgeParts, 'sharedRoutes'> {
  ctx: Context
  limits: RateLimits
  bridgeSecrets: BridgeSecrets
  origins: AllowedOrigins
  shared: SharedPaths
  addressOf(request: Pick<IncomingMessage, 'socket' | 'headers'>): string
  addressKey(request: Pick<IncomingMessage, 'socket' | 'headers'>): string
  headersOf(requestId: string, limit: LimitState): Record<string, string | number>
  headerList(requestId: string, limit: LimitState): string[]
  writeHeaders(request: FastifyRequest, reply: FastifyReply, limit: LimitState): void
}

export interface EdgeParts {
  authenticate: AuthenticateSession
  audit: AuditRejection
  isRecentlyProven: (auth: RequestAuth) => boolean
  errorPage: (request: FastifyRequest, reply: FastifyReply, error: AppError) => FastifyReply
  sharedRoutes: readonly SharedRoutes[]
}

export function createEdge(ctx: Context, { sharedRoutes, ...parts }: EdgeParts): HttpEdge {
  const addressOf = clientAddress(ctx.config.TRUSTED_PROXIES)
  const origins = allowedOrigins(ctx)
  const shared = sharedPaths(sharedRoutes)
  const { headers: headersOf, headerList } = responseHeaders(ctx.config)
  const unmatched = ctx.metrics.route('ANY', 'unmatched')
  return {
    ctx,
    ...parts,
    limits: createRateLimits(ctx),
    bridgeSecrets: bridgeSecrets(ctx),
    origins,
    shared,
    addressOf,
    addressKey: (request) => addressKey(addressOf(request)),
    headersOf,
    headerList,
    writeHeaders: (request, reply, limit) => {
      // Requests that fail before their route's guard share one metrics series.
      request.raw.series ??= unmatched
      reply.headers(headersOf(request.id, limit))
      const { url = '', config } = request.routeOptions
      if (config?.anyOrigin) return void reply.headers(anyOriginHeaders)
      const { origin } = request.headers
      if (origin === undefined || config?.forGateways || shared.has(url) || !origins.has(origin)) return
      if (origins.mayAdminister(origin) || !isForAdministration(request)) reply.headers(corsHeaders(origin))
    },
  }
}

/** Pages of the console declare no roles, because they redirect visitors to the sign-in. */
const isForAdministration = ({ routeOptions: { url = '', config } }: FastifyRequest): boolean =>
  (config?.access !== undefined && isPrivileged(config.access)) || url === '/admin' || url.startsWith('/admin/')
