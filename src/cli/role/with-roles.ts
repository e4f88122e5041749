import type { Context } from '../../context.ts'
import { explainingRejections } from '../explain-rejection.ts'
import { runWithContext } from '../run-with-context.ts'

export const withRoles = (work: (ctx: Context) => Promise<void>): Promise<void> =>
  runWithContext(adviceWhenBusy, (ctx) => work(ctx).catch(explainingRejections(unknown)))

const unknown = 'There is no such role: pass the key of an added role that "wardenry role list" prints'

const adviceWhenBusy = `If that process is the service, a superadmin can manage roles without stopping it, at /admin/roles.
Otherwise stop it, run this command, and start it again.`

export const rolePlace = {
  role: { type: 'positional', description: 'key of the role, which is the user type of its users', required: true },
} as const

/** The request of the operator for the role with this key. */
export async function roleRequest({ db }: Context, key: string) {
  const { findStaffRoles } = await import('../../roles/queries.ts')
  const { operator: principal } = await import('../../admin/principal.ts')
  const roles = await findStaffRoles(db)
  return { principal, id: roles.find((role) => role.key === key)?.id ?? '' }
}
