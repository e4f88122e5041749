import type { Principal } from '../../admin/principal.ts'
import { recordAudit } from '../../audit/record.ts'
import type { Context } from '../../context.ts'
import { waitForLock } from '../../db/advisory-locks.ts'
import { transact } from '../../db/transact.ts'
import { AppError } from '../../lib/errors.ts'
import { announceRoles } from '../announce-roles.ts'
import { findOwnerOfPermission, holdApplication, movePermissionTo } from './queries.ts'

export interface Move {
  permission: string
  /** The key of the application that is to have it. */
  application: string
}

/**
 * Gives a permission to another application, which can then declare it. Roles of the former application keep it without
 * effect. Returns the key of the former application. Throws NOT_FOUND.
 */
export const movePermission = (
  ctx: Context,
  { device, actor }: Principal,
  { permission, application }: Move,
): Promise<string> =>
  transact(ctx, async (tx) => {
    const target = await holdApplication(tx.db, application)
    await waitForLock(tx.db, 'permissions')
    const former = await findOwnerOfPermission(tx.db, permission)
    if (!target || !former) throw new AppError('NOT_FOUND')
    if (former.id === target.id) return former.key
    await movePermissionTo(tx.db, permission, target.id)
    const details = { application: target.id, key: target.key, permission, from: former.key }
    await recordAudit(tx, { event: 'permission_moved', device, actor, details })
    for (const { id } of [former, target]) await announceRoles(tx, id)
    return former.key
  })
