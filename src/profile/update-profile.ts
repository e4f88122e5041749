import { isDeepStrictEqual } from 'node:util'
import { recordAudit } from '../audit/record.ts'
import type { Context, SessionView, UserRow } from '../context.ts'
import { type Change, transact } from '../db/transact.ts'
import type { EmailChange } from '../email/change-queries.ts'
import { proveForEmailChange } from '../email/request-change.ts'
import { startEmailChange } from '../email/start-change.ts'
import type { Device } from '../http/device.ts'
import { AppError } from '../lib/errors.ts'
import { releasePictures } from '../pictures/release-pictures.ts'
import { outdateCopies } from '../sessions/end-sessions.ts'
import type { From } from '../sessions/known-device.ts'
import { userColumns } from '../users/columns.ts'
import { emailField } from '../users/fields.ts'
import { lockUser, type UserChanges, updateUser, withoutPassword } from '../users/queries.ts'
import { type GivenMembers, readChanges } from '../users/read-changes.ts'

interface EmailWish {
  email?: string
  /** Where asking for another address needs more than a session. */
  current_password?: string
}

interface Updated {
  user: UserRow
  /** When another address was asked for: it waits for both inboxes, and the user still has the old one. */
  pending: EmailChange | undefined
}

/** Writes what a user changes about themselves, and gives the user as it is then. What stays the same leaves no trace. */
export async function updateProfile(
  ctx: Context,
  view: SessionView,
  { email, current_password, ...given }: GivenMembers & EmailWish,
  from: From,
): Promise<Updated> {
  const asked = readChanges(ctx, given)
  const newEmail = email?.trim() ? emailField('email', email) : undefined
  const asksForEmail = newEmail !== undefined && newEmail !== view.user.email
  if (asksForEmail) await proveForEmailChange(ctx, view, current_password, from)
  const { device } = from
  return transact(ctx.db, async (change) => {
    const found = await lockUser(change.db, userColumns(ctx.modules), view.user.id)
    if (!found) throw new AppError('INVALID_SESSION')
    const before = withoutPassword(found)
    const user = await writeDifferences(ctx, change, before, asked, device)
    if (!asksForEmail || newEmail === user.email) return { user, pending: undefined }
    const request = { user, sessionId: view.session.id, newEmail, device, again: 'keep' } as const
    return { user, pending: await startEmailChange(ctx, change, request) }
  })
}

async function writeDifferences(
  ctx: Context,
  change: Change,
  user: UserRow,
  asked: UserChanges,
  device: Device,
): Promise<UserRow> {
  const changes = differences(user, asked)
  const names = Object.keys(changes)
  if (names.length === 0) return user
  const now = new Date(ctx.clock.now())
  await updateUser(change.db, user.id, changes, now)
  if (changes.picture !== undefined) await releasePictures(ctx, change, user.id)
  await outdateCopies(ctx, change, user.id)
  const details = { changed: names }
  await recordAudit(ctx, change.db, { event: 'profile_updated', actor: user, target: user.id, device, details })
  return { ...user, ...changes, updated_at: now } as UserRow
}

const differences = (user: UserRow, asked: UserChanges): UserChanges =>
  Object.fromEntries(Object.entries(asked).filter(([name, value]) => !isDeepStrictEqual(user[name], value)))
