import type { SessionView, Transaction, UserRow } from '../context.ts'
import { AppError } from '../lib/errors.ts'
import { lockUser, withoutPassword } from '../users/queries.ts'
import { isLiveSession } from './queries.ts'

export async function lockCaller(tx: Transaction, { user, session }: SessionView): Promise<UserRow> {
  const found = await lockUser(tx, user.id)
  if (!found || !(await isLiveSession(tx.db, session.id))) throw new AppError('INVALID_SESSION')
  return withoutPassword(found)
}
