import type { Context, SessionView } from '../context.ts'
import { transact } from '../db/transact.ts'
import type { RequestDevice } from '../http/access/device.ts'
import { AppError } from '../lib/errors.ts'
import { looksLikeId } from '../lib/ids.ts'
import { proveIdentity } from '../passwords/prove-identity.ts'
import { endSessionOf, endSessionsOf } from '../sessions/end-sessions.ts'
import { maskedListEntry } from '../sessions/list-entry.ts'
import { findSessionsOf, isOfSameSignIn, isUnendedSession } from '../sessions/queries.ts'
import type { SignInDevice } from '../sessions/remembered-browsers.ts'
import { assertRecentProof, stateOf } from '../sessions/session.ts'
import { lockUsers } from '../users/queries.ts'

/** The maximum number of application sessions listed, in addition to browser sessions. */
const maxOfApplications = 200

export async function ownSessions(ctx: Context, { session: { id }, user }: SessionView) {
  const now = ctx.clock.now()
  const rows = await findSessionsOf(ctx.db, user.id, new Date(now), ctx.config.SESSION_MAX_PER_USER + maxOfApplications)
  return rows
    .filter((row) => stateOf(ctx.config, row, user.user_type, now) === 'live')
    .map((row) => ({ ...maskedListEntry(ctx, row, user.user_type), current: row.id === id }))
}

/** Responds as if other users' sessions did not exist. */
export const endOwnSession = (
  ctx: Context,
  view: SessionView,
  sessionId: string,
  device: RequestDevice,
): Promise<void> =>
  transact(ctx, async (tx) => {
    await lockUsers(tx.db, [view.user.id])
    await assertLive(tx.db, view)
    // An application session needs recent authentication to end sessions from another sign-in.
    if (!(await isOfSameSignIn(tx.db, view.session, sessionId))) assertRecentProof(ctx, view)
    const ending = { reason: 'ended_by_user', actor: view.user, device }
    const ended = looksLikeId(sessionId) && (await endSessionOf(tx, view.user.id, sessionId, ending))
    if (!ended) throw new AppError('NOT_FOUND')
  })

export async function endOtherSessions(
  ctx: Context,
  view: SessionView,
  currentPassword: string | undefined,
  from: SignInDevice,
): Promise<number> {
  await proveIdentity(ctx, view, { ...from, currentPassword })
  return transact(ctx, async (tx) => {
    await lockUsers(tx.db, [view.user.id])
    await assertLive(tx.db, view)
    const ending = { reason: 'ended_by_user', actor: view.user, device: from.device }
    await ctx.secondFactor.forgetBrowsers(tx.db, [view.user.id], ctx.clock.date())
    return endSessionsOf(tx, view.user.id, { ...ending, except: view.session.id })
  })
}

/** If two sessions end each other concurrently, only the first one succeeds. */
async function assertLive(db: Parameters<typeof isUnendedSession>[0], { session }: SessionView): Promise<void> {
  if (!(await isUnendedSession(db, session.id))) throw new AppError('INVALID_SESSION')
}
