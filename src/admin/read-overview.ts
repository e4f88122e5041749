import { findSealTimes } from '../audit/seal-queries.ts'
import type { Context } from '../context.ts'
import { day, hour, iso, minute } from '../lib/time.ts'
import { countLivingUsers } from '../users/stored-count-queries.ts'
import {
  type ActivityCount,
  type ActivityState,
  activityFigures,
  countUsableSuperadmins,
  findActivity,
  findActivityState,
  findWaiting,
  type Waiting,
} from './activity-queries.ts'
import { findBusiest } from './usage-queries.ts'

export const activityRanges = ['24h', '30d', '12m'] as const

export type ActivityRange = (typeof activityRanges)[number]

/** Message and deletion counts stop at this number. */
const maxCount = 1_000
const maxApplications = 10

/** No query scans an entire table, so the request time does not depend on the number of users or events. */
export async function readOverview({ db, clock, config }: Context, range: ActivityRange) {
  const now = clock.now()
  const starts = startsOf(range, now)
  const unit = unitOf[range]
  const state = await findActivityState(db)
  const counts = await findActivity(db, unit, new Date(starts[0] ?? now))
  const waiting = await findWaiting(db, maxCount)
  const { unsealed } = await findSealTimes(db)
  const superadmins = await countUsableSuperadmins(db, clock.date(), {
    mustBeVerified: config.VERIFY_REGISTRATION,
  })
  return {
    people: await countLivingUsers(db, undefined),
    live_sessions: state?.live_sessions ?? null,
    second_factor_people: state?.second_factor_users ?? null,
    measured_at: state?.measured_at ? iso(state.measured_at) : null,
    waiting_messages: waiting.waiting_messages,
    counted_at: state ? iso(state.counted_at) : null,
    unit,
    periods: periodsOf(starts, counts),
    applications: await findBusiest(db, new Date(now - day), maxApplications),
    attention: attentionOf({ waiting, state, unsealed, superadmins }, now),
  }
}

const unitOf = { '24h': 'hour', '30d': 'day', '12m': 'month' } as const

/** The start time of each period. The last period is the current one. */
function startsOf(range: ActivityRange, now: number): number[] {
  const steps = (count: number, size: number) =>
    Array.from({ length: count }, (_, index) => (Math.floor(now / size) - count + 1 + index) * size)
  if (range === '24h') return steps(24, hour)
  if (range === '30d') return steps(30, day)
  const today = new Date(now)
  return Array.from({ length: 12 }, (_, index) => Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - 11 + index))
}

function periodsOf(starts: readonly number[], counts: readonly ActivityCount[]) {
  const found = new Map(counts.map(({ start, figure, count }) => [`${start.getTime()} ${figure}`, count]))
  return starts.map((start) => {
    const figures = activityFigures.map((figure) => [figure, found.get(`${start} ${figure}`) ?? 0] as const)
    return { start: iso(start), ...(Object.fromEntries(figures) as Record<(typeof activityFigures)[number], number>) }
  })
}

export const attentionCodes = [
  'failed_messages',
  'late_messages',
  'pending_deletions',
  'unsealed_events',
  'one_superadmin',
  'late_counts',
] as const

export type AttentionCode = (typeof attentionCodes)[number]

interface Found {
  waiting: Waiting
  state: ActivityState | undefined
  unsealed: Date | undefined
  superadmins: number
}

const late = { messages: 10 * minute, seals: hour, counts: 15 * minute }

function attentionOf({ waiting, state, unsealed, superadmins }: Found, now: number) {
  const { failed_messages, oldest_waiting, waiting_messages, pending_deletions } = waiting
  const isLate = (since: Date | null | undefined, limit: number) => since && now - since.getTime() > limit
  const found: [AttentionCode, number, Date | null | undefined][] = [
    ['failed_messages', failed_messages, null],
    ['late_messages', isLate(oldest_waiting, late.messages) ? waiting_messages : 0, oldest_waiting],
    ['pending_deletions', pending_deletions, null],
    ['unsealed_events', isLate(unsealed, late.seals) ? 1 : 0, unsealed],
    ['one_superadmin', superadmins < 2 ? 1 : 0, null],
    ['late_counts', isLate(state?.counted_at, late.counts) ? 1 : 0, state?.counted_at],
  ]
  return found
    .filter(([, count]) => count > 0)
    .map(([code, count, since]) => ({ code, count, since: since ? iso(since) : null }))
}
