import type { Context } from '../context.ts'
import { findListedRoles } from './application-queries.ts'
import { permissionsOf } from './expand-permissions.ts'

/** The permissions of a role are those that its users have at present. */
export async function listApplicationRoles({ db, clock }: Pick<Context, 'db' | 'clock'>) {
  const { roles, permissions } = await findListedRoles(db, clock.date())
  return roles.map((role) => {
    const own = new Set(permissionsOf(role, permissions))
    return {
      ...{ id: role.id, application: role.application, role: role.key, name: role.name },
      ...{ description: role.description, default: role.isDefault, users: role.users },
      permissions: permissions
        .filter(({ key }) => own.has(key))
        .map(({ key, sensitive, title }) => ({ key, sensitive, title })),
    }
  })
}
