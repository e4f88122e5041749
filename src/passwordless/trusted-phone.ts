import type { Transaction, UserRow } from '../context.ts'
import type { Db } from '../db/tables.ts'
import type { RequestDevice } from '../http/access/device.ts'
import { maskPhone } from '../lib/contact.ts'
import { hour } from '../lib/time.ts'
import { voidTokensTo } from '../one-time-tokens/queries.ts'
import { mailedDevice } from '../outbox/enqueue.ts'
import { countMessage } from '../outbox/queries.ts'
import { mailAccountChange } from '../users/mail-account-change.ts'
import { setPhoneTrusted } from '../users/queries.ts'

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

export const notifyPhoneChanged = (
  tx: Transaction,
  user: UserRow,
  phone: string | null,
  device: RequestDevice,
): Promise<void> =>
  mailAccountChange(tx, { user, device }, 'phone_changed', {
    phone_masked: phone === null ? '' : maskPhone(phone),
    user_agent: mailedDevice(user, device),
  })
