import type { FastifyRequest } from 'fastify'
import type { Context, CredentialKind, FoundCredential, FoundSession, PreparedResponse } from '../context.ts'
import { isVisibleTo } from '../http/access/visible-session.ts'
import type { Demands } from '../http/credentials/assert-allowed.ts'
import { canonicalAddress } from '../lib/address.ts'
import { AppError, invalidField } from '../lib/errors.ts'
import { looksLikeSessionToken } from '../lib/ids.ts'
import { hashOf, loadSession, recallSession } from '../sessions/authenticate.ts'
import type { Door } from '../sessions/binding.ts'
import { effectiveRoles } from '../sessions/effective-roles.ts'
import { holdsScopes } from '../sessions/gateway-query.ts'
import { prepareCredential, prepareSession } from './responses.ts'
import { type UsedCredential, useCredential } from './use-credential.ts'

/** A credential and what the back end demands of it. */
export interface Presented extends Pick<Demands, 'scopes' | 'resource'> {
  text: string
  accept: readonly CredentialKind[] | undefined
  ip: string | undefined
  userAgent: string | undefined
  compare?: 'user_agent' | undefined
  /** Whether the back end may also cache the result: as in `recallYoung`. */
  young: boolean
}

export interface Valid {
  prepared: PreparedResponse
  source: FoundSession['source']
  /** When the credential was read. */
  readAt: number
}

const door: Door = { needs: 'ip and user_agent of the end user with each credential' }

/**
 * Returns no promise if the credential is in memory and valid. Throws INVALID_CREDENTIAL, KEY_PAUSED, KEY_NETWORK,
 * INSUFFICIENT_SCOPE, RESOURCE_REQUIRED or RATE_LIMITED.
 */
export function validateCredential(
  ctx: Context,
  request: FastifyRequest,
  presented: Presented,
): Valid | Promise<Valid> {
  const { text, accept } = presented
  const isSession = looksLikeSessionToken(text)
  const recalled = isSession ? undefined : recall(ctx, presented)
  const kind = isSession ? 'session' : (recalled?.cached.view.kind ?? ctx.credentials.recognize(text)?.kind)
  if (kind === undefined || (accept && !accept.includes(kind))) throw new AppError('INVALID_CREDENTIAL')
  if (kind === 'token' && presented.resource === undefined) throw new AppError('RESOURCE_REQUIRED')
  return isSession ? validateSession(ctx, request, presented) : validateOfModule(ctx, request, presented, recalled)
}

const recall = ({ credentials }: Context, { text, young }: Presented): FoundCredential | undefined =>
  young ? credentials.recallYoung(text) : credentials.recall(text)

function validateSession(ctx: Context, request: FastifyRequest, presented: Presented): Valid | Promise<Valid> {
  const hash = hashOf(presented.text)
  const cached = recallSession(ctx, hash, presented.young)
  if (cached) {
    const roles = ctx.applicationRoles.current()
    return judgeSession(ctx, request, presented, { cached, source: 'memory', roles })
  }
  return loadSession(ctx, hash, 'copy').then((found) => judgeSession(ctx, request, presented, found), asInvalid)
}

function judgeSession(
  ctx: Context,
  request: FastifyRequest,
  presented: Presented,
  found: FoundSession,
): Valid | Promise<Valid> {
  const { view } = found.cached
  if (view.session.status !== 'active' || !isVisibleTo(request.bridgeSecret?.application, view))
    throw new AppError('INVALID_CREDENTIAL')
  const { ip, userAgent: user_agent, compare } = presented
  const checked = ctx.binding.check(view, { ip, user_agent, compare }, door, request)
  const accept = () => acceptSession(ctx, request, presented, found)
  return checked ? checked.then(accept, asInvalid) : accept()
}

function acceptSession(ctx: Context, request: FastifyRequest, { scopes }: Presented, found: FoundSession): Valid {
  const { cached, source } = found
  const roles = effectiveRoles(found, request.bridgeSecret)
  if (scopes.length > 0 && !holdsScopes(ctx, cached.view.user, roles, scopes))
    throw new AppError('INSUFFICIENT_SCOPE', { required: scopes })
  ctx.sessions.noteUse(cached, ctx.clock.now())
  return { prepared: prepareSession(ctx, found, roles), source, readAt: cached.freshness.readAt }
}

/** All reasons look alike. */
function asInvalid(error: unknown): never {
  throw error instanceof AppError && error.status === 401 ? new AppError('INVALID_CREDENTIAL') : error
}

function validateOfModule(
  ctx: Context,
  request: FastifyRequest,
  { text, scopes, ip, resource }: Presented,
  recalled: FoundCredential | undefined,
): Valid | Promise<Valid> {
  const used = useCredential(ctx, request, { text, recalled, scopes, resource, address: addressOf(ip) })
  return used instanceof Promise ? used.then((one) => validOf(ctx, request, one)) : validOf(ctx, request, used)
}

function validOf(ctx: Context, { bridgeSecret }: FastifyRequest, { found, scopes }: UsedCredential): Valid {
  const prepared = prepareCredential(ctx, found, { scopes, applicationId: bridgeSecret?.application?.id })
  return { prepared, source: found.source, readAt: found.cached.freshness.readAt }
}

function addressOf(ip: string | undefined): string | undefined {
  if (ip === undefined || ip === '') return undefined
  const address = canonicalAddress(ip)
  if (address === undefined) throw invalidField('ip', 'must be an IP address')
  return address
}
