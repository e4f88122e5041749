import type { Context, SessionView } from '../context.ts'
import type { Transaction } from '../db/transact.ts'
import { AppError } from '../lib/errors.ts'
import { sha256 } from '../lib/hash.ts'
import { newBearer } from '../lib/ids.ts'
import { type UserWithPassword, withoutPassword } from '../users/queries.ts'
import { invalidateSessions } from './end-sessions.ts'
import { ownerOf } from './known-device.ts'
import type { OpenedSession } from './open-session.ts'
import { promotePartial } from './partial-queries.ts'

interface Partial {
  /** The value that its holder has. */
  bearer: string
  session: SessionView['session']
  /** As it is now, held until the transaction ends. */
  user: UserWithPassword
}

/**
 * The second factor was right: the partial session becomes a full one. Its value stays the same when only its holder has
 * ever had it; one that was part of an address is dead from now on, and the holder gets another.
 */
export async function promoteSession(
  ctx: Context,
  tx: Transaction,
  { bearer, session, user }: Partial,
): Promise<OpenedSession> {
  const now = ctx.clock.now()
  const fresh = newBearer()
  const promoted = await promotePartial(tx.db, session.id, {
    now: new Date(now),
    pendingSince: new Date(now - ctx.config.PARTIAL_SESSION_TTL),
    newHash: sha256(fresh),
    replaces: ctx.config.PROMOTION_ROTATE === 'always' ? 'any' : 'seen',
  })
  if (!promoted) throw new AppError('INVALID_SESSION')
  await invalidateSessions(ctx, tx, user.id)
  const times = { started_at: new Date(now), last_used_at: new Date(now), proved_at: new Date(now) }
  return {
    bearer: promoted.has_new_value ? fresh : bearer,
    view: {
      session: { ...session, ...times, status: 'active', two_factor_verified: true },
      user: withoutPassword(user),
      epoch: Number(user.session_epoch),
    },
    pending: undefined,
    owner: ownerOf(ctx.config, user),
  }
}
