import type { Transaction } from '../context.ts'
import type { Device } from '../http/access/device.ts'
import { voidSecretsOf } from '../secrets/queries.ts'
import { endSessionsOf } from '../sessions/end-sessions.ts'
import { replacePassword, setPhoneTrusted } from '../users/queries.ts'

interface NewPassword {
  hash: string
  /** Why sessions end, for the audit. */
  reason: 'password_changed' | 'password_reset' | 'admin_password_set'
  /** The session that goes on: of whoever changes their own password. */
  except?: string
  actor?: { id: string; user_type: string }
  device: Device
}

/**
 * Gives a user another password. Whatever was opened or sent under the old one ends. Whoever had lost the account may have
 * left a number on it: after a recovery it lets nobody in until its owner gives it again. The user is held by then.
 */
export async function setPassword(tx: Transaction, userId: string, { hash, ...ending }: NewPassword): Promise<void> {
  const now = new Date(tx.clock.now())
  await replacePassword(tx.db, userId, hash, now)
  await voidSecretsOf(tx.db, userId, now)
  if (ending.reason !== 'password_changed') await setPhoneTrusted(tx.db, userId, false)
  await endSessionsOf(tx, userId, ending)
}
