import { auditedContact, recordAudit } from '../audit/record.ts'
import type { Context, Transaction, UserRow } from '../context.ts'
import { transact } from '../db/transact.ts'
import { recordVerified } from '../events/record.ts'
import type { RequestDevice } from '../http/access/device.ts'
import { AppError } from '../lib/errors.ts'
import { sha256Bytes } from '../lib/hash.ts'
import { iso } from '../lib/time.ts'
import { consumeMailedCode, type MailedProof } from '../one-time-tokens/mailed-code.ts'
import { consumeOneTimeToken, recordingRejection } from '../one-time-tokens/one-time-token.ts'
import { findTokenOwner } from '../one-time-tokens/queries.ts'
import { acceptFirstProof } from '../passwordless/first-proof.ts'
import { invalidateSessions } from '../sessions/end-sessions.ts'
import { findFirstDevice } from '../sessions/queries.ts'
import type { Registration } from '../ui/messages/confirm/view.ts'
import { lockUser, setVerified, withoutPassword } from '../users/queries.ts'

interface Verification {
  proof: MailedProof
  device: RequestDevice
  /** `not_me`: the owner of the address did not create the account. */
  answer?: 'not_me' | undefined
}

export const verifyAddress = (ctx: Context, verification: Verification): Promise<UserRow> =>
  recordingRejection(ctx, 'verify_email', { device: verification.device }, async () => {
    const user = await transact(ctx, (tx) => consume(tx, verification))
    // The error is thrown after the commit so that the attempt still counts.
    if (!user) throw new AppError('INVALID_CODE')
    return user
  })

async function consume(tx: Transaction, { proof, device, answer }: Verification): Promise<UserRow | undefined> {
  const proven =
    'token' in proof
      ? await consumeOneTimeToken(tx, 'verify_email', proof.token)
      : await consumeMailedCode(tx, 'verify_email', proof)
  if (!proven) return undefined
  const user = await lockUser(tx, proven.user_id ?? '')
  // The secret proves control of the address that it was sent to.
  if (!user || user.email !== proven.target) throw new AppError('token' in proof ? 'INVALID_TOKEN' : 'INVALID_CODE')
  // On a verified account, this would remove the owner's own access.
  if (answer === 'not_me' && user.is_verified) throw new AppError('token' in proof ? 'INVALID_TOKEN' : 'INVALID_CODE')
  if (answer === 'not_me') await acceptFirstProof(tx, user, device)
  else await acceptAddress(tx, user)
  const by = 'token' in proof ? 'link' : 'code'
  await recordAudit(tx, {
    event: 'verify_ok',
    target: user.id,
    device,
    details: { address: auditedContact(tx, user.email), by, answer },
  })
  return { ...withoutPassword(user), is_verified: true }
}

async function acceptAddress(tx: Transaction, user: UserRow): Promise<void> {
  await setVerified(tx.db, user.id, tx.clock.date())
  await recordVerified(tx, user)
  await invalidateSessions(tx, user.id)
}

/**
 * The registration that a link verifies. Undefined if the link is not valid or the browser is signed in as the user, and
 * thus is the one that registered.
 */
export async function findForeignRegistration(
  ctx: Context,
  token: string,
  signedIn: string | undefined,
): Promise<Registration | undefined> {
  const owner = await findTokenOwner(ctx.db, 'verify_email', sha256Bytes(token))
  if (!owner || owner.id === signedIn || owner.is_verified || owner.email !== owner.target) return undefined
  if (owner.used_at !== null || owner.expires_at <= ctx.clock.date()) return undefined
  const { email, created_at } = owner
  return { email, time: iso(created_at), device: await findFirstDevice(ctx.db, owner.id) }
}

/** Lets a page report that the email address is already verified. The API never returns this information. */
export async function wasAlreadyVerified(ctx: Context, token: string): Promise<boolean> {
  const owner = await findTokenOwner(ctx.db, 'verify_email', sha256Bytes(token))
  return owner?.is_verified === true && owner.used_at !== null && owner.email === owner.target
}
