import type { Context } from '../context.ts'
import { AppError } from '../lib/errors.ts'
import { findExternalId, type UserWithPassword } from '../users/queries.ts'
import { callHook } from './call-hook.ts'

/**
 * Stored instead of a hash, and accepted as `password_hash` by an import: the previous system checks the password. It has
 * the prefix of imported hashes, so the first correct password replaces it with our own hash.
 */
export const heldElsewhere = 'imported:hook'

/**
 * Whether the password is correct. Unknown users, and users without a password, take the same time as others. The
 * caller has charged the attempt to the account, so the hook cannot be used to guess faster.
 */
export async function isRightPassword(
  ctx: Context,
  user: UserWithPassword | undefined,
  password: string,
): Promise<boolean> {
  if (!user || user.password_hash !== heldElsewhere) return ctx.passwords.verify(user?.password_hash, password)
  const verified = await askPreviousSystem(ctx, user, password)
  if (verified === undefined && ctx.config.PASSWORD_HOOK_FALLBACK === 'unavailable') throw new AppError('UNAVAILABLE')
  // A wrong password must not take less time than for other users.
  return verified === true || ctx.passwords.verify(null, password)
}

/** Undefined without an answer. */
async function askPreviousSystem(
  ctx: Context,
  { id, email }: UserWithPassword,
  password: string,
): Promise<boolean | undefined> {
  const { PASSWORD_HOOK_URL: url, PASSWORD_HOOK_SECRET: secret, PASSWORD_HOOK_TIMEOUT: timeoutMs } = ctx.config
  if (!url || !secret) return undefined
  const data = { user_id: id, external_id: await findExternalId(ctx.db, id), email, password }
  const hook = { type: 'password.verify', url, secret, timeoutMs, decision: 'verified' } as const
  const answer = (await callHook(ctx, hook, data))?.decision
  ctx.metrics.passwordHook(answer === undefined ? 'failed' : answer ? 'accepted' : 'refused')
  return answer
}
