import { isDeepStrictEqual } from 'node:util'
import { recordAudit } from '../audit/record.ts'
import type { Context, SessionView, UserRow } from '../context.ts'
import { type Change, transact } from '../db/transact.ts'
import type { EmailChange } from '../email/change-queries.ts'
import { proveForEmailChange } from '../email/request-change.ts'
import { startEmailChange } from '../email/start-change.ts'
import type { Device } from '../http/device.ts'
import { AppError } from '../lib/errors.ts'
import { proveIdentity } from '../passwords/prove-identity.ts'
import { releasePictures } from '../pictures/release-pictures.ts'
import { outdateCopies } from '../sessions/end-sessions.ts'
import type { From } from '../sessions/known-device.ts'
import { isLive } from '../sessions/queries.ts'
import { isRecentlyProven } from '../sessions/recent-proof.ts'
import { changeTrustedPhone, tellOfPhone } from '../tokens/trusted-phone.ts'
import { userColumns } from '../users/columns.ts'
import { emailField } from '../users/fields.ts'
import { isTrustedPhone, lockUser, type UserChanges, updateUser, withoutPassword } from '../users/queries.ts'
import { type GivenMembers, readChanges } from '../users/read-changes.ts'

interface Wish {
  email?: string
  /** Where a new address or number needs more than a session. */
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
  { email, current_password, ...given }: GivenMembers & Wish,
  from: From,
): Promise<Updated> {
  const asked = readChanges(ctx, given)
  const newEmail = email?.trim() ? emailField('email', email) : undefined
  const asksForEmail = newEmail !== undefined && newEmail !== view.user.email
  if (asksForEmail) await proveForEmailChange(ctx, view, current_password, from)
  const isProven = Boolean(asked.phone) && (await hasProof(ctx, view, current_password, from))
  const { device } = from
  return transact(ctx.db, async (change) => {
    const found = await lockUser(change.db, userColumns(ctx.modules), view.user.id)
    // What has ended meanwhile, perhaps because the owner noticed somebody, changes nothing any more.
    if (!found || !(await isLive(change.db, view.session.id))) throw new AppError('INVALID_SESSION')
    const before = withoutPassword(found)
    const user = await writeDifferences(ctx, change, before, asked, { isProven, device })
    if (!asksForEmail || newEmail === user.email) return { user, pending: undefined }
    const request = { user, sessionId: view.session.id, newEmail, device, again: 'keep' } as const
    return { user, pending: await startEmailChange(ctx, change, request) }
  })
}

/** A number is kept without proof, too, but lets nobody in then. A password that is given to prove it must be right. */
async function hasProof(
  ctx: Context,
  view: SessionView,
  currentPassword: string | undefined,
  from: From,
): Promise<boolean> {
  if (currentPassword === undefined) return isRecentlyProven(ctx, view)
  await proveIdentity(ctx, view, { ...from, currentPassword })
  return true
}

interface Asker {
  isProven: boolean
  device: Device
}

async function writeDifferences(
  ctx: Context,
  change: Change,
  user: UserRow,
  asked: UserChanges,
  { isProven, device }: Asker,
): Promise<UserRow> {
  const changes = differences(user, asked)
  const phone = changes.phone === undefined ? await phoneToTrust(change, user, asked, isProven) : changes.phone
  const names = Object.keys(changes)
  if (names.length === 0 && phone === undefined) return user
  const now = new Date(ctx.clock.now())
  await updateUser(change.db, user.id, changes, now)
  if (changes.picture !== undefined) await releasePictures(ctx, change, user.id)
  await outdateCopies(ctx, change, user.id)
  const isTrusted = phone !== undefined && (await changeTrustedPhone(ctx, change, { user, phone, isProven }))
  if (phone !== undefined) await tellOfPhone(ctx, change, user, phone, device)
  const details = { changed: names, ...(phone && { phone_trusted: isTrusted }) }
  await recordAudit(ctx, change.db, { event: 'profile_updated', actor: user, target: user.id, device, details })
  return { ...user, ...changes, updated_at: now } as UserRow
}

/** The number that the user has already, when it is given again with the proof that it lacked. */
async function phoneToTrust(
  { db }: Change,
  { id, phone }: UserRow,
  asked: UserChanges,
  isProven: boolean,
): Promise<string | undefined> {
  if (!isProven || !phone || asked.phone !== phone) return undefined
  return (await isTrustedPhone(db, id, phone)) ? undefined : phone
}

const differences = (user: UserRow, asked: UserChanges): UserChanges =>
  Object.fromEntries(Object.entries(asked).filter(([name, value]) => !isDeepStrictEqual(user[name], value)))
