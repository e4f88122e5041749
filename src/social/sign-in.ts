import { recordAudit } from '../audit/record.ts'
import type { Context, Transaction, UserRow } from '../context.ts'
import { transact } from '../db/transact.ts'
import { recordEvents } from '../events/record.ts'
import { checkingRegistration, type RegistrationCheck } from '../hooks/registration-check.ts'
import type { RequestDevice } from '../http/access/device.ts'
import { acceptFirstProof } from '../passwordless/first-proof.ts'
import { type CreatedSession, createSession } from '../sessions/create-session.ts'
import { endSessionsOf, lockOwners } from '../sessions/end-sessions.ts'
import type { DeviceOwner } from '../sessions/remembered-browsers.ts'
import { notifyNewDevice } from '../sessions/remembered-browsers.ts'
import { lockUser, type UserWithPassword, withoutPassword } from '../users/queries.ts'
import { addIdentity, IdentityConflict, notifyIdentityChange, recordIdentityUse } from './identities.ts'
import { newcomer } from './newcomer.ts'
import type { ProviderIdentity } from './provider.ts'
import { findAddressHolder, findIdentityOwner, useTokenOnce } from './queries.ts'
import { SocialRejection } from './rejection.ts'

export interface SignInBrowser {
  device: RequestDevice
  deviceId?: string | undefined
  /** The session tokens in the browser's cookies. Signing in ends their sessions. */
  replaces: readonly string[]
  confirmation: string | undefined
  isKnown: (owner: DeviceOwner) => boolean
  /** Whether a partial session's token will appear in a URL. */
  inAddress: boolean
  /** Whether the application for which the user signs in accepts registrations. */
  registers: boolean
}

export interface SocialSignIn {
  created: CreatedSession
  isNewUser: boolean
}

export interface OnceOnly {
  mark: Buffer
  expiresAt: Date
}

const attempts = 3

/** If the identity is not linked, the user is found only by an email address that the provider has verified. */
export async function signInWith(
  ctx: Context,
  identity: ProviderIdentity,
  browser: SignInBrowser,
  once?: OnceOnly,
): Promise<SocialSignIn> {
  for (let attempt = 1; ; attempt++) {
    try {
      const outcome = await checkingRegistration(ctx, (check) =>
        transact(ctx, async (tx) => {
          // Marks the token as used before locking any user, so that concurrent uses of the token wait for this
          // transaction.
          if (once && !(await useTokenOnce(tx.db, once.mark, once.expiresAt))) throw new SocialRejection('replayed')
          return signIn(tx, identity, browser, check)
        }),
      )
      // Thrown after the commit so that the new user is kept, the verification email is sent and the token is consumed.
      if (!outcome) throw new SocialRejection('unverified')
      return outcome
    } catch (error) {
      if (!(error instanceof IdentityConflict)) throw error
      if (attempt === attempts) throw new SocialRejection('account_exists')
    }
  }
}

async function signIn(
  tx: Transaction,
  identity: ProviderIdentity,
  browser: SignInBrowser,
  check: RegistrationCheck,
): Promise<SocialSignIn | undefined> {
  const { device, isKnown } = browser
  const existing = (await userOfIdentity(tx, identity, browser)) ?? (await userOfAddress(tx, identity, browser))
  const user = existing ?? (await newcomer(tx, identity, { device, check, registers: browser.registers }))
  if (tx.config.VERIFY_REGISTRATION && !user.is_verified) return undefined
  const { provider } = identity
  const details = { provider, new_user: !existing }
  await recordAudit(tx, { event: 'social_login', actor: user, target: user.id, device, details })
  const created = await createSession(tx, { userId: user.id, proof: 'social', method: provider, ...browser })
  if (existing) await notifyNewDevice(tx, created, { device, known: isKnown(created.owner) })
  return { created, isNewUser: !existing }
}

/** Finds the user by the linked identity. The email address that the provider reports may have changed. */
async function userOfIdentity(
  tx: Transaction,
  identity: ProviderIdentity,
  browser: SignInBrowser,
): Promise<UserRow | undefined> {
  const owner = await findIdentityOwner(tx.db, identity)
  if (!owner) return undefined
  const user = await lockForSignIn(tx, owner, browser)
  // The user is deleted but not yet erased. The account can be neither used nor replaced.
  if (!user) throw new SocialRejection('account_exists')
  if (!(await recordIdentityUse(tx, user.id, identity))) throw new IdentityConflict()
  const provesAddress = !user.is_verified && identity.emailVerified && identity.email === user.email
  if (!provesAddress) return withoutPassword(user)
  const proven = await proveAddress(tx, user, identity, browser.device)
  // `proveAddress` has removed all identities and added this one again.
  const data = { user_id: user.id, provider: identity.provider }
  await recordEvents(tx, [{ type: 'identity.linked', data }])
  return proven
}

/**
 * Finds the user by email address. Rejects an existing user's address if the provider has not verified it or the user
 * is deleted.
 */
async function userOfAddress(
  tx: Transaction,
  identity: ProviderIdentity,
  browser: SignInBrowser,
): Promise<UserRow | undefined> {
  const { email, emailVerified, provider } = identity
  if (email === undefined) throw new SocialRejection('email_required')
  const holder = await findAddressHolder(tx.db, email)
  if (!holder) return undefined
  if (!emailVerified || holder.deleted_at) throw new SocialRejection('account_exists')
  const user = await lockForSignIn(tx, holder.id, browser)
  if (user?.email !== email) throw new IdentityConflict()
  const { device } = browser
  const proven = user.is_verified ? withoutPassword(user) : await proveAddress(tx, user, identity, device)
  if (user.is_verified) {
    await endSessionsOf(tx, user.id, { reason: 'social_linked', actor: user, device })
    await addOnly(tx, user.id, identity)
  }
  await notifyIdentityChange(tx, proven, { event: 'social_linked', provider, device })
  return proven
}

/** Someone else may have created an account with an unverified address, so its other sign-in methods are removed. */
async function proveAddress(
  tx: Transaction,
  user: UserWithPassword,
  identity: ProviderIdentity,
  device: RequestDevice,
): Promise<UserRow> {
  await acceptFirstProof(tx, user, device)
  await addOnly(tx, user.id, identity)
  return { ...withoutPassword(user), is_verified: true }
}

/** Rejects a second identity from one provider. Addresses can be reassigned, so that identity may be someone else's. */
async function addOnly(tx: Transaction, userId: string, identity: ProviderIdentity): Promise<void> {
  if (await addIdentity(tx, userId, identity)) return
  throw (await findIdentityOwner(tx.db, identity)) ? new IdentityConflict() : new SocialRejection('account_exists')
}

/** Locks the user and the owners of the replaced sessions in a fixed order. */
async function lockForSignIn(
  tx: Transaction,
  userId: string,
  { replaces }: SignInBrowser,
): Promise<UserWithPassword | undefined> {
  await lockOwners(tx, replaces, userId)
  return lockUser(tx, userId)
}
