import type { Context, SessionView, UserRow } from '../context.ts'
import type { Transaction } from '../db/transact.ts'
import { AppError } from '../lib/errors.ts'
import { userColumns } from '../users/columns.ts'
import { lockUser, withoutPassword } from '../users/queries.ts'
import { isLive } from './queries.ts'

/**
 * The caller as they are now, held until the transaction ends. What has ended meanwhile, perhaps because the owner
 * noticed somebody, changes nothing any more.
 */
export async function lockCaller(ctx: Context, { db }: Transaction, { user, session }: SessionView): Promise<UserRow> {
  const found = await lockUser(db, userColumns(ctx.modules), user.id)
  if (!found || !(await isLive(db, session.id))) throw new AppError('INVALID_SESSION')
  return withoutPassword(found)
}
