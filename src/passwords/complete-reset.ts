import { recordAudit } from '../audit/record.ts'
import { passwordRules } from '../config/password-rules.ts'
import type { Context, Transaction } from '../context.ts'
import { transact } from '../db/transact.ts'
import { recordVerified } from '../events/record.ts'
import type { RequestDevice } from '../http/access/device.ts'
import { AppError, invalidField } from '../lib/errors.ts'
import { sha256Bytes } from '../lib/hash.ts'
import { checkMailedCode, consumeMailedCode, type MailedProof } from '../one-time-tokens/mailed-code.ts'
import { consumeOneTimeToken, recordingRejection } from '../one-time-tokens/one-time-token.ts'
import { findUsable } from '../one-time-tokens/queries.ts'
import { acceptFirstProof, removeUnprovenCredentials } from '../passwordless/first-proof.ts'
import { assertNotBlocked, type CreatedSession, createSession } from '../sessions/create-session.ts'
import { lockOwners } from '../sessions/end-sessions.ts'
import { liftLock } from '../users/account-throttle.ts'
import { findUserWithPassword, lockUser, setVerified, type UserWithPassword } from '../users/queries.ts'
import { assertGoodPassword, normalPassword, weakPassword } from './policy.ts'
import { notifyPasswordChanged, setPassword } from './set-password.ts'

export const isUsableReset = async (ctx: Context, proof: MailedProof): Promise<boolean> =>
  (await findOwner(ctx, proof)) !== undefined

/** A user who was invited by an administrator and has not chosen a password yet. */
export interface Invited {
  email: string
}

/** Returns the user if the token is from an invitation that has not been accepted. Does not consume the token. */
export async function findInvited(ctx: Context, token: string): Promise<Invited | undefined> {
  const owner = await findOwner(ctx, { token })
  return owner && owner.password_hash === null && !owner.is_verified ? { email: owner.email } : undefined
}

export interface Reset {
  proof: MailedProof
  /** Absent if PASSWORDS_ENABLED is false. The link then signs the user in. */
  password?: string | undefined
  device: RequestDevice
  /** The session tokens in the cookies. If RESET_AUTO_LOGIN is set, the new session replaces these sessions. */
  replaces: readonly string[]
}

/** Consumes the token only if all checks succeed. Returns a session only if RESET_AUTO_LOGIN is set. */
export const completeReset = (ctx: Context, reset: Reset): Promise<CreatedSession | undefined> =>
  recordingRejection(ctx, 'password_reset', { device: reset.device }, async () => {
    if (reset.password === undefined && ctx.config.PASSWORDS_ENABLED) throw invalidField('password', 'is required')
    const owner = await findOwner(ctx, reset.proof)
    if (!owner) throw notValid(reset.proof)
    if (reset.password === undefined) return transact(ctx, (tx) => signIn(tx, reset, owner.id))
    const password = normalPassword(reset.password)
    await assertGoodPassword(ctx, 'password', password, owner)
    if (owner.password_hash && (await ctx.passwords.verify(owner.password_hash, password)))
      throw weakPassword('password', passwordRules.same)
    const hash = await ctx.passwords.hash(password)
    return transact(ctx, (tx) => spend(tx, reset, owner.id, hash))
  })

async function spend(
  tx: Transaction,
  { proof, device, replaces }: Reset,
  ownerId: string,
  hash: string,
): Promise<CreatedSession | undefined> {
  if (tx.config.RESET_AUTO_LOGIN) await lockOwners(tx, replaces, ownerId)
  const { user } = await consume(tx, proof)
  await assertNotBlocked(tx, user, { proof: 'reset', device })
  const passkeys = await setPassword(tx, user.id, { hash, reason: 'password_reset', device })
  await liftLock(tx, user.id)
  await removeUnprovenCredentials(tx, user, device)
  await setVerified(tx.db, user.id, tx.clock.date())
  await recordVerified(tx, user)
  await recordAudit(tx, { event: 'reset_completed', target: user.id, device })
  await notifyPasswordChanged(tx, { user, device, passkeys })
  if (!tx.config.RESET_AUTO_LOGIN) return undefined
  return createSession(tx, { userId: user.id, proof: 'reset', device, replaces })
}

/** An invitation signs the user in if there are no passwords. Its owner has then proven the address. */
async function signIn(tx: Transaction, { proof, device, replaces }: Reset, ownerId: string): Promise<CreatedSession> {
  await lockOwners(tx, replaces, ownerId)
  const { user, id } = await consume(tx, proof)
  if (!user.is_verified) await acceptFirstProof(tx, user, device)
  const details = { token: id, method: 'email', by: 'token' in proof ? 'link' : 'code' }
  await recordAudit(tx, { event: 'token_used', target: user.id, device, details })
  return createSession(tx, { userId: user.id, proof: 'login_token', method: 'email', device, replaces })
}

async function consume(tx: Transaction, proof: MailedProof): Promise<{ user: UserWithPassword; id: string }> {
  const proven =
    'token' in proof
      ? await consumeOneTimeToken(tx, 'password_reset', proof.token)
      : await consumeMailedCode(tx, 'password_reset', proof)
  // The code was correct in an earlier check, so this failure does not count as a wrong code.
  if (!proven) throw notValid(proof)
  const user = await lockUser(tx, proven.user_id ?? '')
  // The token proves control of the email address that it was sent to.
  if (!user || user.email !== proven.target) throw notValid(proof)
  return { user, id: proven.id }
}

async function findOwner(ctx: Context, proof: MailedProof): Promise<UserWithPassword | undefined> {
  const found =
    'token' in proof
      ? await findUsable(ctx.db, 'password_reset', sha256Bytes(proof.token), ctx.clock.date())
      : await transact(ctx, (tx) => checkMailedCode(tx, 'password_reset', proof))
  const user = found?.user_id && (await findUserWithPassword(ctx, found.user_id))
  return user && user.email === found.target ? user : undefined
}

const notValid = (proof: MailedProof): AppError => new AppError('token' in proof ? 'INVALID_TOKEN' : 'INVALID_CODE')
