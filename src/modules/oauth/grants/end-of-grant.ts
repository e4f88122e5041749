import type { Context } from '../../../context.ts'
import { absoluteEnd, stateOf } from '../../../sessions/session.ts'
import { mayUse } from '../authorize/decide.ts'
import type { Client } from '../clients/client-view.ts'
import type { GrantView } from './grant-view-queries.ts'

/** In milliseconds since 1970. Undefined if the session is over, or if the user may not use the client any longer. */
export function endOfGrant(ctx: Context, client: Client, grant: GrantView | undefined): number | undefined {
  if (!grant) return undefined
  const { user, session, grants } = grant
  const roles = ctx.applicationRoles.current()
  const hasPermission = (permission: string) => roles.of(grants.ids)?.has(permission) === true
  if (!mayUse(client, { user, hasPermission })) return undefined
  if (grant.is_offline) return grant.expires_at.getTime()
  const isLive = session && stateOf(ctx.config, session, user.user_type, ctx.clock.now()) === 'live'
  return isLive ? Math.min(grant.expires_at.getTime(), absoluteEnd(ctx.config, session, user.user_type)) : undefined
}
