import type { Transaction, UserRow } from '../context.ts'
import type { Db } from '../db/tables.ts'
import type { RequestDevice } from '../http/access/device.ts'
import { maskPhone } from '../lib/contact.ts'
import { hour } from '../lib/time.ts'
import { voidTokensTo } from '../one-time-tokens/queries.ts'
import { enqueueMail, greetedName, mailedDevice } from '../outbox/enqueue.ts'
import { countMessage } from '../outbox/queries.ts'
import { setPhoneTrusted } from '../users/queries.ts'
import { supportLink } from '../users/support-links.ts'

/** The maximum number of newly trusted phone numbers per user per hour. Text messages to each number cost money. */
const maxTrusted = 5

interface NewPhone {
  user: UserRow
  phone: string | null
  /** Whether the user has recently authenticated. */
  isProven: boolean
}

/** A password change does not remove a trusted number, so trusting a number requires recent authentication. */
export async function changeTrustedPhone(tx: Transaction, { user, phone, isProven }: NewPhone): Promise<boolean> {
  if (user.phone !== null && user.phone !== phone)
    await voidTokensTo(tx.db, 'login', user.id, user.phone, tx.clock.date())
  const isTrusted = phone !== null && isProven && (await mayTrust(tx.db, user.id))
  await setPhoneTrusted(tx.db, user.id, isTrusted)
  return isTrusted
}

const mayTrust = async (db: Db, userId: string): Promise<boolean> =>
  (await countMessage(db, `phone-trusted:${userId}`, hour)).count <= maxTrusted

/** Notifies the owner because someone else may have made the change. */
export const notifyPhoneChanged = (
  tx: Transaction,
  user: UserRow,
  phone: string | null,
  device: RequestDevice,
): Promise<void> =>
  enqueueMail(tx, {
    message: 'phone_changed',
    to: user.email,
    lang: user.lang,
    acceptLanguage: device.acceptLanguage,
    variables: {
      name: greetedName(user),
      phone_masked: phone === null ? '' : maskPhone(phone),
      ip: device.address,
      user_agent: mailedDevice(user, device),
      support_url: supportLink(tx),
    },
  })
