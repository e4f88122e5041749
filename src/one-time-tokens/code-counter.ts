import type { Context } from '../context.ts'
import { keyedHash } from '../lib/hash.ts'
import { minute } from '../lib/time.ts'
import { chargeFailure, forgiveFailures, returnCharge } from '../users/counter-queries.ts'
import type { TokenPurpose } from './queries.ts'

/**
 * The limits on wrong attempts, per code and per account. They allow 960 attempts a day, and there are a million
 * possible codes.
 */
export const guesses = { perCode: 5, perAccount: 10, window: 15 * minute }

export interface CodeCharge {
  /** If true, the limit is exceeded and the code must not be checked. */
  isOver: boolean
  /** The remaining attempts if this attempt is wrong. */
  left: number
  windowEndsAt: Date
  /** Resets the counter. Call this after a correct code. */
  forgive(): Promise<void>
  /** Refunds this attempt but keeps earlier wrong attempts. Call this after a correct code. */
  refund(): Promise<void>
}

/** Counts the attempt as wrong before the code is checked. */
export async function chargeCode(ctx: Context, purpose: TokenPurpose, account: string): Promise<CodeCharge> {
  const key = keyedHash(ctx.config.AUTH_SECRET, 'code-counter', `${purpose}:${account}`)
  const now = ctx.clock.now()
  const { failures, window_ends_at } = await chargeFailure(ctx.db, key, {
    now: new Date(now),
    windowEnd: new Date(now + guesses.window),
    max: guesses.perAccount,
  })
  return {
    isOver: failures > guesses.perAccount,
    left: Math.max(0, guesses.perAccount - failures),
    windowEndsAt: window_ends_at,
    forgive: () => forgiveFailures(ctx.db, key),
    refund: () => returnCharge(ctx.db, key, guesses.perAccount),
  }
}
