import type { FastifyRequest } from 'fastify'
import type { CredentialView, FoundCredential } from '../../context.ts'
import { canonicalAddress } from '../../lib/address.ts'
import { AppError } from '../../lib/errors.ts'
import { anyScope, isPrivileged } from '../access/access.ts'
import { sessionHeader } from '../access/auth.ts'
import { isSafe } from '../access/authenticate-request.ts'
import { deviceOf } from '../access/device.ts'
import type { RouteRule } from '../access/route-rules.ts'
import type { HttpEdge } from '../server/edge.ts'
import { assertAllowed } from './assert-allowed.ts'
import { unknownKeys } from './unknown-keys.ts'

/** The API key or access token of a request, after the guard has accepted it. */
export interface RequestKey {
  view: CredentialView
  /** The scopes that it has at present. */
  scopes: readonly string[]
}

/**
 * Admits the request if the route declares a scope and the key has it. A key takes precedence over the cookie, even if it
 * is rejected.
 */
export async function authenticateKey(
  edge: HttpEdge,
  rule: RouteRule,
  request: FastifyRequest,
  keys: readonly string[],
) {
  const [text = '', ...others] = keys
  if (others.length > 0 || sessionHeader(request) !== undefined) throw new AppError('INVALID_CREDENTIAL')
  const { scope, permission } = rule.access
  if (scope === undefined) throw new AppError('KEY_NOT_ACCEPTED')
  const found = await find(edge, rule, request, text)
  if (!found) throw new AppError('INVALID_CREDENTIAL')
  if (permission) await edge.ctx.staff.refresh(edge.ctx.db)
  request.key = await admit(edge, rule, request, { found, scope })
}

/** Privileged requests must not rely on a cached key, but a cached key is not one that does not exist. */
async function find(edge: HttpEdge, { access }: RouteRule, request: FastifyRequest, text: string) {
  const { credentials } = edge.ctx
  const known = await findKnown(edge, request, text)
  const isCopy = isSafe(request.method) && !isPrivileged(access)
  const isFresh = known === undefined || known.source === 'database'
  return isCopy || isFresh ? known : credentials.load(text, { freshness: 'fresh' })
}

async function findKnown({ ctx }: HttpEdge, request: FastifyRequest, text: string) {
  const unknown = unknownKeys(request, request.clientAddress)
  const found = await ctx.credentials.load(text, { freshness: 'copy', beforeRead: unknown.assertRoom })
  if (!found) unknown.count()
  return found
}

interface Known {
  found: FoundCredential
  scope: string
}

async function admit(edge: HttpEdge, rule: RouteRule, request: FastifyRequest, { found, scope }: Known) {
  const { provider, cached } = found
  const { view } = cached
  const address = canonicalAddress(request.clientAddress)
  const use = { now: edge.ctx.clock.now(), address }
  try {
    const scopes = assertAllowed(edge.ctx, found, {
      scopes: scope === anyScope ? [] : [scope],
      address,
      applicationId: undefined,
      resource: edge.ctx.config.PUBLIC_URL,
    })
    provider.noteUse(cached, use)
    return { view, scopes }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    await provider.noteRejection(view, error.code, use)
    if (error.code === 'INSUFFICIENT_SCOPE') {
      const details = { route: rule.name, credential: view.id, required: scope }
      await edge.audit('authz_denied', deviceOf(request), { actor: actorOf(view), details })
    }
    throw error
  }
}

/** The user of the key, or its service account. */
export const actorOf = ({ user, serviceAccount, id }: CredentialView): { id: string; user_type: string } =>
  user ?? { id: serviceAccount?.id ?? id, user_type: 'service_account' }

/**
 * Who reads, for responses that show some users more than others. A key shows only what users without a role see, even if
 * its user sees more.
 */
export const viewerOf = ({ key, auth }: FastifyRequest): { id: string; user_type: string } =>
  key ? { id: actorOf(key.view).id, user_type: '' } : auth.user
