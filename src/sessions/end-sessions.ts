import { recordAudit } from '../audit/record.ts'
import type { Context } from '../context.ts'
import type { Change } from '../db/transact.ts'
import type { Auth } from '../http/auth.ts'
import type { Device } from '../http/device.ts'
import { sha256 } from '../lib/hash.ts'
import { looksLikeBearer } from '../lib/ids.ts'
import { lockUsers, raiseEpoch } from '../users/queries.ts'
import { endByHash, findOwner } from './queries.ts'

/** Raises the user's epoch with the change, and outdates the copies on every node once it is committed. */
export async function outdateCopies(ctx: Context, change: Change, userId: string): Promise<void> {
  const epoch = await raiseEpoch(change.db, userId)
  change.after(() => ctx.sessions.invalidate(userId, epoch))
}

/**
 * Holds the users whose sessions a change may touch: those given, and whoever owns the session of the bearer value.
 * Users come before sessions, in every change: else two of them would wait for each other.
 */
export async function lockOwners(change: Change, bearer: string | undefined, ...userIds: string[]): Promise<void> {
  const owner = bearer && looksLikeBearer(bearer) ? await findOwner(change.db, sha256(bearer)) : undefined
  if (owner) await lockUsers(change.db, [...userIds, owner])
}

/** Ends the session of a bearer value; false when it was not alive any more. */
export async function endSession(
  ctx: Context,
  change: Change,
  { bearer, user }: Pick<Auth, 'bearer' | 'user'>,
  device: Device,
): Promise<boolean> {
  await lockOwners(change, bearer)
  const ended = await endByHash(change.db, sha256(bearer), { now: new Date(ctx.clock.now()), reason: 'logout' })
  if (!ended) return false
  await outdateCopies(ctx, change, ended.user_id)
  const details = { session: ended.id }
  await recordAudit(ctx, change.db, { event: 'logout', actor: user, target: ended.user_id, device, details })
  return true
}

/** Whoever signs in anew in the same browser has left the session that was there. Its owner is held by then. */
export async function endReplacedSession(ctx: Context, change: Change, bearer: string | undefined): Promise<void> {
  if (!bearer || !looksLikeBearer(bearer)) return
  const ended = await endByHash(change.db, sha256(bearer), { now: new Date(ctx.clock.now()), reason: 'replaced' })
  if (!ended) return
  await outdateCopies(ctx, change, ended.user_id)
  await recordAudit(ctx, change.db, {
    event: 'session_ended',
    target: ended.user_id,
    details: { session: ended.id, reason: 'replaced' },
  })
}
