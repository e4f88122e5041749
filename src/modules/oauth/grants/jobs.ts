import type { Context } from '../../../context.ts'
import { day } from '../../../lib/time.ts'
import { eraseOldRequests } from '../authorize/request-queries.ts'
import { eraseExpiredConsents } from '../consent/consent-queries.ts'
import { eraseOldCodes } from '../token/code-queries.ts'
import { eraseExpiredRefreshTokens } from '../token/refresh-queries.ts'
import { eraseOldGrants } from './expiry-queries.ts'

const batch = 1_000

/** For how long ended grants and expired consents are kept. */
const kept = 90 * day

const before = ({ clock }: Pick<Context, 'clock'>, age: number): Date => new Date(clock.now() - age)

/** These only erase. Expired rows are rejected before. */
export const grantJobs = {
  oauth_requests: (ctx: Context) => eraseOldRequests(ctx.db, ctx.clock.date(), batch),
  // Used codes are kept for a day, because using one again ends the grant.
  oauth_codes: (ctx: Context) => eraseOldCodes(ctx.db, before(ctx, day), batch),
  oauth_refresh_tokens: (ctx: Context) => eraseExpiredRefreshTokens(ctx.db, ctx.clock.date(), batch),
  oauth_consents: (ctx: Context) => eraseExpiredConsents(ctx.db, before(ctx, kept), batch),
  oauth_grants: (ctx: Context) => eraseOldGrants(ctx.db, before(ctx, kept), batch),
}
