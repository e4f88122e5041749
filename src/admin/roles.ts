import { isAdmin } from '../users/is-admin.ts'

interface Person {
  id: string
  user_type: string
}

/** What somebody may want to do to a user. `change_protection`: whether the address is verified, a second factor asked. */
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
  | 'export'

interface Circumstances {
  /** The role that the user would have afterwards. */
  to?: string
  /** Nobody else is a superadmin. */
  isLastSuperadmin?: boolean
}

export type RoleRefusal = 'FORBIDDEN' | 'LAST_SUPERADMIN'

/**
 * Who may do what to whom: undefined when it is allowed. Only superadmins touch superadmins or make somebody one. Nobody
 * lifts or weakens themselves here: one's own password, factors and deletion have ways that ask for proof.
 */
export function refusalOf(
  actor: Person,
  target: Person,
  deed: AdminAction,
  { to, isLastSuperadmin = false }: Circumstances = {},
): RoleRefusal | undefined {
  if (!isAdmin(actor)) return 'FORBIDDEN'
  if (deed === 'read') return undefined
  const concernsSuperadmin = isSuperadmin(target) || to === 'superadmin'
  if (concernsSuperadmin && !isSuperadmin(actor)) return 'FORBIDDEN'
  if (isLastSuperadmin && endsRole(deed)) return 'LAST_SUPERADMIN'
  if (actor.id === target.id && !onOneself.includes(deed)) return 'FORBIDDEN'
  return undefined
}

const onOneself: readonly AdminAction[] = ['update', 'end_sessions']

/** Whether a superadmin may no longer be one afterwards: then it matters whether there is another. */
export const endsRole = (deed: AdminAction): boolean => deed === 'delete' || deed === 'change_role'

export const isSuperadmin = ({ user_type }: Pick<Person, 'user_type'>): boolean => user_type === 'superadmin'
