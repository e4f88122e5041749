import type { FastifyReply, FastifyRequest, preValidationHookHandler, RouteOptions } from 'fastify'
import type { BridgeRight } from '../../db/rows/applications.ts'
import { AppError, needsBrowserSession, sessionPending } from '../../lib/errors.ts'
import { actorOf, authenticateKey } from '../credentials/authenticate-key.ts'
import { keysIn } from '../credentials/keys-in.ts'
import { permissionInScope } from '../credentials/scopes.ts'
import type { LimitClass, LimitDecision } from '../limits/rate-limits.ts'
import { sendRejection } from '../responses/reject.ts'
import { showScarcer } from '../responses/response-headers.ts'
import type { HttpEdge } from '../server/edge.ts'
import { isPrivileged } from './access.ts'
import { bringsApplicationSecret } from './application-secret.ts'
import { credentialOf, type RequestAuth } from './auth.ts'
import { authenticateRequest, isSafe } from './authenticate-request.ts'
import { awaitsPasskey } from './awaits-passkey.ts'
import { bridgeRights } from './bridge-rights.ts'
import { deviceOf } from './device.ts'
import { comesFromOurPages, isLinkOfOurs, isOnlyForUsers } from './origins.ts'
import { assertForm, isGuardedList, respelling } from './request-format.ts'
import { bucketsOf, countAll, isFromBrowser } from './request-limits.ts'
import type { RouteRule } from './route-rules.ts'

/** Created once per route, so that requests allocate nothing for it. */
interface RouteGuard {
  edge: HttpEdge
  rule: RouteRule
}

