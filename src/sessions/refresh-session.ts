import type { Context, SessionView } from '../context.ts'
import { transact } from '../db/transact.ts'
import { AppError } from '../lib/errors.ts'
import { invalidateSessions } from './end-sessions.ts'
import { restartIdle } from './queries.ts'

export async function refreshSession(ctx: Context, view: SessionView): Promise<SessionView> {
  const now = ctx.clock.date()
  await transact(ctx, async (tx) => {
    await invalidateSessions(tx, view.user.id)
    if (!(await restartIdle(tx.db, view.session, now))) throw new AppError('INVALID_SESSION')
  })
  return { ...view, session: { ...view.session, last_used_at: now } }
}
