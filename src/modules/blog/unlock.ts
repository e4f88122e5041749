import { recordAudit } from '../../audit/record.ts'
import type { Context } from '../../context.ts'
import type { RequestDevice } from '../../http/access/device.ts'
import { addressKey } from '../../lib/address.ts'
import { AppError, limitEnd } from '../../lib/errors.ts'
import { keyedHash } from '../../lib/hash.ts'
import { type AttemptCharge, countAttempt } from '../../users/guess-charge.ts'
import type { PostRow } from './queries.ts'

/** Counts the attempt before the password is compared so that parallel attempts cannot exceed the limit. */
export async function assertPostUnlocked(
  ctx: Context,
  { id, password_hash }: Pick<PostRow, 'id' | 'password_hash'>,
  shown: string | undefined,
  device: RequestDevice,
): Promise<void> {
  if (shown === undefined) throw new AppError('PASSWORD_REQUIRED')
  const { attempts, windowMs } = ctx.config.RATE_LIMIT_UNLOCK
  const key = keyedHash(ctx.config.AUTH_SECRET, 'unlock', `${addressKey(device.address)} ${id}`)
  ctx.passwords.assertRoom()
  const charge = await countAttempt(ctx, key, { attempts, lengthMs: windowMs })
  if (charge.verdict !== 'evaluate') {
    const details = { class: 'unlock', post_id: id }
    // Records one event per window, as for other limits.
    if (charge.state.failures === attempts + 1)
      await recordAudit(ctx, { event: 'rate_limited', outcome: 'failure', device, details })
    throw tooMany(ctx, charge, attempts)
  }
  const matches = await ctx.passwords.verify(password_hash, shown).catch(async (error) => {
    await charge.refund()
    throw error
  })
  if (matches) return charge.refund()
  await charge.keep()
  await recordAudit(ctx, {
    event: 'authz_denied',
    outcome: 'failure',
    device,
    details: { post_id: id, code: 'PASSWORD_REQUIRED' },
  })
  throw new AppError('PASSWORD_REQUIRED')
}

function tooMany(ctx: Context, { state, verdict }: AttemptCharge, attempts: number): AppError {
  const now = ctx.clock.now()
  const { resetsAt, retryAfter } = limitEnd(now, state.window_ends_at.getTime() - now)
  return new AppError('RATE_LIMITED', {
    limit: { limit: attempts, remaining: 0, resetsAt },
    retryAfter: verdict === 'later' ? 1 : retryAfter,
  })
}
