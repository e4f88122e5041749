import { auditedContact, recordAudit } from '../audit/record.ts'
import type { Context, UserRow } from '../context.ts'
import { transact } from '../db/transact.ts'
import type { Device } from '../http/device.ts'
import { AppError } from '../lib/errors.ts'
import { sha256 } from '../lib/hash.ts'
import { findSecretOwner } from '../secrets/queries.ts'
import { recordingRejection, redeemSecret } from '../secrets/redeem.ts'
import { outdateCopies } from '../sessions/end-sessions.ts'
import { userColumns } from '../users/columns.ts'
import { lockUser, setVerified, withoutPassword } from '../users/queries.ts'

/** Redeems a verification link. It proves one address and does nothing else: no session, no other change. */
export const verifyAddress = (ctx: Context, token: string, device: Device): Promise<UserRow> =>
  recordingRejection(ctx, 'verify_email', device, () => redeem(ctx, token, device))

const redeem = (ctx: Context, token: string, device: Device): Promise<UserRow> =>
  transact(ctx.db, async (change) => {
    const { user_id, target } = await redeemSecret(ctx, change.db, 'verify_email', token)
    const user = await lockUser(change.db, userColumns(ctx.modules), user_id ?? '')
    // The link proves the address that it was sent to, and that one only.
    if (!user || user.email !== target) throw new AppError('INVALID_TOKEN')
    await setVerified(change.db, user.id, new Date(ctx.clock.now()))
    await outdateCopies(ctx, change, user.id)
    await recordAudit(ctx, change.db, {
      event: 'verify_ok',
      target: user.id,
      device,
      details: { address: auditedContact(ctx, user.email) },
    })
    return { ...withoutPassword(user), is_verified: true }
  })

/** Whether a link that is refused was already used for the address it proves: for a friendlier page, not for the API. */
export async function wasAlreadyVerified(ctx: Context, token: string): Promise<boolean> {
  const owner = await findSecretOwner(ctx.db, 'verify_email', sha256(token))
  return owner?.is_verified === true && owner.used_at !== null && owner.email === owner.target
}
