import type { Context } from '../context.ts'
import { keyedHash } from '../lib/hash.ts'
import { minute } from '../lib/time.ts'
import { chargeFailure, forgiveFailures, returnCharge } from '../users/counter-queries.ts'
import type { TokenPurpose } from './queries.ts'

/** The maximum number of wrong attempts per code and per account. This allows 960 guesses a day at a million codes. */
export const guesses = { perCode: 5, perAccount: 10, window: 15 * minute }

export interface CodeCharge {
  /** Whether the limit is exceeded. The code must then not be checked. */
  isOver: boolean
  /** The remaining attempts if this one is wrong. */
  left: number
  windowEndsAt: Date
  /** Call this if the code was correct. Resets the counter. */
  forgive(): Promise<void>
  /** Call this if the code was correct. Earlier wrong codes still count. */
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
