import { recordAudit } from '../audit/record.ts'
import type { Transaction } from '../context.ts'
import { recordVerified } from '../events/record.ts'
import type { RequestDevice } from '../http/access/device.ts'
import { voidTokensOf } from '../one-time-tokens/queries.ts'
import { enqueueMail, greetedName } from '../outbox/enqueue.ts'
import { endSessionsOf } from '../sessions/end-sessions.ts'
import {
  deleteIdentitiesOf,
  replacePassword,
  setPhoneTrusted,
  type UserWithPassword,
  updateUser,
  withoutPassword,
} from '../users/queries.ts'
import { resetLinkOr } from '../users/support-links.ts'
import { deletePasskeysOf } from '../webauthn/queries.ts'
import { deleteRecoveryCodes } from '../webauthn/recovery-queries.ts'

/**
 * Removes sign-in methods that predate the verification, because someone else may have created the account. Returns
 * whether there was a password.
 */
export async function acceptFirstProof(
  tx: Transaction,
  user: UserWithPassword,
  device: RequestDevice,
): Promise<boolean> {
  const now = tx.clock.date()
  const ended = await endSessionsOf(tx, user.id, { reason: 'unproven', device })
  await voidTokensOf(tx.db, user.id, now)
  if (user.password_hash !== null) await replacePassword(tx.db, user.id, null, now)
  const { gone, ...lost } = await removeOtherCredentials(tx, user, { is_verified: true })
  await recordVerified(tx, user)
  const hadPassword = user.password_hash !== null
  await notifyRemoved(tx, user, { ...lost, gone: { password: hadPassword, ...gone, sessions: ended > 0 } }, device)
  return hadPassword
}

/** For callers that have already ended all sessions by setting a new password. */
export async function removeUnprovenCredentials(
  tx: Transaction,
  user: UserWithPassword,
  device: RequestDevice,
): Promise<void> {
  if (user.is_verified) return
  await notifyRemoved(tx, user, await removeOtherCredentials(tx, user, {}), device)
}

/**
 * Someone else could sign in with a phone number, an identity or a passkey. A second factor would lock the owner out.
 * An invited user's phone number remains as contact data but is not trusted, because it may not be the user's own.
 */
async function removeOtherCredentials(tx: Transaction, user: UserWithPassword, more: { is_verified?: true }) {
  const methods = await tx.secondFactor.methodsOf(tx.db, user.id)
  await tx.secondFactor.removeAll(tx.db, user.id)
  const passkeys = await deletePasskeysOf(tx.db, user.id)
  await deleteRecoveryCodes(tx.db, user.id)
  const providers = await deleteIdentitiesOf(tx.db, user.id)
  const wasOpen = user.password_hash !== null || providers.length > 0 || passkeys.length > 0
  const phone = wasOpen ? null : user.phone
  for (const { unproven } of tx.personalData()) if (unproven !== 'kept') await unproven(tx, withoutPassword(user))
  await setPhoneTrusted(tx.db, user.id, false)
  await updateUser(tx.db, user.id, { ...more, two_factor: false, phone }, tx.clock.date())
  const gone = {
    phone: user.phone !== phone,
    two_factor: user.two_factor,
    identities: providers.length > 0,
    passkeys: passkeys.length > 0,
  }
  return { gone, providers, passkeys, factors: methods.map(({ id, method }) => ({ id, method })) }
}

interface Removed {
  gone: Record<string, boolean>
  providers: string[]
  passkeys: string[]
  factors: { id: string; method: string }[]
}

async function notifyRemoved(
  tx: Transaction,
  user: UserWithPassword,
  { gone, providers, passkeys, factors }: Removed,
  device: RequestDevice,
): Promise<void> {
  const removed = Object.keys(gone).filter((name) => gone[name])
  if (removed.length === 0) return
  const details = {
    removed,
    ...(providers.length > 0 && { providers }),
    ...(passkeys.length > 0 && { passkeys }),
    ...(factors.length > 0 && { factors }),
  }
  await recordAudit(tx, { event: 'credentials_removed', target: user.id, device, details })
  await enqueueMail(tx, {
    message: 'credentials_removed',
    to: user.email,
    lang: user.lang,
    acceptLanguage: device.acceptLanguage,
    variables: { name: greetedName(user), reset_url: resetLinkOr(tx, '/account') },
  })
}
