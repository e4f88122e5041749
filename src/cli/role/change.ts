import type { Context } from '../../context.ts'
import { command } from '../command.ts'
import { itemsIn } from '../explain-rejection.ts'
import { rolePlace, roleRequest, withRoles } from './with-roles.ts'

const members = {
  name: { type: 'string', description: 'name for administrators; the default for a new role is its key' },
  description: { type: 'string', description: 'note for administrators' },
  permissions: {
    type: 'string',
    description:
      'all its permissions such as users:read,users:block; "wardenry role list --json" prints the known ones',
  },
  yes: { type: 'boolean', description: 'do not ask for confirmation, as for sensitive permissions' },
} as const

interface GivenMembers {
  name?: string | undefined
  description?: string | undefined
  permissions?: string | undefined
}

const inputOf = ({ name, description, permissions }: GivenMembers) => ({
  ...(name !== undefined && { name }),
  ...(description !== undefined && { description }),
  ...(permissions !== undefined && { permissions: itemsIn(permissions) }),
})

export const roleCreate = command({
  meta: { name: 'wardenry role create', description: 'Create a staff role and notify superadmins by email' },
  args: { ...rolePlace, ...members },
  run: ({ role: key, yes, ...given }) =>
    withRoles(async (ctx) => {
      const { createRole } = await import('../../roles/change-role.ts')
      const { operator: principal } = await import('../../admin/principal.ts')
      const input = { name: key, permissions: [], ...inputOf(given), key }
      await confirmSensitive(input.permissions, yes)
      await createRole(ctx, { principal }, input)
      process.stdout.write(`The role ${key} was created. Give it to a user: wardenry user set-role <user> ${key}\n`)
    }),
})

export const roleUpdate = command({
  meta: { name: 'wardenry role update', description: 'Change the name, description or permissions of a staff role' },
  args: { ...rolePlace, ...members },
  run: ({ role: key, yes, ...given }) =>
    withRoles(async (ctx) => {
      const { updateRoleOf } = await import('../../roles/change-role.ts')
      const input = inputOf(given)
      if (Object.keys(input).length === 0) throw new Error('Nothing to change: see --help')
      await confirmSensitive(await addedTo(ctx, key, input.permissions), yes)
      await updateRoleOf(ctx, await roleRequest(ctx, key), input)
      process.stdout.write(`The role ${key} was changed.\n`)
    }),
})

async function addedTo({ db }: Pick<Context, 'db'>, key: string, permissions: readonly string[] = []) {
  const { findStaffRoles } = await import('../../roles/queries.ts')
  const role = (await findStaffRoles(db)).find((one) => one.key === key)
  return permissions.filter((one) => !role?.permissions.includes(one))
}

/** Over the API, a superadmin must have authenticated recently. */
async function confirmSensitive(added: readonly string[], isAgreed: boolean | undefined): Promise<void> {
  const { sensitivePermissions } = await import('../../config/staff-permissions.ts')
  const sensitive = added.filter((one) => sensitivePermissions.includes(one))
  if (sensitive.length === 0) return
  const { confirm } = await import('../ask.ts')
  await confirm(
    `With ${sensitive.join(', ')}, users with the role could get further rights or read everything.`,
    isAgreed,
  )
}

export const roleDelete = command({
  meta: { name: 'wardenry role delete', description: 'Delete a staff role that no user has' },
  args: rolePlace,
  run: ({ role: key }) =>
    withRoles(async (ctx) => {
      const { deleteRole } = await import('../../roles/change-role.ts')
      await deleteRole(ctx, await roleRequest(ctx, key))
      process.stdout.write(`The role ${key} was deleted.\n`)
    }),
})
