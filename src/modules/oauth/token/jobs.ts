import type { Context } from '../../../context.ts'
import { eraseExpiredRevocations, eraseExpiredTokens } from './queries.ts'

const batch = 1_000

/** Expired tokens are rejected without these. */
export const tokenJobs = {
  expired_tokens: ({ db, clock }: Context) => eraseExpiredTokens(db, clock.date(), batch),
  expired_revocations: ({ db, clock }: Context) => eraseExpiredRevocations(db, clock.date(), batch),
}
