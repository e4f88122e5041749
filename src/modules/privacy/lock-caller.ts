import type { Context, SessionView, UserRow } from '../../context.ts'
import type { Change } from '../../db/transact.ts'
import type { Device } from '../../http/device.ts'
import { AppError } from '../../lib/errors.ts'
import { isLive } from '../../sessions/queries.ts'
import { userColumns } from '../../users/columns.ts'
import { lockUser, withoutPassword } from '../../users/queries.ts'
import type { Source } from './history.ts'

/** Whoever asks, as they are now and held, while the session that asks is alive. */
export async function lockCaller(ctx: Context, { db }: Change, { user, session }: SessionView): Promise<UserRow> {
  const found = await lockUser(db, userColumns(ctx.modules), user.id)
  if (!found || !(await isLive(db, session.id))) throw new AppError('INVALID_SESSION')
  return withoutPassword(found)
}

/** Who wants something done for a user, and from where. */
export interface Origin {
  actor: UserRow
  source: Source
  device: Device
}
