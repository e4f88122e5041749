import { recordAudit } from '../../audit/record.ts'
import type { Context, Transaction } from '../../context.ts'
import { transact } from '../../db/transact.ts'
import type { RequestDevice } from '../../http/access/device.ts'
import { invalidField } from '../../lib/errors.ts'
import { consumeCodeWith } from '../../one-time-tokens/consume-code.ts'
import { recordingRejection } from '../../one-time-tokens/one-time-token.ts'
import { findToken, voidTokens } from '../../one-time-tokens/queries.ts'
import { type CreatedSession, createSession } from '../../sessions/create-session.ts'
import { lockOwners } from '../../sessions/end-sessions.ts'
import { lockUser, type UserWithPassword } from '../../users/queries.ts'
import { consumeRecoveryCode, looksLikeRecoveryCode, ownsRecoveryCode } from '../../webauthn/recovery-codes.ts'
import { notifyRecoveryCodeUsed } from '../../webauthn/recovery-notices.ts'
import { findRecoveryCodes } from '../../webauthn/recovery-queries.ts'
import { assertRecoverable, notRecovered, rejectionOfUser } from './eligible.ts'

interface Recovery {
  recoveryId: string
  /** The mailed code. */
  code: string
  recoveryCode: string
  device: RequestDevice
  deviceId: string | undefined
  replaces: readonly string[]
}

/**
 * Requires the mailed code and a recovery code. Neither is consumed without the other. Creates a partial session in
 * which the user can only add a passkey.
 */
export async function recover(ctx: Context, recovery: Recovery): Promise<CreatedSession> {
  assertRecoverable(ctx)
  if (!looksLikeRecoveryCode(recovery.recoveryCode))
    throw invalidField('recovery_code', 'must be a recovery code such as abcd-efgh-ijklm')
  const owner = (await findToken(ctx.db, 'recovery', recovery.recoveryId))?.user_id ?? undefined
  return recordingRejection(ctx, 'recovery', { device: recovery.device, target: owner }, async () => {
    const created = await transact(ctx, (tx) => redeem(tx, recovery, owner))
    if (!created) throw notRecovered()
    return created
  })
}

async function redeem(
  tx: Transaction,
  recovery: Recovery,
  owner: string | undefined,
): Promise<CreatedSession | undefined> {
  const { recoveryId: id, code, recoveryCode, device, deviceId, replaces } = recovery
  // Locks the user together with the owners of the sessions that the browser sent, in a fixed order. Does the same work
  // for unknown ids to prevent timing attacks.
  await lockOwners(tx, replaces, owner ?? id)
  const other = (userId: string) => ownsRecoveryCode(tx, userId, recoveryCode)
  const proven = await consumeCodeWith(tx, 'recovery', { id, code }, other)
  // Returns undefined because an error would roll back the counted attempt.
  if (!proven?.user_id) return undefined
  const user = await lockUser(tx, proven.user_id)
  // The code proves control of the address to which it was mailed, which the user may have changed since.
  if (!user || user.email !== proven.target || (await rejectionOfUser(tx, user))) throw notRecovered()
  if (!(await consumeRecoveryCode(tx, user.id, recoveryCode))) throw notRecovered()
  // Several mailed codes may be valid.
  await voidTokens(tx.db, 'recovery', user.id, tx.clock.date())
  const created = await createSession(tx, { userId: user.id, proof: 'recovery', device, deviceId, replaces })
  await traceUse(tx, user, created.view.session.id, device)
  return created
}

async function traceUse(tx: Transaction, user: UserWithPassword, session: string, device: RequestDevice) {
  const remaining = (await findRecoveryCodes(tx.db, user.id))?.remaining ?? 0
  const details = { remaining, session, action: 'recovery' }
  await recordAudit(tx, { event: 'backup_code_used', actor: user, target: user.id, device, details })
  await notifyRecoveryCodeUsed(tx, { user, device }, remaining)
}
