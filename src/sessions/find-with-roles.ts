import type { CachedSession, Context, FoundSession, LookedUp, RoleSet } from '../context.ts'
import { AppError } from '../lib/errors.ts'

type Freshness = 'copy' | 'fresh'

/** How often a session is read again because its user's roles changed during the read. */
export const maxAttempts = 20

/** Whether the session was read after a change of roles that this node has not read yet. */
export const lacksRoles = ({ applicationRoles }: Context, { rolesVersion }: CachedSession): boolean =>
  rolesVersion > applicationRoles.version

/**
 * Finds a session together with the roles that belong to its grants. The roles are at least as late as the grants, and
 * the grants have not changed since, so the response never combines roles and permissions of different times.
 */
export async function findWithRoles(
  ctx: Context,
  hash: string,
  freshness: Freshness,
): Promise<FoundSession | undefined> {
  const { latest } = ctx.applicationRoles
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const found = await lookUp(ctx, hash, freshness)
    if (!found) return undefined
    const roles = await rolesFor(ctx, [found.cached], latest)
    if (roles) return { ...found, roles }
  }
  throw rolesUnknown()
}

/** The roles that belong to the grants of these sessions. Undefined if the grants have changed since they were read. */
export async function rolesFor(
  ctx: Context,
  found: readonly CachedSession[],
  latest: number,
): Promise<RoleSet | undefined> {
  const needed = found.reduce((most, { rolesVersion }) => Math.max(most, rolesVersion), latest)
  await ctx.applicationRoles.whenCurrent(needed)
  const roles = ctx.applicationRoles.current()
  // They cannot be read. The session is neither accepted nor rejected.
  if (roles.version < needed) throw rolesUnknown()
  // Without application roles, there is nothing to combine.
  return roles.isEmpty || found.every(ctx.sessions.isCurrent) ? roles : undefined
}

export const rolesUnknown = () => new AppError('UNAVAILABLE', { retryAfter: 1 })

/** A cached session whose roles have changed is served after the roles were read, without reading the session. */
async function lookUp(ctx: Context, hash: string, freshness: Freshness): Promise<LookedUp | undefined> {
  if (freshness === 'fresh') return ctx.sessions.loadFresh(hash)
  const waiting = ctx.applicationRoles.whenCurrent(ctx.applicationRoles.latest)
  if (!waiting) return ctx.sessions.load(hash)
  await waiting
  const cached = ctx.sessions.recall(hash)
  return cached ? { cached, source: 'memory' } : ctx.sessions.load(hash)
}
