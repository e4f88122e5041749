import type { Context } from '../context.ts'
import type { RequestAuth } from '../http/access/auth.ts'
import type { RequestDevice } from '../http/access/device.ts'
import { AppError } from '../lib/errors.ts'
import { minute } from '../lib/time.ts'
import { type CreatedSession, createSession } from '../sessions/create-session.ts'
import { assertRecentProof, expiryOf } from '../sessions/session.ts'
import { findBlock } from '../users/block-queries.ts'
import { readReason } from './block-user.ts'
import { withLockedTarget } from './locked-target.ts'

const lifetime = 15 * minute

interface ImpersonationInput {
  targetId: string
  reason: string
  device: RequestDevice
}

/**
 * Both users and the role are locked, so the administrator cannot lose the permission before the session is created.
 * Losing it later ends the session.
 */
export function impersonate(ctx: Context, auth: RequestAuth, input: ImpersonationInput): Promise<CreatedSession> {
  assertRecentProof(ctx, auth)
  const { targetId, device } = input
  const reason = readReason(input.reason)
  const { session } = auth
  return withLockedTarget(ctx, { actor: auth.user, sessionId: session.id, targetId, device }, async (locked) => {
    const { tx, actor, target, allow } = locked
    if (target.deleted_at || actor.id === null) throw new AppError('NOT_FOUND')
    await tx.staff.hold(tx.db, actor.user_type)
    await allow('impersonate')
    if (await findBlock(tx.db, target.id, tx.clock.date())) throw new AppError('ACCOUNT_BLOCKED')
    // The superadmin's own session may expire before the impersonated session. Expiry causes no database write, so
    // nothing else would end the impersonated session.
    const end = Math.min(tx.clock.now() + lifetime, expiryOf(tx.config, session, actor.user_type))
    const impersonation = { by: actor, sessionId: session.id, reason, endsAt: new Date(end) }
    return createSession(tx, { userId: target.id, proof: 'impersonation', device, impersonation })
  })
}
