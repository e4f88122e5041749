import { command } from '../command.ts'
import { withUsers } from './with-users.ts'

export const userCreate = command({
  meta: {
    name: 'wardenry user create',
    description: 'Create a user and email them a link to set a password, unless --password-stdin is given',
  },
  args: {
    email: { type: 'string', description: 'email address', required: true },
    name: { type: 'string', description: 'name' },
    role: { type: 'string', description: 'role', default: 'customer' },
    'password-stdin': { type: 'boolean', description: 'read the password from standard input; sends no email' },
  },
  run: async ({ email, name, role, 'password-stdin': withPassword }) => {
    const { askPassword } = await import('../ask.ts')
    const password = withPassword ? await askPassword('pass it on standard input') : undefined
    await withUsers(async (ctx) => {
      const { createByAdmin } = await import('../../admin/create-by-admin.ts')
      const { operator } = await import('../../admin/principal.ts')
      const { userTypeField } = await import('../../users/fields.ts')
      const user = await createByAdmin(ctx, operator, {
        email,
        user_type: userTypeField('--role', role, ctx),
        ...(name !== undefined && { name }),
        ...(password === undefined ? { send_invite: true } : { password }),
      })
      process.stdout.write(
        `${user.email} was created with the role ${user.user_type}.\n  id         ${user.id}\n  user name  ${user.user_name}\n`,
      )
      if (password === undefined) process.stdout.write('The service sends the invitation as soon as it runs.\n')
    })
  },
})
