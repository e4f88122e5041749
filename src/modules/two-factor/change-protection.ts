import { recordAudit } from '../../audit/record.ts'
import type { Transaction, UserRow } from '../../context.ts'
import { AppError } from '../../lib/errors.ts'
import { endSessionsOf } from '../../sessions/end-sessions.ts'
import { noteConfirmed } from '../../sessions/queries.ts'
import { updateUser } from '../../users/queries.ts'
import { assertConfirmed } from './assert-confirmed.ts'
import { activeOf } from './find-methods.ts'
import type { FactorRequest } from './methods/method.ts'
import { tellDisabled, tellEnabled, tellRecoveryCodesReplaced } from './notices.ts'
import { activateMethod, deleteMethod, deleteRecoveryCodes, type MethodRow, touchFactorState } from './queries.ts'
import { replaceRecoveryCodes } from './recovery-codes.ts'

/** What weakens or strengthens an account by its second factors. The user is held, and the right proof was given. */
interface Protection {
  factorRequest: FactorRequest
  /** All that the user has, before the change. */
  rows: readonly MethodRow[]
}

/** A method counts from now on. The first one switches the second factor on, and brings recovery codes, shown once. */
export async function activate(
  tx: Transaction,
  row: MethodRow,
  { factorRequest, rows }: Protection,
): Promise<{ user: UserRow; recoveryCodes: string[] | undefined }> {
  // Once more: it may have been begun before there was anything to confirm with.
  assertConfirmed(tx, rows, factorRequest)
  const now = new Date(tx.clock.now())
  if (!(await activateMethod(tx.db, row.id, now))) throw new AppError('NOT_FOUND')
  const isFirst = activeOf(rows).length === 0
  const user = isFirst ? await setTwoFactor(tx, factorRequest.user, true) : factorRequest.user
  if (isFirst) await noteConfirmed(tx.db, factorRequest.sessionId)
  await trace(tx, 'mfa_enrolled', factorRequest, { method: row.method, id: row.id })
  await tellEnabled(tx, factorRequest, row.method)
  return { user, recoveryCodes: isFirst ? await replaceRecoveryCodes(tx, user.id) : undefined }
}

/** A method counts no more. With the last one the second factor is off, and the recovery codes are gone. */
export async function removeActive(
  tx: Transaction,
  row: MethodRow,
  { factorRequest, rows }: Protection,
): Promise<void> {
  const remaining = activeOf(rows).length - 1
  await deleteMethod(tx.db, row.id)
  if (remaining === 0) {
    await deleteRecoveryCodes(tx.db, row.user_id)
    await setTwoFactor(tx, factorRequest.user, false)
  }
  await trace(tx, 'mfa_removed', factorRequest, { method: row.method, id: row.id })
  await tellDisabled(tx, factorRequest, { method: row.method, remaining })
}

/** The methods stay as they are, and are asked for or not. */
export async function turn(tx: Transaction, to: boolean, factorRequest: FactorRequest): Promise<void> {
  await setTwoFactor(tx, factorRequest.user, to)
  await trace(tx, to ? 'mfa_enrolled' : 'mfa_removed', factorRequest, { reason: 'toggle' })
  if (to) await tellEnabled(tx, factorRequest, '')
  else await tellDisabled(tx, factorRequest, { method: '', remaining: 0 })
}

/** Other recovery codes in the place of those before, shown once. */
export async function renewRecoveryCodes(tx: Transaction, factorRequest: FactorRequest): Promise<string[]> {
  const { id } = factorRequest.user
  await touchFactorState(tx.db, id, new Date(tx.clock.now()))
  await trace(tx, 'mfa_enrolled', factorRequest, { method: 'recovery' })
  await tellRecoveryCodesReplaced(tx, factorRequest)
  return replaceRecoveryCodes(tx, id)
}

async function setTwoFactor(tx: Transaction, user: UserRow, to: boolean): Promise<UserRow> {
  await updateUser(tx.db, user.id, { two_factor: to }, new Date(tx.clock.now()))
  return { ...user, two_factor: to }
}

/** Whoever is signed in elsewhere may be the one whom the change is to keep out, or the one who must not go on. */
async function trace(
  tx: Transaction,
  event: 'mfa_enrolled' | 'mfa_removed',
  { user, sessionId, device }: FactorRequest,
  details: Record<string, unknown>,
): Promise<void> {
  await endSessionsOf(tx, user.id, { reason: 'two_factor_changed', except: sessionId, actor: user, device })
  await recordAudit(tx, { event, actor: user, target: user.id, device, details })
}
