import type { Transaction } from '../context.ts'
import type { Device } from '../http/access/device.ts'
import { voidSecretsOf } from '../one-time-tokens/queries.ts'
import { endSessionsOf } from '../sessions/end-sessions.ts'
import { replacePassword, setPhoneTrusted } from '../users/queries.ts'

interface NewPassword {
  hash: string
  /** For the audit event. */
  reason: 'password_changed' | 'password_reset' | 'admin_password_set'
  /** The session that continues. */
  except?: string
  actor?: { id: string; user_type: string }
  device: Device
}

/**
 * Sets a password, and invalidates everything issued under the old one. A phone number may have been added by an
 * attacker, so after a recovery it is not trusted until its owner confirms it. The caller has locked the user.
 */
export async function setPassword(tx: Transaction, userId: string, { hash, ...ending }: NewPassword): Promise<void> {
  const now = new Date(tx.clock.now())
  await replacePassword(tx.db, userId, hash, now)
  await voidSecretsOf(tx.db, userId, now)
  if (ending.reason !== 'password_changed') await setPhoneTrusted(tx.db, userId, false)
  await endSessionsOf(tx, userId, ending)
}
