import { asStaff, type StaffRequest } from '../admin/as-staff.ts'
import { rightsOf } from '../admin/principal.ts'
import type { AuditEvent } from '../audit/events.ts'
import { recordAudit } from '../audit/record.ts'
import { userTypesOf } from '../config/user-types.ts'
import type { Context, Transaction } from '../context.ts'
import { waitForLock } from '../db/advisory-locks.ts'
import { AppError, invalidField } from '../lib/errors.ts'
import { looksLikeId, newId } from '../lib/ids.ts'
import { timeField } from '../lib/time-field.ts'
import { invalidateSessionsOf } from '../sessions/end-sessions.ts'
import { mailSuperadmins } from '../users/mail-superadmins.ts'
import {
  countUsersByType,
  findImpersonatedBy,
  findStaffRoles,
  insertRole,
  lockRole,
  type RoleRow,
  removeRole,
  updateRole,
} from './queries.ts'
import { assertGivable, type RoleInput, readRole } from './read-input.ts'

export const maxRoles = 100

type NewRole = RoleInput & Required<Pick<RoleInput, 'key' | 'name' | 'permissions'>>
type RoleRequest = StaffRequest & { id: string }

export function createRole(ctx: Context, request: StaffRequest, input: NewRole): Promise<string> {
  const { key = '', name = '', description = '', permissions = [] } = readRole(ctx.staff, input)
  return changing(ctx, request, 'create_role', async ({ tx, user, audit }) => {
    assertGivable(tx.staff, user, permissions)
    await assertFree(tx, key)
    const [id, now] = [newId(), tx.clock.date()]
    await insertRole(tx.db, {
      id,
      kind: 'staff',
      key,
      name,
      description,
      permissions,
      created_at: now,
      updated_at: now,
    })
    await audit('staff_role_created', { role: key, permissions })
    await mailPermissions(tx, name, permissions)
    return id
  })
}

export function updateRoleOf(
  ctx: Context,
  request: RoleRequest,
  { expected_updated_at, ...input }: Omit<RoleInput, 'key'> & { expected_updated_at?: string },
): Promise<void> {
  const expected = timeField('expected_updated_at', expected_updated_at)
  const given = readRole(ctx.staff, input)
  return withLockedRole(ctx, request, 'update_role', async ({ tx, user, role, audit }) => {
    if (expected && expected.getTime() !== role.updated_at.getTime()) throw new AppError('EDIT_CONFLICT')
    const { name = role.name, description = role.description, permissions = role.permissions } = given
    const added = permissions.filter((one) => !role.permissions.includes(one))
    const removed = role.permissions.filter((one) => !permissions.includes(one))
    const changed = [
      ...(name === role.name ? [] : ['name']),
      ...(description === role.description ? [] : ['description']),
      ...(added.length + removed.length === 0 ? [] : ['permissions']),
    ]
    if (changed.length === 0) return
    assertGivable(tx.staff, user, added)
    // Two changes within a millisecond must not have the same time, because the time identifies what an editor saw.
    const updated_at = new Date(Math.max(tx.clock.now(), role.updated_at.getTime() + 1))
    // The database ends these sessions, but they may be cached.
    if (added.length + removed.length > 0) await invalidateSessionsOf(tx, await findImpersonatedBy(tx.db, role.key))
    await updateRole(tx.db, role.id, { name, description, permissions, updated_at })
    await audit('staff_role_updated', { changed, added, removed })
    await mailPermissions(tx, name, added)
  })
}

/** Throws ROLE_IN_USE if a user has the role, deleted or not. */
export const deleteRole = (ctx: Context, request: RoleRequest): Promise<void> =>
  withLockedRole(ctx, request, 'delete_role', async ({ tx, role, audit }) => {
    const users = (await countUsersByType(tx.db, [role.key])).get(role.key) ?? 0
    if (users > 0)
      throw new AppError('ROLE_IN_USE', {
        sentence: `${users === 1 ? 'One user has' : `${users} users have`} this role. Give them another one first.`,
      })
    await removeRole(tx.db, role.id)
    await audit('staff_role_deleted', { permissions: role.permissions })
  })

interface Changing {
  tx: Transaction
  user: { id: string; user_type: string }
  audit(event: AuditEvent, details: Record<string, unknown>): Promise<void>
}

/** Changes of roles wait for each other. The other nodes read the roles again before the next administration request. */
function changing<Result>(
  ctx: Context,
  request: StaffRequest,
  deed: string,
  work: (changing: Changing) => Promise<Result>,
): Promise<Result> {
  return asStaff(ctx, request, { permission: 'roles:manage', deed }, async (tx, actor) => {
    await waitForLock(tx.db, 'permissions')
    await tx.staff.refresh(tx.db)
    const user = rightsOf(actor)
    // The change that this one has waited for may have taken the permission away.
    if (!tx.staff.may(user.user_type, 'roles:manage')) throw new AppError('FORBIDDEN')
    const { device } = request.principal
    const audit: Changing['audit'] = (event, details) => recordAudit(tx, { event, actor, device, details })
    const result = await work({ tx, user, audit })
    tx.after(() => tx.staff.refreshAll())
    return result
  })
}

/** Nobody changes their own role, or one with permissions that they lack. */
const withLockedRole = <Result>(
  ctx: Context,
  request: RoleRequest,
  deed: string,
  work: (changing: Changing & { role: RoleRow }) => Promise<Result>,
): Promise<Result> =>
  changing(ctx, request, deed, async ({ audit, ...given }) => {
    const role = looksLikeId(request.id) ? await lockRole(given.tx.db, request.id) : undefined
    if (!role) throw new AppError('NOT_FOUND')
    const { user, tx } = given
    if (user.user_type === role.key || !tx.staff.covers(user.user_type, role.key)) throw new AppError('FORBIDDEN')
    return work({ ...given, role, audit: (event, details) => audit(event, { role: role.key, ...details }) })
  })

/** Users whose type is no longer in USER_TYPES must not get permissions by the same name. */
async function assertFree(tx: Transaction, key: string): Promise<void> {
  if (userTypesOf(tx.config).includes(key)) throw invalidField('key', 'is the name of another user type')
  const roles = await findStaffRoles(tx.db)
  if (roles.some((role) => role.key === key)) throw invalidField('key', 'belongs to another role')
  if (roles.length >= maxRoles) throw invalidField('key', `is one too many: there can be ${maxRoles} roles`)
  const users = (await countUsersByType(tx.db, [key])).get(key) ?? 0
  if (users > 0) throw invalidField('key', `is the user type of ${users} users, who would get the permissions`)
}

async function mailPermissions(tx: Transaction, role: string, added: readonly string[]): Promise<void> {
  if (added.length === 0) return
  const audit_url = `${tx.config.PUBLIC_URL}/admin/audit`
  await mailSuperadmins(tx, 'staff_role', { role, permissions: added.join(', '), audit_url })
}
