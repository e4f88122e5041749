import type { Context, UserRow } from '../context.ts'
import { newId } from '../lib/ids.ts'
import { findUser, insertUser, takenValues, type UserChanges } from './queries.ts'

type Optional = Pick<UserChanges, 'name' | 'last_name' | 'phone' | 'lang' | 'tmz' | 'picture' | 'title'>

/** All members must be validated and in canonical form. */
export interface NewUser extends Optional {
  /** By default, a new id. */
  id?: string
  email: string
  password_hash: string | null
  user_name: string
  user_type: string
  is_verified: boolean
}

export type UserCreation = { user: UserRow } | { taken: { email: boolean; user_name: boolean; phone: boolean } }

export async function createUser(ctx: Context, user: NewUser): Promise<UserCreation> {
  const now = ctx.clock.date()
  const row = {
    id: user.id ?? newId(),
    email: user.email,
    user_name: user.user_name,
    phone: user.phone ?? null,
    password_hash: user.password_hash,
    user_type: user.user_type,
    name: user.name ?? '',
    last_name: user.last_name ?? '',
    picture: user.picture ?? '',
    lang: user.lang ?? null,
    tmz: user.tmz ?? null,
    title: user.title ?? null,
    is_verified: user.is_verified,
    created_at: now,
    updated_at: now,
  }
  if (!(await insertUser(ctx.db, row))) return { taken: await takenValues(ctx.db, row) }
  const created = await findUser(ctx, row.id)
  if (!created) throw new Error('could not read a user that was just inserted')
  return { user: created }
}
