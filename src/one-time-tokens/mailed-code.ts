import type { Context } from '../context.ts'
import { invalidField } from '../lib/errors.ts'
import { newId } from '../lib/ids.ts'
import { findUserByContact, lockUsers } from '../users/queries.ts'
import { chargeCode, guesses } from './code-counter.ts'
import { codeHash } from './one-time-token.ts'
import { type ConsumedToken, checkCode, findLiveCode, guessCode } from './queries.ts'

/** The token from a link, or a code and the email address it was sent to. */
export type MailedProof = { token: string } | { email: string; code: string }

interface Members {
  token?: string
  email?: string | undefined
  code?: string | undefined
}

/** Rejects requests with both a token and a code because only one of them would be checked. */
export function mailedProofIn({ token, email, code }: Members, readEmail: (text: string) => string): MailedProof {
  if (token !== undefined) {
    if (email !== undefined || code !== undefined)
      throw invalidField('token', 'must not be combined with email and code')
    return { token }
  }
  if (email === undefined && code === undefined)
    throw invalidField('token', 'is required unless email and code are given')
  if (email === undefined) throw invalidField('email', 'is required with code')
  if (code === undefined) throw invalidField('code', 'is required with email')
  return { email: readEmail(email), code }
}

type Purpose = 'verify_email' | 'password_reset'
type Code = Extract<MailedProof, { code: string }>

/**
 * Does the same work for unknown email addresses, to prevent timing attacks. The transaction must be committed because
 * it records the attempt.
 */
export const consumeMailedCode = (ctx: Context, purpose: Purpose, code: Code) =>
  tryMailedCode(ctx, purpose, code, 'spend')

export const checkMailedCode = (ctx: Context, purpose: Purpose, code: Code) => tryMailedCode(ctx, purpose, code, 'keep')

async function tryMailedCode(
  ctx: Context,
  purpose: Purpose,
  { email, code }: Code,
  what: 'spend' | 'keep',
): Promise<ConsumedToken | undefined> {
  const owner = (await findUserByContact(ctx, email))?.id
  const userId = owner ?? newId()
  await lockUsers(ctx.db, [userId])
  const now = ctx.clock.date()
  const id = (await findLiveCode(ctx.db, purpose, userId, email, now))?.id ?? newId()
  // All of an account's mailed codes share a counter. With separate counters, each purpose would allow more attempts.
  const charge = await chargeCode(ctx, 'login', owner ?? email)
  if (charge.isOver) return undefined
  const guess = { id, hash: codeHash(ctx, id, code), max: guesses.perCode, now }
  const proven = await (what === 'spend' ? guessCode : checkCode)(ctx.db, purpose, guess)
  if (proven) await (what === 'spend' ? charge.forgive() : charge.refund())
  return proven
}
