import type { Context } from '../context.ts'
import { AppError } from '../lib/errors.ts'
import { assertPasswordsEnabled } from '../users/passwords-enabled.ts'
import { findExternalId, type UserWithPassword } from '../users/queries.ts'
import { callHook } from './call-hook.ts'

/**
 * Stored instead of a hash if the previous system checks the password. An import accepts it as `password_hash`. Because
 * it has the prefix of imported hashes, it is replaced with a hash when the correct password is first entered.
 */
export const heldElsewhere = 'imported:hook'

/**
 * Whether the password is correct. The check takes the same time for unknown users and users without a password as for
 * others. The caller has already counted the attempt, so the hook does not allow more guesses.
 */
export async function isRightPassword(
  ctx: Context,
  user: UserWithPassword | undefined,
  password: string,
): Promise<boolean> {
  assertPasswordsEnabled(ctx)
  if (!user || user.password_hash !== heldElsewhere) return ctx.passwords.verify(user?.password_hash, password)
  const verified = await askPreviousSystem(ctx, user, password)
  if (verified === undefined && ctx.config.PASSWORD_HOOK_FALLBACK === 'unavailable') throw new AppError('UNAVAILABLE')
  // Verifies a decoy so that rejecting a wrong password takes at least as long as for users with a hash.
  return verified === true || ctx.passwords.verify(null, password)
}

/** Returns undefined if the hook is not configured or gives no answer. */
async function askPreviousSystem(
  ctx: Context,
  { id, email }: UserWithPassword,
  password: string,
): Promise<boolean | undefined> {
  const { PASSWORD_HOOK_URL: url, PASSWORD_HOOK_SECRET: secret, PASSWORD_HOOK_TIMEOUT: timeoutMs } = ctx.config
  if (!url || !secret) return undefined
  const data = { user_id: id, external_id: await findExternalId(ctx.db, id), email, password }
  const count = ctx.metrics.passwordHook
  const hook = { type: 'password.verify', url, secret, timeoutMs, decision: 'verified', count } as const
  return (await callHook(ctx, hook, data))?.decision
}
