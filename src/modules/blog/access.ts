import type { Config } from '../../config/load.ts'
import type { RouteAccess } from '../../http/access/access.ts'

/** These roles may write posts. Administrators always may, regardless of the setting. */
export const writers = ({ WRITER_ROLES }: Pick<Config, 'WRITER_ROLES'>): RouteAccess => ({
  bridge: 'none',
  session: 'full',
  roles: [...new Set([...WRITER_ROLES, 'admin', 'superadmin'])],
  description: 'a full session of a user with a type of WRITER_ROLES',
})
/** These roles may moderate comments. Administrators always may. */
export const moderators = ({ MODERATOR_ROLES }: Pick<Config, 'MODERATOR_ROLES'>): RouteAccess => ({
  bridge: 'none',
  session: 'full',
  roles: [...new Set([...MODERATOR_ROLES, 'admin', 'superadmin'])],
  description: 'a full session of a user with a type of MODERATOR_ROLES',
})
