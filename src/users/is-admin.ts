/** Of nobody, too: whoever calls without a session is none. */
export const isAdmin = (user: { user_type: string } | undefined): boolean =>
  user?.user_type === 'admin' || user?.user_type === 'superadmin'
