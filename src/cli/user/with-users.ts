import type { Context, UserRow } from '../../context.ts'
import { type RunOptions, runWithContext } from '../run-with-context.ts'

export const withUsers = (work: (ctx: Context) => Promise<void>, options: RunOptions = {}): Promise<void> =>
  runWithContext(adviceWhenBusy, work, options)

export const getUser = async (ctx: Context, named: string): Promise<UserRow> =>
  (await import('../../users/named-user.ts')).getNamedUser(ctx, named)

const adviceWhenBusy = `If that process is the service, administrators can manage users without stopping it, with the routes below
/auth/admin/users. Otherwise stop it, run this command, and start it again.`

export const userPlace = {
  user: { type: 'positional', description: 'id, email address or user name', required: true },
} as const
