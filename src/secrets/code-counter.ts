import type { Context } from '../context.ts'
import { keyedHash } from '../lib/hash.ts'
import { minute } from '../lib/time.ts'
import { chargeFailure, forgiveFailures, returnCharge } from '../users/counter-queries.ts'
import type { SecretPurpose } from './queries.ts'

/** Wrong guesses at one code, and at all codes of an account: 960 a day at most, of a million that there are. */
export const guesses = { perCode: 5, perAccount: 10, window: 15 * minute }

export interface CodeCharge {
  /** Too many were wrong: this one is not to be looked at. */
  isOver: boolean
  /** What the account has left, this one counted as wrong. */
  left: number
  windowEndsAt: Date
  /** It was right, and so the earlier ones were slips. */
  forgive(): Promise<void>
  /** It was right. The wrong ones stay counted. */
  refund(): Promise<void>
}

/** Counts one guess at a code of an account as wrong, before it is looked at. */
export async function chargeCode(ctx: Context, purpose: SecretPurpose, account: string): Promise<CodeCharge> {
  const key = keyedHash(ctx.config.AUTH_SECRET, 'code-counter', `${purpose}:${account}`)
  const now = ctx.clock.now()
  const { failures, window_ends_at } = await chargeFailure(ctx.db, key, {
    now: new Date(now),
    windowEnd: new Date(now + guesses.window),
    most: guesses.perAccount,
  })
  return {
    isOver: failures > guesses.perAccount,
    left: Math.max(0, guesses.perAccount - failures),
    windowEndsAt: window_ends_at,
    forgive: () => forgiveFailures(ctx.db, key),
    refund: () => returnCharge(ctx.db, key, guesses.perAccount),
  }
}
