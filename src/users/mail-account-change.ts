import type { RequestDevice, Transaction, UserRow } from '../context.ts'
import { enqueueMail, greetedName } from '../outbox/enqueue.ts'
import type { MessageName } from '../outbox/messages.ts'
import { supportLink } from './support-links.ts'

/** A change to an account, and the device from which it was made. */
export interface AccountChange {
  user: UserRow
  device: RequestDevice
}

/** Notifies the account's owner by email, because someone else may have made the change. */
export const mailAccountChange = (
  tx: Transaction,
  { user, device }: AccountChange,
  message: MessageName,
  variables: Record<string, string>,
): Promise<void> =>
  enqueueMail(tx, {
    message,
    account: user,
    to: user.email,
    lang: user.lang,
    acceptLanguage: device.acceptLanguage,
    variables: { ...variables, name: greetedName(user), ip: device.address, support_url: supportLink(tx) },
  })
