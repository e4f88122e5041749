import { recordAudit } from '../audit/record.ts'
import type { Context, RequestDevice, SessionView, Transaction } from '../context.ts'
import { transact } from '../db/transact.ts'
import { requiresPasskey } from '../http/access/awaits-passkey.ts'
import { AppError } from '../lib/errors.ts'
import { proveIdentity } from '../passwords/prove-identity.ts'
import { endSessionsOf } from '../sessions/end-sessions.ts'
import type { SignInDevice } from '../sessions/remembered-browsers.ts'
import type { UserWithPassword } from '../users/queries.ts'
import { countPasskeys } from '../webauthn/queries.ts'
import { issueRecoveryCodes, replaceRecoveryCodes } from '../webauthn/recovery-codes.ts'
import { notifyRecoveryCodesReplaced } from '../webauthn/recovery-notices.ts'
import { assertFactorConfirmed, lockOwner } from './change-rights.ts'

/**
 * Called when a passkey was added. Users who can sign in with a password need no codes. Codes that have been shown stay
 * valid.
 */
export async function issueMissingCodes(
  tx: Transaction,
  user: Pick<UserWithPassword, 'id' | 'user_type' | 'password_hash'>,
  device: RequestDevice,
): Promise<string[] | undefined> {
  const hasPassword = tx.config.PASSWORDS_ENABLED && user.password_hash !== null
  if (hasPassword && !requiresPasskey(tx.config, user)) return undefined
  const codes = await issueRecoveryCodes(tx, user.id)
  if (codes) await recordIssue(tx, user, device, 'passkey_added')
  return codes
}

/** Requires a recent authentication and, if the user needs a second factor, a confirmed session. */
export async function regenerateCodes(
  ctx: Context,
  view: SessionView,
  currentPassword: string | undefined,
  from: SignInDevice,
): Promise<string[]> {
  await proveIdentity(ctx, view, { ...from, currentPassword })
  const { device } = from
  return transact(ctx, async (tx) => {
    const user = await lockOwner(tx, view)
    await assertFactorConfirmed(tx, user, view)
    if ((await countPasskeys(tx.db, user.id)) === 0 && (await tx.secondFactor.methodsOf(tx.db, user.id)).length === 0)
      throw new AppError('NOT_FOUND', { sentence: 'Recovery codes replace a passkey. Add a passkey first.' })
    // Someone who has seen the earlier codes may be signed in.
    const ending = { reason: 'recovery_codes_replaced', except: view.session.id, actor: user, device }
    await endSessionsOf(tx, user.id, ending)
    await tx.secondFactor.forgetBrowsers(tx.db, [user.id], tx.clock.date())
    await recordIssue(tx, user, device, 'replaced')
    await notifyRecoveryCodesReplaced(tx, { user, device })
    return replaceRecoveryCodes(tx, user.id)
  })
}

const recordIssue = (
  tx: Transaction,
  user: Pick<UserWithPassword, 'id' | 'user_type'>,
  device: RequestDevice,
  reason: 'passkey_added' | 'replaced',
): Promise<void> =>
  recordAudit(tx, { event: 'recovery_codes_issued', actor: user, target: user.id, device, details: { reason } })
