import type { Context, SessionView } from '../../context.ts'
import { transact } from '../../db/transact.ts'
import { lockCaller } from '../../sessions/authenticate.ts'
import { findOnboarding, type OnboardingRow, saveOnboarding } from './queries.ts'
import { assertStep, mark, startOf } from './state.ts'

type Free = Record<string, unknown>

export const startOnboarding = (ctx: Context, view: SessionView, start: Free): Promise<OnboardingRow> =>
  move(ctx, view, (row, now) => startOf(ctx.config, row, { userId: view.user.id, now, start }))

export function saveStep(
  ctx: Context,
  view: SessionView,
  step: string,
  credentials: Free | 'skipped',
): Promise<OnboardingRow> {
  assertStep(ctx.config, step)
  return move(ctx, view, (row, now) =>
    mark(ctx.config, startOf(ctx.config, row, { userId: view.user.id, now }), step, credentials),
  )
}

/** Locks the user so that concurrent steps are all recorded. */
const move = (
  ctx: Context,
  view: SessionView,
  next: (row: OnboardingRow | undefined, now: Date) => OnboardingRow,
): Promise<OnboardingRow> =>
  transact(ctx, async (tx) => {
    const { id } = await lockCaller(tx, view)
    const before = await findOnboarding(tx.db, id)
    const now = ctx.clock.date()
    const after = next(before, now)
    if (after === before) return after
    const row = { ...after, updated_at: now }
    await saveOnboarding(tx.db, row)
    return row
  })
