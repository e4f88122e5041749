import { type AdminRequest, withLockedTarget } from '../../admin/locked-target.ts'
import { mailAdminChanges } from '../../admin/mail-admin-changes.ts'
import { mailPasskeyLink, removeWeakPassword } from '../../admin/reset-passkeys.ts'
import { recordAudit } from '../../audit/record.ts'
import type { Context } from '../../context.ts'
import { AppError } from '../../lib/errors.ts'
import { endSessionsOf } from '../../sessions/end-sessions.ts'
import { canSignIn } from '../../sign-in-methods/can-sign-in.ts'
import { updateUser } from '../../users/queries.ts'
import { deletePasskeysOf } from '../../webauthn/queries.ts'
import { deleteRecoveryCodes } from '../../webauthn/recovery-queries.ts'
import { offersPasskeys } from '../../webauthn/relying-party.ts'
import { deleteMethodsOf, listKinds } from './queries.ts'

export const resetByAdmin = (ctx: Context, request: AdminRequest): Promise<void> =>
  withLockedTarget(ctx, request, async ({ tx, actor, target, allow }) => {
    if (target.deleted_at) throw new AppError('NOT_FOUND')
    await allow('change_protection')
    const methods = await listKinds(tx.db, target.id)
    if (methods.length === 0 && !target.two_factor) return
    const { device } = request
    const factors = await tx.secondFactor.methodsOf(tx.db, target.id)
    await deleteMethodsOf(tx.db, target.id)
    const passkeys = await deletePasskeysOf(tx.db, target.id)
    await deleteRecoveryCodes(tx.db, target.id)
    await updateUser(tx.db, target.id, { two_factor: false }, ctx.clock.date())
    const removed = factors.map(({ id, method }) => ({ id, method }))
    const closed = passkeys.length > 0 && (await removeWeakPassword(tx, target))
    const details = {
      reason: 'reset_by_admin',
      methods,
      ...(removed.length > 0 && { factors: removed }),
      passkeys,
      ...(closed && { password_removed: true }),
    }
    await recordAudit(tx, { event: 'mfa_removed', actor, target: target.id, device, details })
    await endSessionsOf(tx, target.id, { reason: 'changed_by_admin', actor, device })
    // A passkey may have been the only way to sign in.
    if (passkeys.length > 0 && offersPasskeys(tx) && !(await canSignIn(tx, target.id)))
      return mailPasskeyLink(tx, target)
    await mailAdminChanges(tx, target, ['factors'])
  })
