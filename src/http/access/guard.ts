import type { ParsedUrlQuery } from 'node:querystring'
import type { FastifyReply, FastifyRequest, preValidationHookHandler, RouteOptions } from 'fastify'
import type { TSchema } from 'typebox'
import { addressKey } from '../../lib/address.ts'
import { AppError, sessionPending } from '../../lib/errors.ts'
import { clearSessionCookie, clearUselessCookie, sessionCookies } from '../cookies/session-cookie.ts'
import type { LimitClass, LimitDecision } from '../limits/rate-limits.ts'
import { assertSingle, isFormPost, mediaTypeOf } from '../parsing/form-body.ts'
import { assertKnown, normalizeMembers, spellingsOf } from '../parsing/normalize-members.ts'
import { assertRequestLine } from '../parsing/request-line.ts'
import { refuse } from '../replies/refuse.ts'
import { showScarcer } from '../replies/reply-headers.ts'
import { wantsPage } from '../replies/wants-page.ts'
import type { HttpEdge } from '../server/edge.ts'
import { admins } from './access.ts'
import { credentialOf, type RequestAuth, type SessionCredential } from './auth.ts'
import { deviceOf } from './device.ts'
import { namedEndUser, namesEndUser } from './end-user.ts'
import { comesFromOurPages, isLinkOfOurs } from './origins.ts'
import type { RouteRule } from './route-rules.ts'

/** The hot path. Each route has a single hook. The hook creates a promise only if it has to wait for a store. */
export function guardOf(edge: HttpEdge, route: RouteOptions, rule: RouteRule): preValidationHookHandler {
  const respellParts = respelling(route, isGuardedList(edge, route, rule))
  const series = edge.ctx.metrics.route(String(route.method), route.url)
  return (request, reply, done) => {
    request.raw.series = series
    try {
      assertForm(request, reply, rule)
      const waiting = enter(edge, rule, request, reply)
      if (waiting) {
        waiting.then(() => respellParts(request)).then(() => done(), done)
        return
      }
      respellParts(request)
    } catch (error) {
      return done(error as Error)
    }
    done()
  }
}

