import type { StaffPermission } from '../../config/staff-permissions.ts'
import type { StaffRoles } from '../../context/staff.ts'

interface RankedUser {
  id: string
  user_type: string
}

/** The permission that each action requires, in addition to that of the route. */
const permissionFor = {
  read: 'users:read',
  create: 'users:create',
  update: 'users:update',
  change_role: 'users:set_role',
  /** To give and take roles of applications. */
  grant_roles: 'users:set_role',
  /** To change whether the email address is verified or whether a second factor is required. */
  change_protection: 'users:reset_factors',
  set_password: 'users:set_password',
  delete: 'users:delete',
  restore: 'users:restore',
  end_sessions: 'users:end_sessions',
  block: 'users:block',
  unblock: 'users:block',
  unlock: 'users:unlock',
  impersonate: 'users:impersonate',
  export: 'users:export',
  send_message: 'users:send_message',
  start_email_change: 'users:update',
} as const satisfies Record<string, StaffPermission>

export type AdminAction = keyof typeof permissionFor

export interface AttemptedAction {
  action: AdminAction
  /** The new user type. */
  to?: string | undefined
  isLastSuperadmin?: boolean
}

export type RoleRejection = 'FORBIDDEN' | 'LAST_SUPERADMIN'

/**
 * Administrators change only users whose types have no permissions that they lack, before and after the change. They
 * cannot make sensitive changes to their own accounts, because most administration routes require no reauthentication
 * by default.
 */
export function denialReason(
  staff: StaffRoles,
  actor: RankedUser,
  target: RankedUser,
  { action, to, isLastSuperadmin = false }: AttemptedAction,
): RoleRejection | undefined {
  if (!staff.may(actor.user_type, permissionFor[action])) return 'FORBIDDEN'
  if (action === 'read') return undefined
  if (action === 'create' && staff.isStaff(target.user_type) && !staff.may(actor.user_type, 'users:set_role'))
    return 'FORBIDDEN'
  if (action === 'impersonate' && staff.isStaff(target.user_type)) return 'FORBIDDEN'
  const types = [target.user_type, ...(to === undefined ? [] : [to])]
  if (types.some((type) => !staff.covers(actor.user_type, type))) return 'FORBIDDEN'
  if (isLastSuperadmin && endsRole(action)) return 'LAST_SUPERADMIN'
  if (actor.id === target.id && !onOneself.includes(action)) return 'FORBIDDEN'
  return undefined
}

const onOneself: readonly AdminAction[] = ['update', 'end_sessions']

/** Whether the action could remove the last superadmin. */
export const endsRole = (action: AdminAction): boolean =>
  action === 'delete' || action === 'change_role' || action === 'block'

export const isSuperadmin = ({ user_type }: Pick<RankedUser, 'user_type'>): boolean => user_type === 'superadmin'
