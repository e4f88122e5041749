import type { Context, SessionView, Transaction } from '../context.ts'
import { AppError } from '../lib/errors.ts'
import { isUnendedSession } from '../sessions/queries.ts'
import { lockUser, type UserWithPassword } from '../users/queries.ts'
import { offersPasskeys } from '../webauthn/relying-party.ts'

export function assertOffered(ctx: Context): void {
  if (!offersPasskeys(ctx)) throw new AppError('NOT_CONFIGURED')
}

/** Until the transaction ends, no other request on any node can change the user's passkeys. */
export async function lockOwner(tx: Transaction, { user, session }: SessionView): Promise<UserWithPassword> {
  const found = await lockUser(tx, user.id)
  if (!found || !(await isUnendedSession(tx.db, session.id))) throw new AppError('INVALID_SESSION')
  return found
}

export const factorRequired = (): AppError =>
  new AppError('REAUTH_REQUIRED', { sentence: 'Please confirm your identity with a second factor' })

/**
 * A sign-in in a remembered browser requires only the password. Without this check, an attacker using such a session
 * could add a passkey, which replaces both factors.
 */
export async function assertFactorConfirmed(
  tx: Transaction,
  user: UserWithPassword,
  { session }: SessionView,
): Promise<void> {
  if (session.two_factor_verified || !tx.secondFactor.isRequiredOf(user)) return
  if ((await tx.secondFactor.methodsOf(tx.db, user.id)).length === 0) return
  throw factorRequired()
}
