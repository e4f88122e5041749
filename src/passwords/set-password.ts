import type { Context, Transaction } from '../context.ts'
import type { RequestDevice } from '../http/access/device.ts'
import { voidTokensOf } from '../one-time-tokens/queries.ts'
import type { MailRequest } from '../outbox/enqueue.ts'
import { greetedName, mailedDevice } from '../outbox/enqueue.ts'
import { endSessionsOf } from '../sessions/end-sessions.ts'
import type { UserWithPassword } from '../users/queries.ts'
import { replacePassword, setPhoneTrusted } from '../users/queries.ts'

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
 * so it is not trusted after a reset or a change by an administrator. The caller has locked the user.
 */
export async function setPassword(tx: Transaction, userId: string, { hash, ...ending }: NewPassword): Promise<void> {
  const now = tx.clock.date()
  await replacePassword(tx.db, userId, hash, now)
  await voidTokensOf(tx.db, userId, now)
  if (ending.reason !== 'password_changed') await setPhoneTrusted(tx.db, userId, false)
  await endSessionsOf(tx, userId, ending)
}

/** Notifies the owner because someone else may have made the change. */
export const passwordChangedMail = (ctx: Context, user: UserWithPassword, device: RequestDevice): MailRequest => ({
  message: 'password_changed',
  to: user.email,
  lang: user.lang,
  acceptLanguage: device.acceptLanguage,
  variables: {
    name: greetedName(user),
    ip: device.address,
    user_agent: mailedDevice(user, device),
    support_url: `${ctx.config.FRONTEND_URL}/reset-password`,
  },
})
