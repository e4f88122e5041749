import type { Context } from '../context.ts'
import { lockUsers } from '../users/queries.ts'
import { chargeCode, guesses } from './code-counter.ts'
import { codeHash } from './one-time-token.ts'
import { type ConsumedToken, findToken, guessCode, type TokenPurpose } from './queries.ts'

/** Returns undefined for any failure. The transaction must be committed because it records the attempt. */
export async function consumeOneTimeCode(
  ctx: Context,
  purpose: TokenPurpose,
  { id, code }: { id: string; code: string },
): Promise<ConsumedToken | undefined> {
  const found = await findToken(ctx.db, purpose, id)
  // Does the same work for unknown ids to prevent timing attacks.
  await lockUsers(ctx.db, [found?.user_id ?? id])
  const charge = await chargeCode(ctx, purpose, found?.user_id ?? found?.target ?? id)
  if (charge.isOver) return undefined
  const now = ctx.clock.date()
  const proven = await guessCode(ctx.db, purpose, { id, hash: codeHash(ctx, id, code), max: guesses.perCode, now })
  if (proven) await charge.forgive()
  return proven
}
