import type { RequestDevice, Transaction, UserRow } from '../../context.ts'
import { enqueueMail, greetedName } from '../../outbox/enqueue.ts'
import { supportLink } from '../../users/support-links.ts'

/** The owner is notified of every change, because someone else may have made it. */
interface Notice {
  user: UserRow
  device: RequestDevice
}

export const notifyEnabled = (tx: Transaction, notice: Notice, method: string): Promise<void> =>
  notify(tx, notice, 'two_factor_enabled', { method })

/** `method` is empty if all methods were disabled. */
export const notifyDisabled = (
  tx: Transaction,
  notice: Notice,
  { method, remaining }: { method: string; remaining: number },
): Promise<void> => notify(tx, notice, 'two_factor_disabled', { method, remaining: String(remaining) })

const notify = (
  tx: Transaction,
  { user, device }: Notice,
  message: 'two_factor_enabled' | 'two_factor_disabled',
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
