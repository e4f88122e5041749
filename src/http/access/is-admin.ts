/** Returns false if there is no user. */
export const isAdmin = (user: { user_type: string } | undefined): boolean =>
  user?.user_type === 'admin' || user?.user_type === 'superadmin'

/** Staff are administrators and support agents. Support agents have read-only access. */
export const isStaff = (user: { user_type: string }): boolean => isAdmin(user) || user.user_type === 'support'
