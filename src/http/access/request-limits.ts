import type { FastifyRequest } from 'fastify'
import { addressKey } from '../../lib/address.ts'
import type { LimitClass, LimitDecision } from '../limits/rate-limits.ts'
import { wantsPage } from '../responses/wants-page.ts'
import type { HttpEdge } from '../server/edge.ts'
import { namedEndUser, namesEndUser } from './end-user.ts'
import { isInProcess } from './in-process.ts'
import type { RouteRule } from './route-rules.ts'

interface Bucket {
  limit: LimitClass
  key: string
}

interface Counted {
  limit: LimitClass
  decision: LimitDecision
}

/**
 * Returns what to count the request by: the bridge secret and the end user, or the IP address. Returns undefined if a
 * required secret is missing, or if a secret is wrong, was sent from a browser or lacks the right for the route.
 */
export function bucketsOf(edge: HttpEdge, rule: RouteRule, request: FastifyRequest): [Bucket, ...Bucket[]] | undefined {
  const limit = limitOf(rule, request)
  if (!usesBridgeSecret(rule, request)) return [{ limit, key: edge.addressKey(request.raw) }]
  const secret = edge.bridgeSecrets.find(request)
  if (secret === undefined || isFromBrowser(edge, rule, request)) return undefined
  if (secret.application && !secret.may(rule.right)) return undefined
  request.bridgeSecret = secret
  secret.uses.count += 1
  const backEnd: Bucket = { limit: 'bridge', key: secret.name }
  const endUser = endUserKeysOf(rule, request)
  if (endUser) return [backEnd, ...endUser.map((key) => ({ limit, key }))]
  return rule.limit === 'bridge' || rule.access.bridge === 'optional'
    ? [backEnd]
    : [{ limit, key: edge.addressKey(request.raw) }]
}

/** After the guard, the secret is known to be correct. */
export function usesBridgeSecret({ access, forEndUsers }: RouteRule, request: FastifyRequest): boolean {
  if (access.bridge === 'required') return true
  const mayUseSecret = access.bridge === 'optional' || (forEndUsers && namesEndUser(request))
  return mayUseSecret && request.headers['x-bridge-secret'] !== undefined
}

function endUserKeysOf(rule: RouteRule, request: FastifyRequest): string[] | undefined {
  const keys = rule.endUserKeys(request)
  if (!rule.forEndUsers) return keys
  request.endUser = namedEndUser(request)
  return request.endUser ? [...new Set([...(keys ?? []), addressKey(request.endUser.address)])] : keys
}

export const countAll = (edge: HttpEdge, buckets: readonly Bucket[]): Promise<Counted> =>
  Promise.all(buckets.map((bucket) => count(edge, bucket))).then(tightest)

async function count(edge: HttpEdge, { limit, key }: Bucket): Promise<Counted> {
  const { limits } = edge
  return { limit, decision: limits.isLocal(limit) ? limits.countLocally(limit, key) : await limits.count(limit, key) }
}

/** For the response headers: a limit that rejects the request, or else the one with the fewest remaining attempts. */
function tightest(counted: Counted[]): Counted {
  const left = ({ decision }: Counted) => (decision.refused ? -1 : decision.remaining)
  return counted.reduce((one, other) => (left(other) < left(one) ? other : one))
}

function limitOf({ limit, limitForPages, limitFor }: RouteRule, request: FastifyRequest): LimitClass {
  // A console page makes several read requests to the API. Requests for the page itself are also limited.
  if (limit === 'admin' && request.method === 'GET' && isInProcess(request)) return 'read'
  if (limit !== limitForPages && request.method !== 'POST' && wantsPage(request)) return limitForPages
  return limitFor(request) ?? limit
}

/** A bridge secret sent from a browser has leaked, unless the origin is allowed or is that of a gateway's visitor. */
export const isFromBrowser = (edge: HttpEdge, { forGateways }: RouteRule, { headers }: FastifyRequest): boolean =>
  !forGateways && headers.origin !== undefined && !edge.ctx.config.BRIDGE_ALLOWED_ORIGINS.includes(headers.origin)
