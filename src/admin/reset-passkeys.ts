import { recordAudit } from '../audit/record.ts'
import type { Context, Transaction } from '../context.ts'
import { requiresPasskey } from '../http/access/awaits-passkey.ts'
import { AppError } from '../lib/errors.ts'
import { assertMailable, enqueueMail } from '../outbox/enqueue.ts'
import { assertOffered } from '../passkeys/change-rights.ts'
import { issuePasskeyLink } from '../passkeys/sign-in-link/issue.ts'
import { endSessionsOf } from '../sessions/end-sessions.ts'
import { removePassword, updateUser } from '../users/queries.ts'
import { deletePasskeysOf } from '../webauthn/queries.ts'
import { deleteRecoveryCodes } from '../webauthn/recovery-queries.ts'
import { type AdminRequest, type LockedTarget, withLockedTarget } from './locked-target.ts'

/**
 * For users who have lost their passkeys. The mailed link may be the user's only way to sign in, so nothing is removed
 * unless the link can be sent.
 */
export const resetPasskeys = (ctx: Context, request: AdminRequest): Promise<void> =>
  withLockedTarget(ctx, request, async ({ tx, actor, target, allow }) => {
    if (target.deleted_at) throw new AppError('NOT_FOUND')
    await allow('change_protection')
    assertOffered(tx)
    const passkeys = await deletePasskeysOf(tx.db, target.id)
    const { device } = request
    const turnedOff = await removeProtection(tx, target)
    const closed = passkeys.length > 0 && (await removeWeakPassword(tx, target))
    const details = {
      passkeys,
      ...(turnedOff && { two_factor: false }),
      ...(closed && { password_removed: true }),
    }
    await recordAudit(tx, { event: 'passkeys_reset', actor, target: target.id, device, details })
    await endSessionsOf(tx, target.id, { reason: 'changed_by_admin', actor, device })
    await mailPasskeyLink(tx, target)
  })

/** Returns whether the second step was turned off, because no second factor remains. */
async function removeProtection(tx: Transaction, target: LockedTarget['target']): Promise<boolean> {
  const now = tx.clock.date()
  await deleteRecoveryCodes(tx.db, target.id)
  await tx.secondFactor.forgetBrowsers(tx.db, [target.id], now)
  if (!target.two_factor || (await tx.secondFactor.methodsOf(tx.db, target.id)).length > 0) return false
  await updateUser(tx.db, target.id, { two_factor: false }, now)
  return true
}

/**
 * For users who must have a passkey and have lost the last one. The password, which did not suffice to sign in before,
 * would suffice to add the next passkey. Returns whether it was removed: without email, it stays, because the user can
 * receive no link.
 */
export const removeWeakPassword = async (tx: Transaction, target: LockedTarget['target']): Promise<boolean> =>
  tx.mailer.isConfigured &&
  requiresPasskey(tx.config, target) &&
  (await removePassword(tx.db, target.id, tx.clock.date()))

/** Throws if the email cannot be sent. */
export async function mailPasskeyLink(tx: Transaction, target: LockedTarget['target']): Promise<void> {
  await assertMailable(tx, 'passkeys_reset', target.email)
  const lifetime = tx.config.RESET_TTL
  const { url, expiresAt } = await issuePasskeyLink(tx, target, lifetime)
  const variables = { name: target.name, url, expires_in: String(lifetime / 1000) }
  await enqueueMail(tx, { message: 'passkeys_reset', to: target.email, lang: target.lang, variables, expiresAt })
}
