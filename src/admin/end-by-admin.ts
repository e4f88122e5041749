import { recordAudit } from '../audit/record.ts'
import type { Context, UserRow } from '../context.ts'
import { AppError } from '../lib/errors.ts'
import { looksLikeId } from '../lib/ids.ts'
import { softDeleteUser } from '../profile/delete-user.ts'
import { endSessionOf, endSessionsOf } from '../sessions/end-sessions.ts'
import { removeUnusedUpgrades } from '../webauthn/remove-unused-upgrades.ts'
import { type AdminRequest, withLockedTarget } from './locked-target.ts'
import { mailAdminChanges } from './mail-admin-changes.ts'
import { markRestored } from './queries.ts'

export const deleteByAdmin = (ctx: Context, request: AdminRequest): Promise<void> =>
  withLockedTarget(ctx, request, async ({ tx, actor, target, allow }) => {
    await allow('delete')
    if (!target.deleted_at) await softDeleteUser(tx, target, { actor, device: request.device })
  })

export const restoreByAdmin = (ctx: Context, request: AdminRequest): Promise<UserRow> =>
  withLockedTarget(ctx, request, async ({ tx, actor, target, allow }) => {
    await allow('restore')
    if (!target.deleted_at) return target
    const now = ctx.clock.date()
    if (now.getTime() - target.deleted_at.getTime() >= ctx.config.DELETED_RETENTION) throw new AppError('NOT_FOUND')
    await markRestored(tx.db, target.id, now)
    await endSessionsOf(tx, target.id, { reason: 'user_restored', actor, device: request.device })
    await recordAudit(tx, { event: 'user_restored', actor, target: target.id, device: request.device })
    return { ...target, updated_at: now }
  })

export const endSessionsByAdmin = (ctx: Context, request: AdminRequest, sessionId?: string): Promise<number> =>
  withLockedTarget(ctx, request, async ({ tx, actor, target, allow }) => {
    if (target.deleted_at) throw new AppError('NOT_FOUND')
    await allow('end_sessions')
    const ending = { reason: 'ended_by_admin', actor, device: request.device }
    if (sessionId === undefined) {
      await ctx.secondFactor.forgetBrowsers(tx.db, [target.id], ctx.clock.date())
      const passkeys = await removeUnusedUpgrades(tx, target.id, ending)
      if (passkeys.length > 0) await mailAdminChanges(tx, target, ['passkeys'])
      return endSessionsOf(tx, target.id, ending)
    }
    const ended = looksLikeId(sessionId) && (await endSessionOf(tx, target.id, sessionId, ending))
    if (!ended) throw new AppError('NOT_FOUND')
    return 1
  })
