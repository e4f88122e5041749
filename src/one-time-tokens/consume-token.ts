import { recordAudit } from '../audit/record.ts'
import type { Context } from '../context.ts'
import type { RequestDevice } from '../http/access/device.ts'
import { AppError } from '../lib/errors.ts'
import { sha256 } from '../lib/hash.ts'
import { lockUsers } from '../users/queries.ts'
import { consumeToken, findOwnerId, type TokenPurpose } from './queries.ts'

/** Throws INVALID_TOKEN. A conditional UPDATE prevents parallel use. The user lock serializes use and invalidation. */
export async function consumeOneTimeToken(ctx: Context, purpose: TokenPurpose, secret: string) {
  const hash = sha256(secret)
  const owner = await findOwnerId(ctx.db, purpose, hash)
  if (owner) await lockUsers(ctx.db, [owner])
  const redeemed = await consumeToken(ctx.db, purpose, hash, ctx.clock.date())
  if (!redeemed) throw new AppError('INVALID_TOKEN')
  return redeemed
}

export async function recordingRejection<Result>(
  ctx: Context,
  purpose: TokenPurpose | 'email_change',
  device: RequestDevice,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof AppError && (error.code === 'INVALID_TOKEN' || error.code === 'INVALID_CODE')) {
      const details = { reason: error.code === 'INVALID_CODE' ? `${purpose}_code` : purpose }
      await recordAudit(ctx, { event: 'token_rejected', outcome: 'failure', device, details })
    }
    throw error
  }
}
