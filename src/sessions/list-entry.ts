import type { Context } from '../context.ts'
import { iso } from '../lib/time.ts'
import type { ListedSession } from './queries.ts'
import { expiryOf, stateOf } from './session.ts'

/**
 * For readers who are not superadmins. They see that a superadmin is acting as the user, but not the superadmin's IP
 * address or device.
 */
export const maskedListEntry = (...[ctx, session, userType]: Parameters<typeof listEntry>) => ({
  ...listEntry(ctx, session, userType),
  ...(session.impersonated_by !== null && { ipAddress: '', userAgent: '', userDevice: '' }),
})

/** Contains no credentials: `sessionPrefix` is a prefix of the token's hash. */
export const listEntry = (ctx: Pick<Context, 'config' | 'clock'>, session: ListedSession, userType: string) => ({
  id: session.id,
  sessionPrefix: session.token_hash.toString('hex', 0, 4),
  ipAddress: session.ip_address,
  userAgent: session.user_agent,
  userDevice: session.device_id ?? session.user_device,
  lastUsedAt: iso(session.last_used_at),
  application: session.application,
  applicationId: session.application_id,
  parentId: session.parent_id,
  impersonated: session.impersonated_by !== null,
  createdAt: iso(session.created_at),
  expiresAt: iso(expiryOf(ctx.config, session, userType)),
  // An expired session's row may still have the status `active`.
  status: stateOf(ctx.config, session, userType, ctx.clock.now()) === 'expired' ? ('expired' as const) : session.status,
})
