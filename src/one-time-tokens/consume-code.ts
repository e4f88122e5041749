import type { Context } from '../context.ts'
import { lockUsers } from '../users/queries.ts'
import { chargeCode, guesses } from './code-counter.ts'
import { codeHash } from './one-time-token.ts'
import { type ConsumedToken, checkCode, findToken, guessCode, type TokenPurpose } from './queries.ts'

interface IdentifiedCode {
  id: string
  code: string
}

/** Returns undefined for any failure. The transaction must be committed because it records the attempt. */
export const consumeOneTimeCode = (ctx: Context, purpose: TokenPurpose, code: IdentifiedCode) =>
  tryCode(ctx, purpose, code, 'spend')

/** Like `consumeOneTimeCode`, but a correct code stays valid. */
export const checkOneTimeCode = (ctx: Context, purpose: TokenPurpose, code: IdentifiedCode) =>
  tryCode(ctx, purpose, code, 'keep')

async function tryCode(
  ctx: Context,
  purpose: TokenPurpose,
  { id, code }: IdentifiedCode,
  what: 'spend' | 'keep',
): Promise<ConsumedToken | undefined> {
  const found = await findToken(ctx.db, purpose, id)
  // Does the same work for unknown ids to prevent timing attacks.
  await lockUsers(ctx.db, [found?.user_id ?? id])
  const charge = await chargeCode(ctx, purpose, found?.user_id ?? found?.target ?? id)
  if (charge.isOver) return undefined
  const guess = { id, hash: codeHash(ctx, id, code), max: guesses.perCode, now: ctx.clock.date() }
  const proven = await (what === 'spend' ? guessCode : checkCode)(ctx.db, purpose, guess)
  if (proven) await (what === 'spend' ? charge.forgive() : charge.refund())
  return proven
}
