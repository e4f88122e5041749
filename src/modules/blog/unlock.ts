import type { Context } from '../../context.ts'
import type { Device } from '../../http/device.ts'
import { addressKey } from '../../lib/address.ts'
import { AppError } from '../../lib/errors.ts'
import { keyedHash } from '../../lib/hash.ts'
import { chargeFailure, returnCharge } from '../../users/counter-queries.ts'
import type { PostRow } from './queries.ts'

/**
 * Lets somebody read a post who shows its password. An attempt is charged before the password is looked at, so that
 * parallel guesses cannot outrun the counter, and given back when it was right.
 */
export async function assertUnlocked(
  ctx: Context,
  { id, password_hash }: Pick<PostRow, 'id' | 'password_hash'>,
  shown: string | undefined,
  device: Device,
): Promise<void> {
  if (shown === undefined) throw new AppError('PASSWORD_REQUIRED')
  const { attempts, windowMs } = ctx.config.RATE_LIMIT_UNLOCK
  const now = ctx.clock.now()
  const key = keyedHash(ctx.config.AUTH_SECRET, 'unlock', `${addressKey(device.address)} ${id}`)
  ctx.passwords.assertRoom()
  const state = await chargeFailure(ctx.db, key, {
    now: new Date(now),
    windowEnd: new Date(now + windowMs),
    most: attempts,
  })
  const resets = state.window_ends_at.getTime()
  const limit = {
    limit: attempts,
    remaining: Math.max(0, attempts - state.failures),
    resetsAt: Math.ceil(resets / 1000),
  }
  if (state.failures > attempts)
    throw new AppError('RATE_LIMITED', { limit, retryAfter: Math.max(1, Math.ceil((resets - now) / 1000)) })
  if (!(await ctx.passwords.verify(password_hash, shown))) throw new AppError('PASSWORD_REQUIRED')
  await returnCharge(ctx.db, key)
}
