import type { Context, Transaction, UserRow } from '../../../context.ts'
import { effectiveScopes } from '../../../http/credentials/scopes.ts'
import { AppError } from '../../../lib/errors.ts'
import { lockSession } from '../../../sessions/queries.ts'
import { absoluteEnd, stateOf } from '../../../sessions/session.ts'
import { findGrants } from '../../../users/grant-queries.ts'
import { lockUser } from '../../../users/queries.ts'
import { mayUse } from '../authorize/decide.ts'
import type { Client } from '../clients/client-view.ts'
import { isOidcScope } from '../oidc-scopes.ts'
import { type FoundGrant, type LockedGrant, lockGrant } from './grant-queries.ts'

/** A grant that is valid, with all that it depends on locked. */
export interface LiveGrant {
  grant: LockedGrant
  user: UserRow
  /** Tokens end no later, in milliseconds since 1970. */
  endsAt: number
}

/**
 * Locks the user, the session and the grant, in this order. Undefined if the grant has ended, or if the user may not use the
 * client any longer.
 */
export async function lockLiveGrant(
  tx: Transaction,
  client: Client,
  found: FoundGrant,
): Promise<LiveGrant | undefined> {
  const user = await lockUser(tx, found.user_id)
  const sessionEnd = await lockSessionEnd(tx, found, user)
  const grant = await lockGrant(tx.db, found.id)
  const now = tx.clock.now()
  if (!user || !grant || grant.ended_at !== null || grant.expires_at.getTime() <= now) return undefined
  if (Number(grant.client_epoch) < client.tokensFromEpoch) return undefined
  if (!grant.is_offline && sessionEnd === undefined) return undefined
  if (!(await mayStillUse(tx, client, user))) return undefined
  const endsAt = Math.min(grant.expires_at.getTime(), (grant.is_offline ? undefined : sessionEnd) ?? Number.MAX_VALUE)
  return { grant, user, endsAt }
}

/** The absolute end of the session. Undefined if it is over. */
async function lockSessionEnd(
  tx: Transaction,
  { session_id }: FoundGrant,
  user: UserRow | undefined,
): Promise<number | undefined> {
  const session = await lockSession(tx.db, session_id)
  if (!user || session?.status !== 'active') return undefined
  const isLive = stateOf(tx.config, session, user.user_type, tx.clock.now()) === 'live'
  return isLive ? absoluteEnd(tx.config, session, user.user_type) : undefined
}

/** The roles are read only for clients that demand a permission. */
async function mayStillUse(tx: Transaction, client: Client, user: UserRow): Promise<boolean> {
  const { requiredPermission } = client.signIn
  if (requiredPermission === null) return mayUse(client, { user, hasPermission: () => true })
  const { ids } = await findGrants(tx.db, user.id, tx.clock.now())
  const roles = tx.applicationRoles.current()
  return mayUse(client, { user, hasPermission: (permission) => roles.of(ids)?.has(permission) === true })
}

/** The roles in memory must be current before a transaction compares them. */
export const rolesAreCurrent = async ({ applicationRoles }: Context): Promise<void> => {
  await applicationRoles.whenCurrent(applicationRoles.latest)
  if (applicationRoles.version < applicationRoles.latest) throw new AppError('UNAVAILABLE', { retryAfter: 1 })
}

/** Scopes that were taken from the client or from the user meanwhile are left out. */
export async function stillAllowed(tx: Transaction, client: Client, { grant, user }: LiveGrant): Promise<string[]> {
  const kept = grant.scopes.filter((scope) => client.scopes.includes(scope))
  const scopes = kept.filter((scope) => !isOidcScope(scope))
  if (scopes.length === 0) return kept
  const grants = await findGrants(tx.db, user.id, tx.clock.now())
  const roles = tx.applicationRoles.current()
  const allowed = effectiveScopes(tx, { user, grants, scopes }, { roles, applicationId: undefined })
  return kept.filter((scope) => isOidcScope(scope) || allowed.includes(scope))
}
