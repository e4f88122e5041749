import { isDeepStrictEqual } from 'node:util'
import type { Transaction, UserRow } from '../context.ts'
import type { RequestDevice } from '../http/access/device.ts'
import { changeTrustedPhone, notifyPhoneChanged } from '../passwordless/trusted-phone.ts'
import { releasePictures } from '../pictures/release-pictures.ts'
import { invalidateSessions } from '../sessions/end-sessions.ts'
import { assertCanSignIn, canSignIn } from '../sign-in-methods/can-sign-in.ts'
import { isTrustedPhone, type UserChanges, updateUser } from '../users/queries.ts'

interface ChangeActor {
  /** Whether the user has authenticated recently in a browser session. If not, a new phone number is not trusted. */
  isProven: boolean
  device: RequestDevice
}

interface Written {
  user: UserRow
  /** The names of changed members, without values. Undefined if nothing changed. */
  details: { changed: string[]; phone_trusted?: boolean } | undefined
}

/** Throws LAST_SIGN_IN_METHOD if the phone number is the only way to sign in and the new one is not trusted. */
export async function writeChanges(
  tx: Transaction,
  user: UserRow,
  requested: UserChanges,
  { isProven, device }: ChangeActor,
): Promise<Written> {
  const changes = differences(user, requested)
  const phone = changes.phone === undefined ? await phoneToTrust(tx, user, requested, isProven) : changes.phone
  const changed = Object.keys(changes)
  if (changed.length === 0 && phone === undefined) return { user, details: undefined }
  const now = tx.clock.date()
  const mayLoseMethod = changes.phone !== undefined && user.phone !== null && (await canSignIn(tx, user.id))
  await updateUser(tx.db, user.id, changes, now)
  if (changes.picture !== undefined) await releasePictures(tx, user.id)
  await invalidateSessions(tx, user.id)
  const isTrusted = phone !== undefined && (await changeTrustedPhone(tx, { user, phone, isProven }))
  if (mayLoseMethod) await assertCanSignIn(tx, user, { event: 'authz_denied', device, details: phoneDenied })
  if (phone !== undefined) await notifyPhoneChanged(tx, user, phone, device)
  const details = { changed, ...(phone && { phone_trusted: isTrusted }) }
  return { user: { ...user, ...changes, updated_at: now } as UserRow, details }
}

const phoneDenied = { deed: 'change_phone', code: 'LAST_SIGN_IN_METHOD' }

/** Returns the current phone number if it is not yet trusted and a recently authenticated user resubmits it. */
async function phoneToTrust(
  { db }: Transaction,
  { id, phone }: UserRow,
  requested: UserChanges,
  isProven: boolean,
): Promise<string | undefined> {
  if (!isProven || !phone || requested.phone !== phone) return undefined
  return (await isTrustedPhone(db, id, phone)) ? undefined : phone
}

const differences = (user: UserRow, requested: UserChanges): UserChanges =>
  Object.fromEntries(Object.entries(requested).filter(([name, value]) => !isDeepStrictEqual(user[name], value)))
