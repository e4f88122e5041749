import type { FastifyRequest } from 'fastify'
import type { Context, CredentialKind, CredentialProvider, FoundSession } from '../context.ts'
import { isVisibleTo } from '../http/access/visible-session.ts'
import type { Demands } from '../http/credentials/assert-allowed.ts'
import { canonicalAddress } from '../lib/address.ts'
import { AppError, invalidField } from '../lib/errors.ts'
import { looksLikeSessionToken } from '../lib/ids.ts'
import { hashOf, loadSession, recallSession } from '../sessions/authenticate.ts'
import type { Door } from '../sessions/binding.ts'
import { effectiveRoles } from '../sessions/effective-roles.ts'
import { holdsScopes } from '../sessions/gateway-query.ts'
import { type Prepared, prepareCredential, prepareSession } from './responses.ts'
import { useCredential } from './use-credential.ts'

/** A credential and what the back end demands of it. */
export interface Presented extends Pick<Demands, 'scopes'> {
  text: string
  accept: readonly CredentialKind[] | undefined
  ip: string | undefined
  userAgent: string | undefined
  compare?: 'user_agent' | undefined
  /** Whether the back end may also cache the result: as in `recallYoung`. */
  young: boolean
}

export interface Valid {
  prepared: Prepared
  source: FoundSession['source']
  /** When the credential was read. */
  readAt: number
}

const door: Door = { needs: 'ip and user_agent of the end user with each credential' }

/** Throws INVALID_CREDENTIAL, KEY_PAUSED, KEY_NETWORK, INSUFFICIENT_SCOPE or RATE_LIMITED. */
export async function validateCredential(ctx: Context, request: FastifyRequest, presented: Presented): Promise<Valid> {
  const { text, accept } = presented
  const isSession = looksLikeSessionToken(text)
  const provider = isSession ? undefined : ctx.credentials.recognize(text)
  const kind = isSession ? 'session' : provider?.kind
  if (kind === undefined || (accept && !accept.includes(kind))) throw new AppError('INVALID_CREDENTIAL')
  return provider
    ? validateOfModule(ctx, request, { ...presented, provider })
    : validateSession(ctx, request, presented)
}

async function validateSession(ctx: Context, request: FastifyRequest, presented: Presented) {
  const hash = hashOf(presented.text)
  const recalled = recallSession(ctx, hash, presented.young)
  const found: FoundSession = recalled
    ? { cached: recalled, source: 'memory', roles: ctx.applicationRoles.current() }
    : await loadSession(ctx, hash, 'copy').catch(asInvalid)
  const { cached } = found
  const { session, user } = cached.view
  if (session.status !== 'active' || !isVisibleTo(request.bridgeSecret?.application, session))
    throw new AppError('INVALID_CREDENTIAL')
  const { ip, userAgent: user_agent, compare } = presented
  await ctx.binding.check(cached.view, { ip, user_agent, compare }, door, request)?.catch(asInvalid)
  const roles = effectiveRoles(found, request.bridgeSecret)
  if (presented.scopes.length > 0 && !holdsScopes(ctx, user, roles, presented.scopes))
    throw new AppError('INSUFFICIENT_SCOPE', { required: presented.scopes })
  ctx.sessions.noteUse(cached, ctx.clock.now())
  return { prepared: prepareSession(ctx, found, roles), source: found.source, readAt: cached.freshness.readAt }
}

/** All reasons look alike. */
function asInvalid(error: unknown): never {
  throw error instanceof AppError && error.status === 401 ? new AppError('INVALID_CREDENTIAL') : error
}

interface OfModule extends Presented {
  provider: CredentialProvider
}

async function validateOfModule(
  ctx: Context,
  request: FastifyRequest,
  { text, provider, scopes, young, ip }: OfModule,
): Promise<Valid> {
  const used = await useCredential(ctx, request, { provider, text, scopes, address: addressOf(ip), young })
  const { cached, source } = used.found
  const applicationId = request.bridgeSecret?.application?.id
  const prepared = prepareCredential(ctx, used.found, { scopes: used.scopes, applicationId })
  return { prepared, source, readAt: cached.freshness.readAt }
}

function addressOf(ip: string | undefined): string | undefined {
  if (ip === undefined || ip === '') return undefined
  const address = canonicalAddress(ip)
  if (address === undefined) throw invalidField('ip', 'must be an IP address')
  return address
}
