import { fitted, inColumns, printable, printableJson } from '../columns.ts'
import { command } from '../command.ts'
import { withRoles } from './with-roles.ts'

export const roleList = command({
  meta: { name: 'wardenry role list', description: 'List staff roles, their permissions and the number of users' },
  args: { json: { type: 'boolean', description: 'print JSON with all permissions, as GET /auth/admin/roles does' } },
  run: ({ json }) =>
    withRoles(async (ctx) => {
      const { listRoles } = await import('../../roles/list-roles.ts')
      const found = await listRoles(ctx)
      if (json) return void process.stdout.write(printableJson(found))
      const rows = found.roles.map(({ key, name, built_in, users, permissions }) => [
        key,
        fitted(printable(name), 30),
        String(users),
        built_in ? `${permissions.length} (built-in)` : permissions.join(','),
      ])
      process.stdout.write(inColumns([['KEY', 'NAME', 'USERS', 'PERMISSIONS'], ...rows]))
    }),
})
