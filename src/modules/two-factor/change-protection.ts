import { recordAudit } from '../../audit/record.ts'
import type { Transaction, UserRow } from '../../context.ts'
import { AppError } from '../../lib/errors.ts'
import { endSessionsOf } from '../../sessions/end-sessions.ts'
import { noteConfirmed } from '../../sessions/queries.ts'
import { assertCanSignIn } from '../../sign-in-methods/can-sign-in.ts'
import { updateUser } from '../../users/queries.ts'
import { countPasskeys, deletePasskey } from '../../webauthn/queries.ts'
import { issueRecoveryCodes, replaceRecoveryCodes } from '../../webauthn/recovery-codes.ts'
import { notifyRecoveryCodesReplaced } from '../../webauthn/recovery-notices.ts'
import { deleteRecoveryCodes } from '../../webauthn/recovery-queries.ts'
import type { FactorRequest } from './methods/method.ts'
import { notifyDisabled, notifyEnabled } from './notices.ts'
import { activateMethod, deleteMethod, type MethodRow, touchFactorState } from './queries.ts'
import { activeOf, assertConfirmed } from './user-methods.ts'

/** The caller has locked the user and verified the second factor. */
interface Protection {
  factorRequest: FactorRequest
  /** All of the user's methods before the change. */
  rows: readonly MethodRow[]
}

/** For the first method, also enables two-factor authentication and returns recovery codes, unless the user has some. */
export async function activate(
  tx: Transaction,
  row: MethodRow,
  { factorRequest, rows }: Protection,
): Promise<{ user: UserRow; recoveryCodes: string[] | undefined }> {
  // This is checked again because the user may have had no other method when the enrolment began.
  assertConfirmed(tx, rows, factorRequest)
  const now = tx.clock.date()
  // The core has stored the passkey, so its enrolment ends.
  if (row.method === 'passkey') await deleteMethod(tx.db, row.id)
  else if (!(await activateMethod(tx.db, row.id, now))) throw new AppError('NOT_FOUND')
  const isFirst = isFirstFactor(rows, factorRequest)
  const user = isFirst ? await setTwoFactor(tx, factorRequest.user, true) : factorRequest.user
  if (isFirst) await noteConfirmed(tx.db, factorRequest.sessionId)
  await trace(tx, 'mfa_enrolled', factorRequest, { method: row.method, id: row.id })
  await notifyEnabled(tx, factorRequest, row.method)
  return { user, recoveryCodes: isFirst ? await issueRecoveryCodes(tx, user.id) : undefined }
}

/** Passkeys can exist before the user uses second factors. */
const isFirstFactor = (rows: readonly MethodRow[], { user }: FactorRequest): boolean =>
  !user.two_factor && activeOf(rows).every(({ method }) => method === 'passkey')

export async function removeActive(
  tx: Transaction,
  row: MethodRow,
  { factorRequest, rows }: Protection,
): Promise<void> {
  const remaining = activeOf(rows).length - 1
  if (row.method === 'passkey') await removePasskey(tx, row, factorRequest)
  else await deleteMethod(tx.db, row.id)
  if (remaining === 0) {
    // The codes also replace passkeys that are not second factors.
    if ((await countPasskeys(tx.db, row.user_id)) === 0) await deleteRecoveryCodes(tx.db, row.user_id)
    await setTwoFactor(tx, factorRequest.user, false)
  }
  await trace(tx, 'mfa_removed', factorRequest, { method: row.method, id: row.id })
  await notifyDisabled(tx, factorRequest, { method: row.method, remaining })
}

async function removePasskey(tx: Transaction, { id }: MethodRow, { user, device }: FactorRequest): Promise<void> {
  await deletePasskey(tx.db, user.id, id)
  const details = { reason: 'last_sign_in_method', passkey: id }
  await assertCanSignIn(tx, user, { event: 'passkey_rejected', device, details })
}

/** Turns two-factor authentication on or off without removing any methods. */
export async function switchProtection(tx: Transaction, to: boolean, factorRequest: FactorRequest): Promise<void> {
  await setTwoFactor(tx, factorRequest.user, to)
  await trace(tx, to ? 'mfa_enrolled' : 'mfa_removed', factorRequest, { reason: 'toggle' })
  if (to) await notifyEnabled(tx, factorRequest, '')
  else await notifyDisabled(tx, factorRequest, { method: '', remaining: 0 })
}

export async function renewRecoveryCodes(tx: Transaction, factorRequest: FactorRequest): Promise<string[]> {
  const { id } = factorRequest.user
  await touchFactorState(tx.db, [id], tx.clock.date())
  await trace(tx, 'mfa_enrolled', factorRequest, { method: 'recovery' })
  await notifyRecoveryCodesReplaced(tx, factorRequest)
  return replaceRecoveryCodes(tx, id)
}

async function setTwoFactor(tx: Transaction, user: UserRow, to: boolean): Promise<UserRow> {
  await updateUser(tx.db, user.id, { two_factor: to }, tx.clock.date())
  return { ...user, two_factor: to }
}

/** Ends all other sessions because an attacker may be using one of them. */
async function trace(
  tx: Transaction,
  event: 'mfa_enrolled' | 'mfa_removed',
  { user, sessionId, device }: FactorRequest,
  details: Record<string, unknown>,
): Promise<void> {
  await endSessionsOf(tx, user.id, { reason: 'two_factor_changed', except: sessionId, actor: user, device })
  await recordAudit(tx, { event, actor: user, target: user.id, device, details })
}
