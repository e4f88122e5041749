import type { RequestDevice, Transaction, UserRow } from '../context.ts'
import { enqueueMail, greetedName } from '../outbox/enqueue.ts'
import { supportLink } from '../users/support-links.ts'

/** The owner is notified, because someone else may have used or replaced the codes. */
interface Notice {
  user: UserRow
  device: RequestDevice
}

export const notifyRecoveryCodeUsed = (tx: Transaction, notice: Notice, remaining: number): Promise<void> =>
  notify(tx, notice, 'recovery_code_used', { remaining: String(remaining) })

export const notifyRecoveryCodesReplaced = (tx: Transaction, notice: Notice): Promise<void> =>
  notify(tx, notice, 'recovery_codes_replaced', {})

const notify = (
  tx: Transaction,
  { user, device }: Notice,
  message: 'recovery_code_used' | 'recovery_codes_replaced',
  variables: Record<string, string>,
): Promise<void> =>
  enqueueMail(tx, {
    message,
    to: user.email,
    lang: user.lang,
    acceptLanguage: device.acceptLanguage,
    variables: {
      ...variables,
      name: greetedName(user),
      ip: device.address,
      support_url: supportLink(tx),
    },
  })
