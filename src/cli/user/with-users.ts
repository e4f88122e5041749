import type { Context, UserRow } from '../../context.ts'
import { type RunOptions, runWithContext } from '../run-with-context.ts'

export const withUsers = (work: (ctx: Context) => Promise<void>, options: RunOptions = {}): Promise<void> =>
  runWithContext(adviceWhenBusy, work, options)

export async function getUser(ctx: Context, named: string): Promise<UserRow> {
  const user = await findNamed(ctx, named.trim())
  if (!user) throw new Error(`There is no user "${named}": pass the id, the email address or the user name of a user`)
  return user
}

async function findNamed(ctx: Context, named: string): Promise<UserRow | undefined> {
  const { looksLikeId } = await import('../../lib/ids.ts')
  const { canonicalEmail } = await import('../../users/fields.ts')
  const { findUser, findUserByLogin, withoutPassword } = await import('../../users/queries.ts')
  // User names are at most 32 characters long and contain no @, so ids, email addresses and user names never overlap.
  if (looksLikeId(named.toLowerCase())) return findUser(ctx, named.toLowerCase())
  const login = named.includes('@') ? canonicalEmail(named) : named
  const found = login && (await findUserByLogin(ctx, login))
  return found ? withoutPassword(found) : undefined
}

const adviceWhenBusy = `If that process is the service, administrators can manage users without stopping it, with the routes below
/auth/admin/users. Otherwise stop it, run this command, and start it again.`

export const userPlace = {
  user: { type: 'positional', description: 'id, email address or user name', required: true },
} as const
