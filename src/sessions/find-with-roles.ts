import type { CachedSession, Context, FoundSession, LookedUp } from '../context.ts'
import { AppError } from '../lib/errors.ts'

type Freshness = 'copy' | 'fresh'

/** How often a session is read again because its user's roles changed during the read. */
const maxAttempts = 5

/** Whether the session was read after a change of roles that this node has not read yet. */
export const lacksRoles = ({ applicationRoles }: Context, { view }: CachedSession): boolean =>
  view.grants.version > applicationRoles.version

/**
 * Finds a session together with the roles that belong to its grants. The roles are at least as late as the grants, and
 * the grants have not changed since, so the response never combines roles and permissions of different times.
 */
export async function findWithRoles(
  ctx: Context,
  hash: string,
  freshness: Freshness,
): Promise<FoundSession | undefined> {
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const found = await lookUp(ctx, hash, freshness)
    if (!found) return undefined
    await ctx.applicationRoles.whenCurrent(found.cached.view.grants.version)
    const roles = ctx.applicationRoles.current()
    if (belongTogether(ctx, found.cached)) return { ...found, roles }
  }
  throw rolesUnknown()
}

/** Without application roles, there is nothing to combine. */
export const belongTogether = (ctx: Context, cached: CachedSession): boolean =>
  !lacksRoles(ctx, cached) && (ctx.applicationRoles.current().isEmpty || ctx.sessions.isCurrent(cached))

export const rolesUnknown = () => new AppError('UNAVAILABLE', { retryAfter: 1 })

/** A cached session whose roles have changed is served after the roles were read, without reading the session. */
async function lookUp(ctx: Context, hash: string, freshness: Freshness): Promise<LookedUp | undefined> {
  if (freshness === 'fresh') return ctx.sessions.loadFresh(hash)
  const waiting = ctx.applicationRoles.whenCurrent(0)
  if (!waiting) return ctx.sessions.load(hash)
  await waiting
  const cached = ctx.sessions.recall(hash)
  return cached ? { cached, source: 'memory' } : ctx.sessions.load(hash)
}
