import { isDeepStrictEqual } from 'node:util'
import { recordAudit } from '../audit/record.ts'
import type { Context, UserRow } from '../context.ts'
import { transact } from '../db/transact.ts'
import type { Device } from '../http/device.ts'
import { AppError } from '../lib/errors.ts'
import { outdateCopies } from '../sessions/end-sessions.ts'
import { userColumns } from '../users/columns.ts'
import { lockUser, type UserChanges, updateUser, withoutPassword } from '../users/queries.ts'
import { type GivenMembers, readChanges } from '../users/read-changes.ts'

/** Writes what a user changes about themselves, and gives the user as it is then. What stays the same leaves no trace. */
export async function updateProfile(
  ctx: Context,
  userId: string,
  given: GivenMembers,
  device: Device,
): Promise<UserRow> {
  const asked = readChanges(ctx, given)
  return transact(ctx.db, async (change) => {
    const found = await lockUser(change.db, userColumns(ctx.modules), userId)
    if (!found) throw new AppError('INVALID_SESSION')
    const user = withoutPassword(found)
    const changes = differences(user, asked)
    const names = Object.keys(changes)
    if (names.length === 0) return user
    const now = new Date(ctx.clock.now())
    await updateUser(change.db, user.id, changes, now)
    await outdateCopies(ctx, change, user.id)
    const details = { changed: names }
    await recordAudit(ctx, change.db, { event: 'profile_updated', actor: user, target: user.id, device, details })
    return { ...user, ...changes, updated_at: now } as UserRow
  })
}

const differences = (user: UserRow, asked: UserChanges): UserChanges =>
  Object.fromEntries(Object.entries(asked).filter(([name, value]) => !isDeepStrictEqual(user[name], value)))
