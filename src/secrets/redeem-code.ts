import type { Context } from '../context.ts'
import type { Db } from '../db/tables.ts'
import { keyedHash } from '../lib/hash.ts'
import { minute } from '../lib/time.ts'
import { chargeFailure, forgiveFailures } from '../users/counter-queries.ts'
import { lockUsers } from '../users/queries.ts'
import { codeHash } from './issue.ts'
import { findSecret, guessCode, type ProvenSecret, type SecretPurpose } from './queries.ts'

/** Wrong guesses at one code, and at all codes of an account: 960 a day at most, of a million that there are. */
const guesses = { perCode: 5, perAccount: 10, window: 15 * minute }

/**
 * Spends the secret beside which this code stands. Undefined when the code is wrong, used, expired or guessed at too
 * often: one answer. The transaction must then be committed all the same, for it holds the guess.
 */
export async function redeemCode(
  ctx: Context,
  db: Db,
  purpose: SecretPurpose,
  { id, code }: { id: string; code: string },
): Promise<ProvenSecret | undefined> {
  const found = await findSecret(db, purpose, id)
  // Ids of nothing are looked for and counted all the same: they cost the same work as others.
  await lockUsers(db, [found?.user_id ?? id])
  const account = found?.user_id ?? found?.target ?? id
  const counter = keyedHash(ctx.config.AUTH_SECRET, 'code-counter', `${purpose}:${account}`)
  const now = ctx.clock.now()
  const { failures } = await chargeFailure(db, counter, {
    now: new Date(now),
    windowEnd: new Date(now + guesses.window),
    most: guesses.perAccount,
  })
  if (failures > guesses.perAccount) return undefined
  const guess = { id, hash: codeHash(ctx, id, code), most: guesses.perCode, now: new Date(now) }
  const proven = await guessCode(db, purpose, guess)
  if (proven) await forgiveFailures(db, counter)
  return proven
}
