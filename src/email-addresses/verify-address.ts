import { auditedContact, recordAudit } from '../audit/record.ts'
import type { Context, Transaction, UserRow } from '../context.ts'
import { transact } from '../db/transact.ts'
import { recordVerified } from '../events/record.ts'
import type { RequestDevice } from '../http/access/device.ts'
import { AppError } from '../lib/errors.ts'
import { sha256 } from '../lib/hash.ts'
import { consumeMailedCode, type MailedProof } from '../one-time-tokens/mailed-code.ts'
import { consumeOneTimeToken, recordingRejection } from '../one-time-tokens/one-time-token.ts'
import { findTokenOwner } from '../one-time-tokens/queries.ts'
import { invalidateSessions } from '../sessions/end-sessions.ts'
import { lockUser, setVerified, withoutPassword } from '../users/queries.ts'

export const verifyAddress = (ctx: Context, proof: MailedProof, device: RequestDevice): Promise<UserRow> =>
  recordingRejection(ctx, 'verify_email', device, async () => {
    const user = await transact(ctx, (tx) => consume(tx, proof, device))
    // The error is thrown after the commit so that the attempt still counts.
    if (!user) throw new AppError('INVALID_CODE')
    return user
  })

async function consume(tx: Transaction, proof: MailedProof, device: RequestDevice): Promise<UserRow | undefined> {
  const proven =
    'token' in proof
      ? await consumeOneTimeToken(tx, 'verify_email', proof.token)
      : await consumeMailedCode(tx, 'verify_email', proof)
  if (!proven) return undefined
  const user = await lockUser(tx, proven.user_id ?? '')
  // The secret proves control of the address that it was sent to.
  if (!user || user.email !== proven.target) throw new AppError('token' in proof ? 'INVALID_TOKEN' : 'INVALID_CODE')
  await setVerified(tx.db, user.id, tx.clock.date())
  await recordVerified(tx, user)
  await invalidateSessions(tx, user.id)
  const by = 'token' in proof ? 'link' : 'code'
  await recordAudit(tx, {
    event: 'verify_ok',
    target: user.id,
    device,
    details: { address: auditedContact(tx, user.email), by },
  })
  return { ...withoutPassword(user), is_verified: true }
}

/** Lets a page report that the email address is already verified. The API never returns this information. */
export async function wasAlreadyVerified(ctx: Context, token: string): Promise<boolean> {
  const owner = await findTokenOwner(ctx.db, 'verify_email', sha256(token))
  return owner?.is_verified === true && owner.used_at !== null && owner.email === owner.target
}
