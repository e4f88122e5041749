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
 * Like `consumeOneTimeCode`, but requires another proof as well. A correct code without the other proof is rejected like
 * a wrong code, so that nobody can try them one at a time. Attempts without the other proof do not count for the account.
 * Otherwise, anyone could use up the owner's attempts.
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
  // Unknown ids and exceeded limits cause the same work as others to prevent timing attacks.
  await lockUsers(ctx.db, [found?.user_id ?? id])
  const isComplete = await other(found?.user_id ?? id)
  const account = isComplete ? (found?.user_id ?? found?.target) : undefined
  // The prefix prevents attempts with a user's id in place of the code's id from counting for that user.
  const charge = await chargeCode(ctx, purpose, account ?? `code:${id}`)
  const isAllowed = isComplete && !charge.isOver
  // No code is empty, so an attempt that is not allowed is wrong.
  const guess = { id, hash: codeHash(ctx, id, isAllowed ? code : ''), max: guesses.perCode, now: ctx.clock.date() }
  const proven = await (what === 'spend' ? guessCode : checkCode)(ctx.db, purpose, guess)
  if (proven) await (what === 'spend' ? charge.forgive() : charge.refund())
  return proven
}
