import type { Context, SessionView } from '../context.ts'
import { AppError } from '../lib/errors.ts'
import type { SignInDevice } from '../sessions/remembered-browsers.ts'
import { assertRecentProof } from '../sessions/session.ts'
import { findUserWithPassword } from '../users/queries.ts'
import { assertCurrentPassword } from './check-current.ts'

interface Proof extends SignInDevice {
  /** Required if the session has no recent authentication. */
  currentPassword: string | undefined
}

/** If a password is sent, checks it even if it is not required. Do not call this in a transaction: hashing is slow. */
export async function proveIdentity(
  ctx: Context,
  view: Pick<SessionView, 'session' | 'user'>,
  { currentPassword, ...from }: Proof,
): Promise<void> {
  if (currentPassword === undefined) return assertRecentProof(ctx, view)
  const user = await findUserWithPassword(ctx, view.user.id)
  if (!user) throw new AppError('INVALID_SESSION')
  if (user.password_hash === null) assertRecentProof(ctx, view)
  await assertCurrentPassword(ctx, user, currentPassword, from)
}
