import type { Transaction } from '../context.ts'
import type { RequestDevice } from '../http/access/device.ts'
import { voidTokensOf } from '../one-time-tokens/queries.ts'
import { mailedDevice } from '../outbox/enqueue.ts'
import { endSessionsOf } from '../sessions/end-sessions.ts'
import { mailAccountChange } from '../users/mail-account-change.ts'
import type { UserWithPassword } from '../users/queries.ts'
import { replacePassword, setPhoneTrusted } from '../users/queries.ts'
import { notifyPasskeyChange } from '../webauthn/keep-passkey.ts'
import { removeUnusedUpgrades } from '../webauthn/remove-unused-upgrades.ts'

interface NewPassword {
  hash: string
  reason: 'password_changed' | 'password_reset' | 'admin_password_set'
  /** The id of the session to keep. */
  except?: string
  actor?: { id: string | null; user_type: string }
  device: RequestDevice | undefined
}

/**
 * Invalidates all tokens and ends all sessions except the one in `except`. An attacker may have added the phone number,
 * so it is not trusted after a reset or a change by an administrator. Returns the names of the passkeys that were
 * removed with the former password. The caller has locked the user.
 */
export async function setPassword(
  tx: Transaction,
  userId: string,
  { hash, ...ending }: NewPassword,
): Promise<string[]> {
  const now = tx.clock.date()
  await replacePassword(tx.db, userId, hash, now)
  await voidTokensOf(tx.db, userId, now)
  if (ending.reason !== 'password_changed') await setPhoneTrusted(tx.db, userId, false)
  await endSessionsOf(tx, userId, ending)
  return removeUnusedUpgrades(tx, userId, ending)
}

export async function notifyPasswordChanged(
  tx: Transaction,
  { user, device, passkeys }: { user: UserWithPassword; device: RequestDevice; passkeys: readonly string[] },
): Promise<void> {
  const held = await tx.credentials.heldBy(tx.db, user.id)
  await mailAccountChange(tx, { user, device }, 'password_changed', {
    user_agent: mailedDevice(user, device),
    api_keys: held?.names.join(', ') ?? '',
    keys_url: held?.url ?? `${tx.config.PUBLIC_URL}/account`,
  })
  for (const passkey of passkeys) await notifyPasskeyChange(tx, user, { message: 'passkey_removed', passkey, device })
}
