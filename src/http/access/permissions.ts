import { isAdmin, isStaff } from './is-admin.ts'

interface RankedUser {
  id: string
  user_type: string
}

/** `change_protection`: change whether the email address is verified or whether a second factor is required. */
export type AdminAction =
  | 'read'
  | 'create'
  | 'update'
  | 'change_role'
  | 'change_protection'
  | 'set_password'
  | 'delete'
  | 'restore'
  | 'end_sessions'
  | 'block'
  | 'unblock'
  | 'unlock'
  | 'impersonate'
  | 'export'
  | 'send_message'
  | 'start_email_change'

interface RoleContext {
  to?: string | undefined
  isLastSuperadmin?: boolean
}

export type RoleRejection = 'FORBIDDEN' | 'LAST_SUPERADMIN'

/**
 * Administrators cannot make sensitive changes to their own accounts, because most administration
 * routes require no reauthentication by default.
 */
export function denialReason(
  actor: RankedUser,
  target: RankedUser,
  action: AdminAction,
  { to, isLastSuperadmin = false }: RoleContext = {},
): RoleRejection | undefined {
  if (action === 'read') return isStaff(actor) ? undefined : 'FORBIDDEN'
  if (!isAdmin(actor)) return 'FORBIDDEN'
  if (action === 'impersonate' && (!isSuperadmin(actor) || isStaff(target))) return 'FORBIDDEN'
  const concernsSuperadmin = isSuperadmin(target) || to === 'superadmin'
  if (concernsSuperadmin && !isSuperadmin(actor)) return 'FORBIDDEN'
  if (isLastSuperadmin && endsRole(action)) return 'LAST_SUPERADMIN'
  if (actor.id === target.id && !onOneself.includes(action)) return 'FORBIDDEN'
  return undefined
}

const onOneself: readonly AdminAction[] = ['update', 'end_sessions']

/** Whether the action could remove the last superadmin. */
export const endsRole = (action: AdminAction): boolean =>
  action === 'delete' || action === 'change_role' || action === 'block'

export const isSuperadmin = ({ user_type }: Pick<RankedUser, 'user_type'>): boolean => user_type === 'superadmin'
