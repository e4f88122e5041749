import type { Context } from '../context.ts'
import type { Db } from '../db/tables.ts'
import { AppError } from '../lib/errors.ts'
import { sha256 } from '../lib/hash.ts'
import { consumeSecret, type SecretPurpose } from './queries.ts'

/**
 * Spends a secret and gives what its own row says, or throws INVALID_TOKEN: unknown, used, expired and made for another
 * purpose are one answer. Call it in the transaction of its effect, after everything else was checked.
 */
export async function redeemSecret(ctx: Context, db: Db, purpose: SecretPurpose, secret: string) {
  const redeemed = await consumeSecret(db, purpose, sha256(secret), new Date(ctx.clock.now()))
  if (!redeemed) throw new AppError('INVALID_TOKEN')
  return redeemed
}
