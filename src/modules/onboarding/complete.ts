import { recordAudit } from '../../audit/record.ts'
import type { Context, SessionView, UserRow } from '../../context.ts'
import { transact } from '../../db/transact.ts'
import type { RequestDevice } from '../../http/access/device.ts'
import { writeChanges } from '../../profile/write-changes.ts'
import { lockCaller } from '../../sessions/authenticate.ts'
import { isRecentlyProven } from '../../sessions/session.ts'
import { findOnboarding, keepFirstAcquisition, type OnboardingRow, saveOnboarding, saveTeamSize } from './queries.ts'
import { businessOf } from './read-business.ts'
import { type CompletionInput, readCompletion } from './read-completion.ts'
import { finish, startOf } from './state.ts'

interface Completed {
  user: UserRow
  row: OnboardingRow
}

/** Write-only members are stored in a separate table and do not appear in any response, log or audit event. */
export async function completeOnboarding(
  ctx: Context,
  view: SessionView,
  input: CompletionInput,
  device: RequestDevice,
): Promise<Completed> {
  const { profile, business, teamSize, acquisition } = readCompletion(ctx, input)
  const isProven = isRecentlyProven(ctx, view)
  return transact(ctx, async (tx) => {
    const before = await lockCaller(tx, view)
    const requested = { ...profile, ...businessOf(before, business), first_time: false }
    const { user, details } = await writeChanges(tx, before, requested, { isProven, device })
    const now = ctx.clock.date()
    if (teamSize !== undefined) await saveTeamSize(tx.db, user.id, teamSize, now)
    if (acquisition) await keepFirstAcquisition(tx.db, user.id, acquisition, now)
    await recordAudit(tx, {
      event: 'onboarding_completed',
      actor: user,
      target: user.id,
      device,
      ...(details && { details: { ...details } }),
    })
    const row = finish(startOf(ctx.config, await findOnboarding(tx.db, user.id), { userId: user.id, now }), now)
    await saveOnboarding(tx.db, row)
    return { user, row }
  })
}
