/** The members that `can` reads. A session without application roles lacks them; keys and tokens have them. */
export interface Permitted {
  roles?: readonly string[]
  permissions?: readonly string[]
}

/** Whether a session, API key or access token has the permission. False without a session. */
export const can = (session: Permitted | null | undefined, permission: string): boolean =>
  includes(session?.permissions, permission)

export const hasRole = (session: Permitted, role: string): boolean => includes(session.roles, role)

/** A string would include parts of itself. */
const includes = (list: readonly string[] | undefined, value: string): boolean =>
  Array.isArray(list) && list.includes(value)
