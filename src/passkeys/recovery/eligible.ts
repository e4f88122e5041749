import type { Context, Transaction, UserRow } from '../../context.ts'
import { AppError } from '../../lib/errors.ts'
import { mailNotConfigured } from '../../outbox/enqueue.ts'
import { offeredMethods } from '../../sign-in-methods/offered-methods.ts'
import { findRecoveryCodes } from '../../webauthn/recovery-queries.ts'
import { assertOffered } from '../change-rights.ts'

/** Throws if recovery is not possible at all. Does not depend on the user. */
export function assertRecoverable(ctx: Context): void {
  assertOffered(ctx)
  if (!ctx.mailer.isConfigured) throw mailNotConfigured()
}

/**
 * Why the user cannot be recovered, for the audit event. The address must be verified, because a code is mailed to it.
 */
export async function rejectionOfUser(tx: Transaction, user: UserRow | undefined): Promise<string | undefined> {
  if (!user) return 'unknown'
  if (!user.is_verified) return 'unverified'
  if (((await findRecoveryCodes(tx.db, user.id))?.remaining ?? 0) === 0) return 'no_recovery_codes'
  return (await isWeakened(tx, user)) ? 'second_factor' : undefined
}

/**
 * If mailed codes sign in, a mailed code and a recovery code are enough for a user with second factors anyway. If they
 * do not, a user with an authenticator app, for example, has chosen more than these two.
 */
async function isWeakened(tx: Transaction, user: UserRow): Promise<boolean> {
  if (offeredMethods(tx.config).email || !tx.secondFactor.isRequiredOf(user)) return false
  return (await tx.secondFactor.methodsOf(tx.db, user.id)).some(({ method }) => method !== 'passkey')
}

/** All failures get the same error. */
export const notRecovered = (): AppError => new AppError('INVALID_CODE')
