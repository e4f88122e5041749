import type { FastifyRequest } from 'fastify'
import type { CachedSession, Context, RoleSet } from '../context.ts'
import type { EndUser } from '../http/access/device.ts'
import { isVisibleTo } from '../http/access/visible-session.ts'
import { AppError, type ErrorCode, sessionPending } from '../lib/errors.ts'
import { sha256 } from '../lib/hash.ts'
import { looksLikeSessionToken } from '../lib/ids.ts'
import { iso } from '../lib/time.ts'
import type { Door } from './binding.ts'
import { bridgeResponseIfChanged } from './bridge-response.ts'
import { effectiveRoles } from './effective-roles.ts'
import { lacksRoles, maxAttempts, rolesFor, rolesUnknown } from './find-with-roles.ts'
import { stateOf } from './session.ts'

/** Returns the response to a request with `credential` or `credentials`. */
export type ValidateCredentials = (request: FastifyRequest) => string | Promise<string>

export interface SessionList {
  sessionTokens: readonly string[]
  /** The following lists have the order of `sessionTokens`, and may be shorter. */
  tags: readonly string[]
  endUsers: readonly EndUser[]
}

const door: Door = {
  name: 'POST /auth/bridge/validate with session_ids',
  needs: 'ip and user_agent of each end user in end_users',
}

/** Returns one result per token, in the same order. Sessions that are not in memory are read with one statement. */
export function validateMany(ctx: Context, request: FastifyRequest, list: SessionList): string | Promise<string> {
  const hashes = list.sessionTokens.map((token) => (looksLikeSessionToken(token) ? sha256(token) : ''))
  const young = hashes.map((hash) => (hash === '' ? undefined : youngWithRoles(ctx, hash)))
  const missing = new Set(hashes.filter((hash, index) => hash !== '' && young[index] === undefined))
  for (const cached of young) if (cached) ctx.metrics.sessionLookup('memory')
  const roles = ctx.applicationRoles.current()
  const respond = (loaded?: Loaded) => resultsOf(ctx, request, { ...list, hashes, young, roles, loaded })
  return missing.size === 0 ? respond() : load(ctx, [...missing]).then(respond)
}

/** A session whose roles are not known yet is looked up like one that is not in memory. */
function youngWithRoles(ctx: Context, hash: string): CachedSession | undefined {
  const cached = ctx.sessions.recallYoung(hash)
  return cached && !lacksRoles(ctx, cached) ? cached : undefined
}

interface Loaded {
  sessions: ReadonlyMap<string, CachedSession>
  /** The roles that belong to the grants of these sessions. */
  roles: RoleSet
}

async function load(ctx: Context, hashes: string[]): Promise<Loaded> {
  const { latest } = ctx.applicationRoles
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    await ctx.applicationRoles.whenCurrent(latest)
    const sessions = await ctx.sessions.loadAll(hashes)
    const roles = await rolesFor(ctx, [...sessions.values()], latest)
    if (!roles) continue
    for (const hash of hashes) ctx.metrics.sessionLookup(sessions.has(hash) ? 'database' : 'unknown')
    return { sessions, roles }
  }
  throw rolesUnknown()
}

interface Found extends SessionList {
  hashes: readonly string[]
  young: readonly (CachedSession | undefined)[]
  /** The roles that belong to the grants of these sessions. */
  roles: RoleSet
  loaded: Loaded | undefined
}

function resultsOf(
  ctx: Context,
  request: FastifyRequest,
  { hashes, young, roles: youngRoles, loaded, tags, endUsers }: Found,
): string | Promise<string> {
  const rejections: Promise<unknown>[] = []
  const now = ctx.clock.now()
  const timestamp = iso(now)
  const results = hashes.map((hash, index) => {
    const cached = young[index] ?? loaded?.sessions.get(hash)
    if (cached === undefined || !isVisibleTo(request.bridgeSecret?.application, cached.view))
      return rejection('INVALID_SESSION')
    const { session, user } = cached.view
    if (stateOf(ctx.config, session, user.user_type, now) !== 'live') return rejection('INVALID_SESSION')
    if (session.status === 'pending') return rejection(sessionPending)
    const refused = ctx.binding.check(cached.view, endUsers[index] ?? {}, door, request)
    if (refused) {
      rejections.push(refused.catch(assertRejection))
      return rejection('INVALID_SESSION')
    }
    ctx.sessions.noteUse(cached, now)
    const source = young[index] ? 'memory' : 'database'
    const age = Math.max(0, now - cached.freshness.readAt)
    const found = { cached, source, roles: young[index] ? youngRoles : (loaded?.roles ?? youngRoles) } as const
    const roles = effectiveRoles(found, request.bridgeSecret)
    return bridgeResponseIfChanged(ctx, found, tags[index], { timestamp, age, roles })
  })
  const clock = `"process":"${ctx.node}","time":${performance.now()}`
  const text = `{"success":true,${clock},"results":[${results.join()}]}`
  return rejections.length === 0 ? text : Promise.all(rejections).then(() => text)
}

/** Any other error means that the rejection could not be recorded. */
function assertRejection(error: unknown): void {
  if (!(error instanceof AppError && error.code === 'INVALID_SESSION')) throw error
}

const rejection = (code: ErrorCode): string =>
  JSON.stringify({ success: false, error: new AppError('INVALID_SESSION').message, code })
