import type { Context } from '../context.ts'
import { tryLock } from '../db/advisory-locks.ts'
import { transact } from '../db/transact.ts'
import { day, hour, minute, second } from '../lib/time.ts'
import { countLivingUsers } from '../users/stored-count-queries.ts'
import {
  deleteOldCounts,
  findActivityState,
  findOldestEvent,
  noteCounted,
  noteMeasured,
  recountDays,
  recountHours,
} from './activity-queries.ts'
import { recountSessions } from './usage-queries.ts'

/** A day is counted only while all of its hourly counts are kept. */
const kept = { hours: 7 * day, days: 400 * day }

/** `hours`: the length of the period that one transaction counts. The others are minimum intervals between runs. */
const step = { hours: day, every: 50 * second, measure: 15 * minute, measureFew: 50 * second }

/** Up to about this many users and live sessions, scanning the tables takes only milliseconds. */
const maxFew = 1_000

/** All events from an hour are committed within this time after the hour ends. */
const settled = hour

const floorTo = (time: number, unit: number): number => Math.floor(time / unit) * unit

/** All nodes call this, but only one counts at a time. Recounting the same hours gives the same result. */
export const rollUpActivity = (ctx: Context): Promise<void> => rollUp(ctx, { isDueAtOnce: false })

/** Does not wait for the intervals between runs. */
export const rollUpActivityAtOnce = (ctx: Context): Promise<void> => rollUp(ctx, { isDueAtOnce: true })

interface Due {
  isDueAtOnce: boolean
}

async function rollUp(ctx: Context, due: Due): Promise<void> {
  while ((await rollUpStep(ctx, due)) === 'more');
  await measure(ctx, due)
}

const rollUpStep = (ctx: Context, { isDueAtOnce }: Due): Promise<'more' | 'done'> =>
  transact(ctx, async ({ db, clock }) => {
    if (!(await tryLock(db, 'activity'))) return 'done'
    const now = clock.now()
    const state = await findActivityState(db)
    const settledUntil = floorTo(now - settled, hour)
    const isBehind = state === undefined || state.final_until.getTime() < settledUntil - hour
    if (state && !isBehind && !isDueAtOnce && now - state.counted_at.getTime() < step.every) return 'done'
    const oldest = state?.final_until ?? (await findOldestEvent(db, new Date(floorTo(now - kept.days, day))))
    const from = floorTo(oldest?.getTime() ?? now, hour)
    const end = floorTo(now, hour) + hour
    // Only full, settled days get their own transaction, because each transaction must advance `final_until`.
    const to = end - from > 2 * step.hours ? floorTo(from, day) + step.hours : end
    await recountHours(db, new Date(from), new Date(to))
    await recountDays(db, new Date(floorTo(from, day)), new Date(floorTo(to - 1, day) + day))
    await noteCounted(db, new Date(Math.min(to, settledUntil)), clock.date())
    if (to < end) return 'more'
    await deleteOldCounts(db, 'hour', new Date(floorTo(now - kept.hours, day)))
    await deleteOldCounts(db, 'day', new Date(floorTo(now - kept.days, day)))
    return 'done'
  })

/** Runs in a separate transaction because it scans entire tables, and a timeout must not undo the counts. */
const measure = (ctx: Context, { isDueAtOnce }: Due): Promise<void> =>
  transact(ctx, async ({ db, clock, config }) => {
    if (!(await tryLock(db, 'activity'))) return
    const state = await findActivityState(db)
    const areFew = (state?.live_sessions ?? 0) <= maxFew && (await countLivingUsers(db, undefined)) <= maxFew
    const interval = isDueAtOnce ? 0 : areFew ? step.measureFew : step.measure
    if (!state || clock.now() - (state.measured_at?.getTime() ?? 0) < interval) return
    const usedSince = new Date(clock.now() - config.SESSION_IDLE_TTL)
    await recountSessions(db, usedSince, clock.date())
    await noteMeasured(db, clock.date())
  })
