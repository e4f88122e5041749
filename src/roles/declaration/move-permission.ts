import { asStaff, type StaffRequest } from '../../admin/as-staff.ts'
import { rightsOf } from '../../admin/principal.ts'
import { recordAudit } from '../../audit/record.ts'
import type { Context } from '../../context.ts'
import { waitForLock } from '../../db/advisory-locks.ts'
import { isSuperadmin } from '../../http/access/permissions.ts'
import { AppError, invalidField } from '../../lib/errors.ts'
import { announceRoles } from '../announce-roles.ts'
import { findOwnerOfPermission, holdApplication, movePermissionTo } from './queries.ts'

export interface Move {
  permission: string
  /** The key of the application that is to have it. */
  application: string
}

/**
 * Gives a permission to another application, which can then declare it. Roles of the former application keep it without
 * effect. Returns the key of the former application. Only for superadmins. Throws NOT_FOUND.
 */
export const movePermission = (
  ctx: Context,
  request: StaffRequest,
  { permission, application }: Move,
): Promise<string> =>
  asStaff(ctx, request, { permission: 'applications:manage', deed: 'move_permission' }, async (tx, actor) => {
    if (!isSuperadmin(rightsOf(actor)))
      throw new AppError('FORBIDDEN', { sentence: 'Only superadmins can move permissions' })
    const target = await holdApplication(tx.db, application)
    await waitForLock(tx.db, 'permissions')
    const former = await findOwnerOfPermission(tx.db, permission)
    if (!former) throw new AppError('NOT_FOUND')
    if (!target) throw invalidField('application', 'must be the key of an application')
    if (former.id === target.id) return former.key
    await movePermissionTo(tx.db, permission, target.id)
    const details = { application: target.id, key: target.key, permission, from: former.key }
    await recordAudit(tx, { event: 'permission_moved', device: request.principal.device, actor, details })
    for (const { id } of [former, target]) await announceRoles(tx, id)
    return former.key
  })
