import { command } from '../command.ts'
import { getUser, userPlace, withUsers } from './with-users.ts'

export const userSetRole = command({
  meta: {
    name: 'wardenry user set-role',
    description: 'Change the role of a user. Ends their sessions and notifies them by email.',
  },
  args: {
    ...userPlace,
    role: {
      type: 'positional',
      description: 'superadmin, admin, support, writer, customer, one of USER_TYPES or the key of an added role',
      required: true,
    },
  },
  run: ({ user: named, role }) =>
    withUsers(async (ctx) => {
      const { operator } = await import('../../admin/principal.ts')
      const { changeByAdmin } = await import('../../admin/update-by-admin.ts')
      const { userTypeField } = await import('../../users/fields.ts')
      const user_type = userTypeField('The role', role, ctx)
      const { id, email } = await getUser(ctx, named)
      const { before } = await changeByAdmin(ctx, { ...operator, targetId: id }, { user_type })
      process.stdout.write(
        before.user_type === user_type
          ? `${email} already has the role ${user_type}. Nothing was changed.\n`
          : `${email} has the role ${user_type} now, instead of ${before.user_type}. The sessions of the user have ended.\n`,
      )
    }),
})
