import { recordAudit } from '../audit/record.ts'
import type { Context } from '../context.ts'
import { transact } from '../db/transact.ts'
import type { RequestDevice } from '../http/access/device.ts'
import { AppError, type LimitState, limitEnd } from '../lib/errors.ts'
import { keyedHash } from '../lib/hash.ts'
import { minute } from '../lib/time.ts'
import { enqueueMail, greetedName } from '../outbox/enqueue.ts'
import { findFullKeys, findLockedKeys, forgiveFailures, lockAccount } from './counter-queries.ts'
import { countAttempt } from './guess-charge.ts'
import type { UserWithPassword } from './queries.ts'
import { resetLinkOr } from './support-links.ts'

const window = { attempts: 5, lengthMs: 15 * minute }

/** The period over which failed attempts are counted, in milliseconds. */
export const throttlePeriod = window.lengthMs

export interface AccountThrottle {
  /** Call this if the credential was correct. Clears all previous failures. */
  giveBack(): Promise<void>
  /** Call this if the credential could not be checked. The attempt is no longer counted. Earlier failures still are. */
  refund(): Promise<void>
  /** Call this if the credential was wrong. Too many failures lock the account. Returns the remaining attempts. */
  keep(): Promise<LimitState>
}

/**
 * Counts the attempt before the password is checked so that parallel guesses cannot exceed the limit. Attempts on
 * unknown accounts are counted by identifier and receive the same responses as those on existing accounts.
 */
export async function chargeAccount(
  ctx: Context,
  user: UserWithPassword | undefined,
  identifier: string,
  isKnownDevice: boolean,
  device: RequestDevice,
): Promise<AccountThrottle> {
  // Known browsers have a separate counter so that attempts from other browsers cannot lock the owner out. All known
  // browsers share this counter, so using several of them does not allow more attempts.
  const account = user ? accountOf(user.id) : `unknown:${identifier.toLowerCase()}`
  const key = keyOf(ctx, isKnownDevice ? knownDevicesOf(account) : account)
  const charge = await countAttempt(ctx, key, window)
  const { state, verdict } = charge
  const now = ctx.clock.now()
  const end = limitEnd(now, state.window_ends_at.getTime() - now)
  const limit = {
    limit: window.attempts,
    remaining: Math.max(0, window.attempts - state.failures),
    resetsAt: end.resetsAt,
  }
  if (state.locked_until) {
    await recordThrottled(ctx, user, device)
    const { retryAfter } = limitEnd(now, state.locked_until.getTime() - now)
    throw new AppError('ACCOUNT_LOCKED', { retryAfter, limit: { ...limit, remaining: 0 } })
  }
  if (verdict === 'later') throw new AppError('RATE_LIMITED', { retryAfter: 1, limit })
  if (verdict === 'refuse') {
    await recordThrottled(ctx, user, device)
    throw new AppError('RATE_LIMITED', { retryAfter: end.retryAfter, limit })
  }
  return {
    giveBack: async () => void (await charge.forgive()),
    refund: charge.refund,
    keep: async () => {
      await charge.keep()
      if (state.in_a_row >= ctx.config.LOCKOUT_MAX_FAILURES && !isKnownDevice) await lock(ctx, user, key, device)
      return limit
    },
  }
}

/** Unlocks the account and clears its failures, for example after a password reset. */
export async function liftLock(ctx: Context, userId: string): Promise<void> {
  const account = accountOf(userId)
  for (const counter of [account, knownDevicesOf(account)]) await forgiveFailures(ctx.db, keyOf(ctx, counter))
}

/** Returns the times at which these users' current locks end. */
export async function findLocks(ctx: Context, userIds: readonly string[]): Promise<Map<string, Date>> {
  const userOf = new Map(userIds.map((id) => [keyOf(ctx, accountOf(id)), id]))
  const rows = userOf.size === 0 ? [] : await findLockedKeys(ctx.db, [...userOf.keys()], ctx.clock.date())
  return new Map(rows.map(({ key, locked_until: until }) => [userOf.get(key) ?? '', until]))
}

/** Returns the times until which attempts on these users' accounts are refused, in known browsers or elsewhere. */
export async function findThrottles(ctx: Context, userIds: readonly string[]): Promise<Map<string, Date>> {
  const counters = userIds.flatMap((id) => [accountOf(id), knownDevicesOf(accountOf(id))].map((name) => ({ id, name })))
  const userOf = new Map(counters.map(({ id, name }) => [keyOf(ctx, name), id]))
  const limit = { now: ctx.clock.date(), max: window.attempts }
  const rows = userOf.size === 0 ? [] : await findFullKeys(ctx.db, [...userOf.keys()], limit)
  const ends = new Map<string, Date>()
  for (const { key, window_ends_at: end } of rows) {
    const id = userOf.get(key) ?? ''
    ends.set(id, new Date(Math.max(end.getTime(), ends.get(id)?.getTime() ?? 0)))
  }
  return ends
}

const accountOf = (userId: string): string => `user:${userId}`
const knownDevicesOf = (account: string): string => `${account}:known-devices`
const keyOf = ({ config }: Context, account: string): string =>
  keyedHash(config.AUTH_SECRET, 'account-counter', account)

const recordThrottled = (ctx: Context, user: UserWithPassword | undefined, device: RequestDevice) =>
  recordAudit(ctx, {
    event: 'login_fail',
    outcome: 'failure',
    target: user?.id,
    device,
    details: { reason: 'throttled' },
  })

async function lock(
  ctx: Context,
  user: UserWithPassword | undefined,
  key: string,
  device: RequestDevice,
): Promise<void> {
  const until = new Date(ctx.clock.now() + ctx.config.LOCKOUT_DURATION)
  await transact(ctx, async (tx) => {
    if (!(await lockAccount(tx.db, key, until))) return
    await recordAudit(tx, { event: 'login_locked', outcome: 'failure', target: user?.id, device })
    if (!user) return
    const variables = { name: greetedName(user), reset_url: resetLinkOr(ctx, '/account') }
    await enqueueMail(tx, { message: 'account_locked', account: user, to: user.email, lang: user.lang, variables })
  })
}