/** For speed, each route has a single hook, which creates a promise only if needed. */
export function guardOf(edge: HttpEdge, route: RouteOptions, rule: RouteRule): preValidationHookHandler {
  const { permission } = rule.access
  if (permission && !edge.ctx.staff.isDeclared(permission))
    throw new Error(`${rule.name} needs the permission ${permission}, which nothing declares`)
  assertScope(edge, rule)
  const guard = { edge, rule }
  const respellParts = respelling(route, rule, isGuardedList(edge, route, rule))
  const series = edge.ctx.metrics.route(String(route.method), route.url)
  const hasParameters = route.url.includes(':')
  return (request, reply, done) => {
    request.raw.series = series
    // The router accepts empty parameters, but a URL such as /users// does not identify a user.
    if (hasParameters && Object.values(request.params as object).includes('')) return void reply.callNotFound()
    try {
      assertForm(request, reply, rule)
      const waiting = whenApplicationsAreKnown(guard, request, reply) ?? enter(guard, request, reply)
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

/** A key must not reach what is only for signed-in users, so a wrong declaration prevents the start. */
function assertScope({ ctx }: HttpEdge, { name, access }: RouteRule): void {
  const { scope, permission, roles, adminReauth } = access
  if (scope === undefined) return
  const ofPermission = permissionInScope(ctx, scope)
  if (permission !== ofPermission || roles || adminReauth || access.session !== 'full')
    throw new Error(`${name} declares the scope ${scope}, but keys must not call it with its other rules`)
}

/** The routes that send prepared responses need the applications only for other origins and for applications' secrets. */
function whenApplicationsAreKnown(
  guard: RouteGuard,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> | undefined {
  const { prepared, ignoresApplications } = guard.rule
  const needsNone = prepared && request.headers.origin === undefined && !bringsApplicationSecret(request)
  if (ignoresApplications || needsNone) return undefined
  return guard.edge.ctx.applications.whenCurrent()?.then(() => enter(guard, request, reply))
}

function enter(guard: RouteGuard, request: FastifyRequest, reply: FastifyReply): Promise<void> | undefined {
  const { edge, rule } = guard
  const buckets = bucketsOf(edge, rule, request)
  if (!buckets) return rejectBridge(guard, request, reply)
  const [{ limit, key }, ...more] = buckets
  if (rule.isFree(request)) return admit(guard, reply, limit, edge.limits.standing(limit, key))
  if (more.length === 0 && edge.limits.isLocal(limit)) {
    return admit(guard, reply, limit, edge.limits.countLocally(limit, key))
  }
  return countAll(edge, buckets).then((counted) => admit(guard, reply, counted.limit, counted.decision))
}

const secretInBrowser =
  'The bridge secret is for back ends, but this request comes from a page in a browser. Call this route from your back ' +
  'end, or list the origin of the page in BRIDGE_ALLOWED_ORIGINS.'

async function rejectBridge({ edge, rule }: RouteGuard, request: FastifyRequest, reply: FastifyReply): Promise<never> {
  const secret = edge.bridgeSecrets.find(request)
  const mayBeNew = !secret && bringsApplicationSecret(request)
  if (mayBeNew && edge.ctx.applications.whenCurrent()) throw new AppError('UNAVAILABLE', { retryAfter: 1 })
  const decision = await edge.limits.count('bridge_fail', edge.addressKey(request.raw))
  edge.writeHeaders(request, reply, decision)
  if (!edge.bridgeSecrets.isConfigured()) throw new AppError('NOT_CONFIGURED')
  if (decision.refused) return sendRejection(edge, request, 'bridge_fail', decision)
  const details = edge.bridgeSecrets.explain(request)
  const device = deviceOf(request)
  if (!secret) {
    await edge.audit('bridge_auth_fail', device, { details })
    throw new AppError('BRIDGE_SECRET_REQUIRED')
  }
  if (isFromBrowser(edge, rule, request)) {
    await edge.audit('bridge_secret_from_browser', device, { details })
    throw new AppError('BRIDGE_SECRET_REQUIRED', { sentence: secretInBrowser })
  }
  await edge.audit('authz_denied', device, { details: { ...details, route: rule.name, right: rule.right } })
  throw new AppError('FORBIDDEN', { sentence: lacksRight(rule.right) })
}

const lacksRight = (right: BridgeRight) =>
  `This bridge secret lacks the right "${right}" (${bridgeRights[right]}). A superadmin can give it to the secret.`

function admit(
  { edge, rule }: RouteGuard,
  reply: FastifyReply,
  limit: LimitClass,
  decision: LimitDecision,
): Promise<void> | undefined {
  const { request } = reply
  if (rule.prepared && (rule.forGateways || request.headers.origin === undefined)) request.raw.counted = decision
  else edge.writeHeaders(request, reply, decision)
  if (decision.refused) return sendRejection(edge, request, limit, decision)
  return looksAtSession(edge, rule, request) ? resolveSession(edge, rule, request, reply) : undefined
}

function looksAtSession({ ctx }: HttpEdge, { access, sessionInBody }: RouteRule, request: FastifyRequest): boolean {
  if (access.session === 'none') return false
  if (access.session === 'optional' && !credentialOf(request, ctx.config, sessionInBody))
    return keysIn(ctx, request).length > 0
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
  const keys = keysIn(edge.ctx, request)
  if (keys.length > 0) {
    await authenticateKey(edge, rule, request, keys)
    if (request.key && edge.limits.isByAccount(rule.limit))
      await countAccount(edge, rule.limit, reply, actorOf(request.key.view).id)
    return
  }
  const auth = await authenticateRequest(edge, rule, request, reply)
  if (!auth) return
  if (auth.via === 'cookie' && !isOurRequest(edge, rule, request)) {
    const device = { ...deviceOf(request), impersonatedBy: auth.session.impersonated_by ?? undefined }
    await edge.audit('csrf_rejected', device, { actor: auth.user })
    throw new AppError('CSRF_REJECTED')
  }
  if (auth.session.impersonated_by !== null && rule.whileImpersonating === 'refused')
    await rejectImpersonated(edge, rule, request, auth)
  if (rule.access.session === 'optional' && auth.session.status !== 'active') return
  assertComplete(edge, rule, auth)
  if (rule.access.permission) await edge.ctx.staff.refresh(edge.ctx.db)
  if (isPrivileged(rule.access) && !edge.ctx.staff.admits(rule.access, auth.user.user_type)) {
    await edge.audit('authz_denied', deviceOf(request), { actor: auth.user, details: { route: rule.name } })
    throw new AppError('FORBIDDEN')
  }
  if (rule.access.notForApplications) await assertOwnSignIn(edge, rule, request, auth)
  if (isPrivileged(rule.access) && edge.ctx.secondFactor.lacksConfirmation(auth)) throw new AppError(sessionPending)
  if (edge.limits.isByAccount(rule.limit)) await countAccount(edge, rule.limit, reply, auth.user.id)
  request.auth = auth
}

/** A route that does not mention such sessions rejects them, even if it accepts other partial sessions. */
function assertComplete({ ctx }: HttpEdge, { access }: RouteRule, auth: RequestAuth): void {
  if (awaitsPasskey(ctx, auth)) {
    // Others may have read the token. The session could otherwise get their passkey.
    if (auth.session.seen_in_url && access.session === 'recovery') throw new AppError('INVALID_SESSION')
    if (access.session === 'recovery' || access.recovery) return
    throw new AppError(sessionPending, { sentence: 'Add a passkey to finish the sign-in', passkeyRequired: true })
  }
  const isFull = auth.session.status === 'active'
  if (access.session === 'full' && !isFull) throw new AppError(sessionPending)
  if (access.session === 'recovery') throw new AppError(isFull ? 'FORBIDDEN' : sessionPending)
}

async function rejectImpersonated(edge: HttpEdge, rule: RouteRule, request: FastifyRequest, auth: RequestAuth) {
  const device = { ...deviceOf(request), impersonatedBy: auth.session.impersonated_by ?? undefined }
  await edge.audit('authz_denied', device, { actor: auth.user, details: { route: rule.name, reason: 'impersonated' } })
  throw new AppError('IMPERSONATED')
}

/** A compromised application must not be able to administer the service or to add a way in of its own. */
async function assertOwnSignIn(
  edge: HttpEdge,
  rule: RouteRule,
  request: FastifyRequest,
  { session, user }: RequestAuth,
) {
  if (session.parent_id === null) return
  const details = { route: rule.name, application: session.application }
  await edge.audit('authz_denied', deviceOf(request), { actor: user, details })
  throw needsBrowserSession()
}

async function countAccount(edge: HttpEdge, limit: LimitClass, reply: FastifyReply, userId: string): Promise<void> {
  const decision = await edge.limits.count(limit, `user:${userId}`)
  showScarcer(reply, decision)
  if (decision.refused) await sendRejection(edge, reply.request, limit, decision)
}

/** CSRF check for cookie-authenticated requests. Also rejects reading by pages that may not administer the service. */
function isOurRequest({ origins }: HttpEdge, { access }: RouteRule, { method, headers }: FastifyRequest): boolean {
  if (isPrivileged(access) && isOnlyForUsers(headers, origins)) return false
  if (!isSafe(method)) return comesFromOurPages(headers, origins)
  return !access.onlyToLink || isLinkOfOurs(headers, origins)
}
