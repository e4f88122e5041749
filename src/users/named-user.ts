import type { Context, UserRow } from '../context.ts'
import { looksLikeId } from '../lib/ids.ts'
import { canonicalEmail } from './fields.ts'
import { findUser, findUserByLogin, withoutPassword } from './queries.ts'

/** The user whom an operator names by id, email address or user name. Throws an Error with advice. */
export async function getNamedUser(ctx: Context, named: string): Promise<UserRow> {
  const user = await findNamed(ctx, named.trim())
  if (!user) throw new Error(`There is no user "${named}": pass the id, the email address or the user name of a user`)
  return user
}

async function findNamed(ctx: Context, named: string): Promise<UserRow | undefined> {
  // User names are at most 32 characters long and contain no @, so ids, email addresses and user names never overlap.
  if (looksLikeId(named.toLowerCase())) return findUser(ctx, named.toLowerCase())
  const login = named.includes('@') ? canonicalEmail(named) : named
  const found = login && (await findUserByLogin(ctx, login))
  return found ? withoutPassword(found) : undefined
}
