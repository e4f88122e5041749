/** Returns false if there is no user. */
export const isAdmin = (user: { user_type: string } | undefined): boolean =>
  user?.user_type === 'admin' || user?.user_type === 'superadmin'
