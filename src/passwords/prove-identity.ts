import type { Context, SessionView } from '../context.ts'
import { AppError } from '../lib/errors.ts'
import type { From } from '../sessions/known-device.ts'
import { isRecentlyProven } from '../sessions/recent-proof.ts'
import { userColumns } from '../users/columns.ts'
import { findUserWithPassword } from '../users/queries.ts'
import { assertCurrentPassword } from './check-current.ts'

interface Proof extends From {
  /** With the request, for those whose sign-in was a while ago. */
  currentPassword: string | undefined
}

/**
 * For what weakens an account: whoever asks has signed in a short while ago, or gives their password. Throws
 * REAUTH_REQUIRED otherwise. Not for inside a transaction: a hash takes its time.
 */
export async function proveIdentity(
  ctx: Context,
  view: Pick<SessionView, 'session' | 'user'>,
  { currentPassword, ...from }: Proof,
): Promise<void> {
  if (isRecentlyProven(ctx, view)) return
  if (currentPassword === undefined) throw new AppError('REAUTH_REQUIRED')
  const user = await findUserWithPassword(ctx.db, userColumns(ctx.modules), view.user.id)
  if (!user) throw new AppError('INVALID_SESSION')
  if (user.password_hash === null) throw new AppError('REAUTH_REQUIRED')
  await assertCurrentPassword(ctx, user, currentPassword, from)
}