function enter(
  edge: HttpEdge,
  rule: RouteRule,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> | undefined {
  const buckets = bucketsOf(edge, rule, request)
  if (!buckets) return refuseBridge(edge, request, reply)
  const [{ limit, key }, ...more] = buckets
  if (rule.isFree(request)) return admit(edge, rule, request, reply, limit, edge.limits.standing(limit, key))
  if (more.length === 0 && edge.limits.isLocal(limit)) {
    return admit(edge, rule, request, reply, limit, edge.limits.countLocally(limit, key))
  }
  return Promise.all(buckets.map((bucket) => count(edge, bucket)))
    .then(tightest)
    .then((counted) => admit(edge, rule, request, reply, counted.limit, counted.decision))
}

interface Bucket {
  limit: LimitClass
  key: string
}

/**
 * Counts by the name of the bridge secret, or else by IP address. Undefined if a required secret is missing or wrong.
 */
function bucketsOf(edge: HttpEdge, rule: RouteRule, request: FastifyRequest): [Bucket, ...Bucket[]] | undefined {
  const header = request.headers['x-bridge-secret']
  const mayUseSecret = rule.access.bridge === 'optional' || (rule.forEndUsers && namesEndUser(request))
  const usesSecret = rule.access.bridge === 'required' || (mayUseSecret && header !== undefined)
  const limit = limitOf(rule, request)
  if (!usesSecret) return [{ limit, key: edge.addressKey(request.raw) }]
  const name = edge.bridgeSecrets.nameOf(header)
  if (name === undefined || (!rule.forGateways && isForeignOrigin(edge, request))) return undefined
  const backEnd: Bucket = { limit: 'bridge', key: name }
  const endUser = endUserKeysOf(rule, request)
  if (endUser) return [backEnd, ...endUser.map((key) => ({ limit, key }))]
  return rule.limit === 'bridge' || rule.access.bridge === 'optional'
    ? [backEnd]
    : [{ limit, key: edge.addressKey(request.raw) }]
}

function endUserKeysOf(rule: RouteRule, request: FastifyRequest): string[] | undefined {
  const keys = rule.endUserKeys(request)
  if (!rule.forEndUsers) return keys
  request.endUser = namedEndUser(request)
  return request.endUser ? [...new Set([...(keys ?? []), addressKey(request.endUser.address)])] : keys
}

async function count(edge: HttpEdge, { limit, key }: Bucket): Promise<{ limit: LimitClass; decision: LimitDecision }> {
  const { limits } = edge
  return { limit, decision: limits.isLocal(limit) ? limits.countLocally(limit, key) : await limits.count(limit, key) }
}

/** The response headers show a limit that refuses the request, or else the one with the fewest remaining attempts. */
function tightest(counted: { limit: LimitClass; decision: LimitDecision }[]) {
  const left = ({ decision }: (typeof counted)[number]) => (decision.refused ? -1 : decision.remaining)
  return counted.reduce((one, other) => (left(other) < left(one) ? other : one))
}

function limitOf({ limit, limitForPages, limitFor }: RouteRule, request: FastifyRequest): LimitClass {
  if (limit !== limitForPages && request.method !== 'POST' && wantsPage(request)) return limitForPages
  return limitFor(request) ?? limit
}

/** A bridge secret sent from a browser has leaked, unless the origin is allowed. */
const isForeignOrigin = (edge: HttpEdge, { headers }: FastifyRequest): boolean =>
  headers.origin !== undefined && !edge.ctx.config.BRIDGE_ALLOWED_ORIGINS.includes(headers.origin)

const secretInBrowser =
  'The bridge secret is for back ends, but this request comes from a page in a browser. Call this route from your back ' +
  'end, or list the origin of the page in BRIDGE_ALLOWED_ORIGINS.'

async function refuseBridge(edge: HttpEdge, request: FastifyRequest, reply: FastifyReply): Promise<never> {
  const decision = await edge.limits.count('bridge_fail', edge.addressKey(request.raw))
  edge.writeHeaders(request, reply, decision)
  if (!edge.bridgeSecrets.configured) throw new AppError('NOT_CONFIGURED')
  if (decision.refused) return refuse(edge, request, 'bridge_fail', decision)
  const known = edge.bridgeSecrets.nameOf(request.headers['x-bridge-secret']) !== undefined
  await edge.audit(known ? 'bridge_secret_from_browser' : 'bridge_auth_fail', deviceOf(request))
  throw new AppError('BRIDGE_SECRET_REQUIRED', known ? { sentence: secretInBrowser } : {})
}

function admit(
  edge: HttpEdge,
  rule: RouteRule,
  request: FastifyRequest,
  reply: FastifyReply,
  limit: LimitClass,
  decision: LimitDecision,
): Promise<void> | undefined {
  if (rule.prepared && (rule.forGateways || request.headers.origin === undefined)) request.raw.counted = decision
  else edge.writeHeaders(request, reply, decision)
  if (decision.refused) return refuse(edge, request, limit, decision)
  return looksAtSession(edge, rule, request) ? resolveSession(edge, rule, request, reply) : undefined
}

function looksAtSession({ ctx }: HttpEdge, { access, sessionInBody }: RouteRule, request: FastifyRequest): boolean {
  if (access.session === 'none') return false
  if (access.session === 'optional' && !credentialOf(request, ctx.config, sessionInBody)) return false
  if (access.unlessToken && bringsToken(request)) return false
  return !access.onlyToLink || (request.query as { link?: string }).link === 'true'
}

const bringsToken = ({ body }: FastifyRequest): boolean => (body as { token?: unknown } | null)?.token != null

async function resolveSession(
  edge: HttpEdge,
  rule: RouteRule,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const auth = await authenticate(edge, rule, request, reply)
  if (!auth) return
  if (auth.via === 'cookie' && !isOurRequest(edge, rule, request)) {
    await edge.audit('csrf_rejected', deviceOf(request), { actor: auth.user })
    throw new AppError('CSRF_REJECTED')
  }
  // Optional sessions are used only if they are full.
  if (rule.access.session === 'optional' && auth.session.status !== 'active') return
  if (rule.access.session === 'full' && auth.session.status !== 'active') throw new AppError(sessionPending)
  if (rule.access.roles && !rule.access.roles.includes(auth.user.user_type)) {
    await edge.audit('authz_denied', deviceOf(request), { actor: auth.user, details: { route: rule.name } })
    throw new AppError('FORBIDDEN')
  }
  if (rule.access.notForApplications) await assertOwnSignIn(edge, rule, request, auth)
  if (rule.access.roles && edge.ctx.secondFactor.lacksConfirmation(auth)) throw new AppError(sessionPending)
  if (edge.limits.isByAccount(rule.limit)) await countAccount(edge, rule.limit, request, reply, auth.user.id)
  request.auth = auth
}

/** A compromised application must not be able to administer the service. */
async function assertOwnSignIn(
  edge: HttpEdge,
  rule: RouteRule,
  request: FastifyRequest,
  { session, user }: RequestAuth,
) {
  if (session.parent_id === null) return
  const details = { route: rule.name, application: session.application }
  await edge.audit('authz_denied', deviceOf(request), { actor: user, details })
  throw new AppError('FORBIDDEN', { sentence: ofAnApplication })
}

const ofAnApplication =
  'Administration requires a session of this service itself, not of an application. Sign in on its sign-in page.'

async function countAccount(
  edge: HttpEdge,
  limit: LimitClass,
  request: FastifyRequest,
  reply: FastifyReply,
  userId: string,
): Promise<void> {
  const decision = await edge.limits.count(limit, `user:${userId}`)
  showScarcer(reply, decision)
  if (decision.refused) await refuse(edge, request, limit, decision)
}

/** CSRF check for requests that are authenticated by a cookie. */
function isOurRequest({ origins }: HttpEdge, { access }: RouteRule, { method, headers }: FastifyRequest): boolean {
  if (!isSafe(method)) return comesFromOurPages(headers, origins)
  return !access.onlyToLink || isLinkOfOurs(headers, origins)
}

async function authenticate(
  edge: HttpEdge,
  rule: RouteRule,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<RequestAuth | undefined> {
  const credential =
    credentialOf(request, edge.ctx.config, rule.sessionInBody) ??
    (rule.clearsCookie ? await anyCookie(edge, request) : undefined)
  try {
    if (!credential) throw new AppError('INVALID_SESSION')
    // Writes and privileged requests must not rely on a cached session.
    const freshness = isSafe(request.method) && !rule.access.roles ? 'copy' : 'fresh'
    const inAddress = credential.via === 'query'
    const found = await edge.authenticate(credential.sessionToken, {
      freshness,
      countsAsUse: rule.countsAsUse,
      inAddress,
    })
    return { ...found, ...credential }
  } catch (error) {
    const isRefusal = error instanceof AppError && error.status === 401
    if (isRefusal && rule.access.session === 'optional') return undefined
    if (isRefusal && losesCookie(edge, rule, request, credential)) {
      if (rule.clearsCookie) clearSessionCookie(reply, edge.ctx.config)
      else clearUselessCookie(request, reply, edge.ctx.config)
    }
    throw error
  }
}

/** Returns the first valid session among several cookies. Signing out ends the sessions of all cookies. */
async function anyCookie(edge: HttpEdge, request: FastifyRequest): Promise<SessionCredential | undefined> {
  for (const sessionToken of sessionCookies(request, edge.ctx.config)) {
    const how = { freshness: 'fresh', countsAsUse: false, inAddress: false } as const
    const found = await edge.authenticate(sessionToken, how).catch(unlessRefused)
    if (found) return { sessionToken, via: 'cookie' }
  }
  return undefined
}

function unlessRefused(error: unknown): undefined {
  if (!(error instanceof AppError && error.status === 401)) throw error
}

/** With `clearsCookie`, refusing any credential clears the cookies. */
function losesCookie(
  edge: HttpEdge,
  rule: RouteRule,
  { headers }: FastifyRequest,
  credential: SessionCredential | undefined,
) {
  if (rule.clearsCookie) return comesFromOurPages(headers, edge.origins)
  const namesCookie = headers.cookie?.includes(`${edge.ctx.config.SESSION_COOKIE_NAME}=`)
  return namesCookie && (!credential || credential.via === 'cookie')
}

const isSafe = (method: string): boolean => method === 'GET' || method === 'HEAD' || method === 'OPTIONS'

function assertForm(request: FastifyRequest, reply: FastifyReply, rule: RouteRule): void {
  assertRequestLine(request, reply)
  if (rule.forGateways) return
  assertSingle(request.params as Record<string, string>)
  assertSingle(request.query as ParsedUrlQuery)
  const type = mediaTypeOf(request)
  if (rule.upload && type !== '' && type !== 'multipart/form-data') throw notAnUpload()
  if (request.body !== undefined && isFormPost(request) && !rule.form) throw new AppError('UNSUPPORTED_MEDIA_TYPE')
  if (type.startsWith('multipart/') && !rule.upload) throw new AppError('UNSUPPORTED_MEDIA_TYPE')
  // Compressed bodies are not supported.
  const encoding = request.headers['content-encoding']
  if (encoding !== undefined && encoding !== 'identity') throw new AppError('UNSUPPORTED_MEDIA_TYPE')
}

const notAnUpload = () =>
  new AppError('UNSUPPORTED_MEDIA_TYPE', { sentence: 'Send the request body as multipart/form-data' })

/** Whether unknown query parameters are refused. A misspelt filter would list all rows, which might then be deleted. */
const isGuardedList = ({ ctx }: HttpEdge, { method, schema }: RouteOptions, { access }: RouteRule): boolean => {
  const { properties = {} } = (schema?.querystring ?? {}) as { properties?: object }
  return method !== 'POST' && access === admins && 'page' in properties && !ctx.config.CLIENT_COMPAT
}

function respelling(route: RouteOptions, refusesUnknown: boolean): (request: FastifyRequest) => void {
  const body = route.schema?.body as TSchema | undefined
  const query = route.schema?.querystring as TSchema | undefined
  const [bodySpellings, querySpellings] = [spellingsOf(body), spellingsOf(query)]
  return (request) => {
    if (body) request.body = normalizeMembers(request.body ?? {}, bodySpellings, request.raw)
    if (query && refusesUnknown) assertKnown(request.query as object, querySpellings)
    if (query) request.query = normalizeMembers(request.query, querySpellings, request.raw)
  }
}
