import type { Context, UserRow } from '../../context.ts'
import { command } from '../command.ts'
import { explainingRejections } from '../explain-rejection.ts'
import { getUser, userPlace, withUsers } from './with-users.ts'

export const userSetRole = command({
  meta: {
    name: 'wardenry user set-role',
    description:
      'Change the role of a user. Ends their sessions and notifies them by email. With --application, gives a role of an application, which changes no other role.',
  },
  args: {
    ...userPlace,
    role: {
      type: 'positional',
      description: 'superadmin, admin, support, writer, customer, one of USER_TYPES or the key of an added role',
      required: true,
    },
    application: { type: 'string', description: 'key of the application that declares the role' },
    until: { type: 'string', description: 'only with --application: when the role ends, such as 2027-01-31T00:00:00Z' },
    revoke: { type: 'boolean', description: 'only with --application: take the role from the user' },
    yes: { type: 'boolean', description: 'do not ask for confirmation, as for roles with sensitive permissions' },
  },
  run: ({ user: named, role, application, until, revoke, yes }) =>
    withUsers(async (ctx) => {
      if (application === undefined && (until !== undefined || revoke))
        throw new Error('--until and --revoke need --application')
      if (application !== undefined) {
        const change = { application, role, until: until ?? null, action: revoke ? 'revoke' : 'grant' } as const
        await confirmSensitive(ctx, change, yes)
        return changeApplicationRole(ctx, await getUser(ctx, named), change)
      }
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

/** Over the API, granting and revoking such a role requires a recent authentication. */
async function confirmSensitive(
  ctx: Context,
  { application, role }: { application: string; role: string },
  isAgreed: boolean | undefined,
): Promise<void> {
  const { findGrantable } = await import('../../roles/grants/queries.ts')
  const [found] = await findGrantable(ctx.db, [{ application, role }])
  if (!found?.sensitive) return
  const { confirm } = await import('../ask.ts')
  await confirm(`The role ${application}:${role} has a sensitive permission.`, isAgreed)
}

async function changeApplicationRole(
  ctx: Context,
  { id, email }: UserRow,
  change: { application: string; role: string; until: string | null; action: 'grant' | 'revoke' },
): Promise<void> {
  const { operator } = await import('../../admin/principal.ts')
  const { changeRoleOf } = await import('../../roles/grants/set-roles.ts')
  const unknown = 'There is no such user or role'
  await changeRoleOf(ctx, { ...operator, targetId: id }, change).catch(explainingRejections(unknown))
  const name = `${change.application}:${change.role}`
  process.stdout.write(
    change.action === 'grant' ? `${email} has the role ${name}.\n` : `${email} does not have the role ${name}.\n`,
  )
}
