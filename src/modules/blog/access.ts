import type { Config } from '../../config/load.ts'
import type { RouteAccess } from '../../http/access/access.ts'

/** Roles that may write posts. Administrators always may, whatever the setting says. */
export const writers = ({ WRITER_ROLES }: Pick<Config, 'WRITER_ROLES'>): RouteAccess => ({
  bridge: 'none',
  session: 'full',
  roles: [...new Set([...WRITER_ROLES, 'admin', 'superadmin'])],
  description: 'a full session of a user with a type of WRITER_ROLES',
})
/** Roles that may moderate comments. Administrators always may. */
export const moderators = ({ MODERATOR_ROLES }: Pick<Config, 'MODERATOR_ROLES'>): RouteAccess => ({
  bridge: 'none',
  session: 'full',
  roles: [...new Set([...MODERATOR_ROLES, 'admin', 'superadmin'])],
  description: 'a full session of a user with a type of MODERATOR_ROLES',
})
