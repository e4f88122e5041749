import type { FastifyRequest } from 'fastify'
import type { CachedSession, Context, FoundSession, SessionView, Transaction, UserRow } from '../context.ts'
import type { AuthenticateSession, Caller } from '../http/access/auth.ts'
import type { EndUser } from '../http/access/device.ts'
import { isVisibleTo } from '../http/access/visible-session.ts'
import { AppError } from '../lib/errors.ts'
import { sha256 } from '../lib/hash.ts'
import { looksLikeSessionToken } from '../lib/ids.ts'
import { lockUser, withoutPassword } from '../users/queries.ts'
import type { Door } from './binding.ts'
import { findWithRoles, lacksRoles } from './find-with-roles.ts'
import { noteSeenInUrl } from './partial-queries.ts'
import { isUnendedSession } from './queries.ts'
import { stateOf } from './session.ts'

/** Throws INVALID_SESSION or SESSION_EXPIRED. Returns cached sessions without waiting for I/O. */
export const authenticate =
  (ctx: Context): AuthenticateSession =>
  async (sessionToken, { freshness, countsAsUse, inAddress, caller, backEnd }) => {
    const hash = hashOf(sessionToken)
    const recalled = freshness === 'copy' ? recallSession(ctx, hash) : undefined
    const { cached, source, roles } = recalled
      ? { cached: recalled, source: 'memory' as const, roles: ctx.applicationRoles.current() }
      : await loadSession(ctx, hash, freshness).catch((error) => {
          throw backEnd ? asUnknown(error) : error
        })
    if (!isVisibleTo(backEnd, cached.view)) throw new AppError('INVALID_SESSION')
    if (caller && ctx.config.SESSION_BINDING !== 'off') {
      const rejection = ctx.binding.check(cached.view, endUserOf(caller), door, caller.request)
      if (rejection) await rejection
    }
    if (countsAsUse && cached.view.session.status === 'active') ctx.sessions.noteUse(cached, ctx.clock.now())
    return { ...(inAddress ? await notingAddress(ctx, cached.view) : cached.view), source, roles }
  }

/** Back ends cannot distinguish a session that has expired from one that does not exist. */
export const asUnknown = (error: unknown): unknown =>
  error instanceof AppError && error.code === 'SESSION_EXPIRED' ? new AppError('INVALID_SESSION') : error

/** Reads the session in a browser's cookie from the database. Throws like `authenticate`. */
export async function loadFromCookie(
  ctx: Context,
  sessionToken: string,
  request: FastifyRequest,
): Promise<FoundSession> {
  const found = await loadSession(ctx, hashOf(sessionToken), 'fresh')
  const caller = { request, isBackEnd: false }
  await ctx.binding.check(found.cached.view, endUserOf(caller), door, request)
  return found
}

/** A back end's own IP address and user agent say nothing about its user. */
const endUserOf = ({ request, isBackEnd }: Caller): EndUser =>
  isBackEnd
    ? { ip: textOf(request, 'x-end-user-ip'), user_agent: textOf(request, 'x-end-user-agent') }
    : { ip: request.clientAddress, user_agent: request.headers['user-agent'] ?? '' }

const textOf = ({ headers }: FastifyRequest, name: string): string | undefined => headers[name]?.toString()

const door: Door = { needs: 'the headers X-End-User-IP and X-End-User-Agent' }

/** A partial session whose token has appeared in a URL receives a new token when the session is completed. */
async function notingAddress(ctx: Context, view: SessionView): Promise<SessionView> {
  if (view.session.status !== 'pending' || view.session.seen_in_url) return view
  await noteSeenInUrl(ctx.db, view.session.id)
  return { ...view, session: { ...view.session, seen_in_url: true } }
}

/** Returns the hash that identifies the session in every cache. Rejects malformed tokens without a lookup. */
export function hashOf(sessionToken: string): string {
  if (!looksLikeSessionToken(sessionToken)) throw new AppError('INVALID_SESSION')
  return sha256(sessionToken)
}

/** Returns undefined if a lookup is needed. `young`: as in `recallYoung`. */
export function recallSession(ctx: Context, hash: string, young = false): CachedSession | undefined {
  const cached = young ? ctx.sessions.recallYoung(hash) : ctx.sessions.recall(hash)
  if (!cached || lacksRoles(ctx, cached)) return undefined
  ctx.metrics.sessionLookup('memory')
  return cached
}

/** Loads the session from the shared cache or the database. With `fresh`, always reads the database. */
export async function loadSession(ctx: Context, hash: string, freshness: 'copy' | 'fresh'): Promise<FoundSession> {
  const found = await findWithRoles(ctx, hash, freshness)
  ctx.metrics.sessionLookup(found?.source ?? 'unknown')
  if (!found) throw new AppError('INVALID_SESSION')
  const { session, user } = found.cached.view
  const state = stateOf(ctx.config, session, user.user_type, ctx.clock.now())
  if (state === 'expired') throw new AppError('SESSION_EXPIRED')
  if (state === 'ended') throw new AppError('INVALID_SESSION')
  return found
}

export async function lockCaller(tx: Transaction, { user, session }: SessionView): Promise<UserRow> {
  const found = await lockUser(tx, user.id)
  if (!found || !(await isUnendedSession(tx.db, session.id))) throw new AppError('INVALID_SESSION')
  return withoutPassword(found)
}
