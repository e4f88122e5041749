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
  tryCode(ctx, purpose, code, { what: 'spend' })

/** Like `consumeOneTimeCode`, but a correct code stays valid. */
export const checkOneTimeCode = (ctx: Context, purpose: TokenPurpose, code: IdentifiedCode) =>
  tryCode(ctx, purpose, code, { what: 'keep' })

/** Whether the user has also given the other proof. Must not consume it. */
type OtherProof = (userId: string) => Promise<boolean>

/**
 * Like `consumeOneTimeCode`, but requires another proof as well. A correct code without the other proof is counted and
 * rejected like a wrong code, so that nobody can try them one at a time.
 */
export const consumeCodeWith = (ctx: Context, purpose: TokenPurpose, code: IdentifiedCode, other: OtherProof) =>
  tryCode(ctx, purpose, code, { what: 'spend', other })

interface Attempt {
  what: 'spend' | 'keep'
  other?: OtherProof
}

async function tryCode(
  ctx: Context,
  purpose: TokenPurpose,
  { id, code }: IdentifiedCode,
  { what, other = async () => true }: Attempt,
): Promise<ConsumedToken | undefined> {
  const found = await findToken(ctx.db, purpose, id)
  // Does the same work for unknown ids to prevent timing attacks.
  await lockUsers(ctx.db, [found?.user_id ?? id])
  const charge = await chargeCode(ctx, purpose, found?.user_id ?? found?.target ?? id)
  if (charge.isOver) return undefined
  const isComplete = await other(found?.user_id ?? id)
  // No code is empty, so the guess is wrong if the other proof is missing.
  const guess = { id, hash: codeHash(ctx, id, isComplete ? code : ''), max: guesses.perCode, now: ctx.clock.date() }
  const proven = await (what === 'spend' ? guessCode : checkCode)(ctx.db, purpose, guess)
  if (proven) await (what === 'spend' ? charge.forgive() : charge.refund())
  return proven
}
