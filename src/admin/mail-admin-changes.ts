import type { Transaction, UserRow } from '../context.ts'
import { enqueueMail } from '../outbox/enqueue.ts'

/** `changed` contains the words that the template knows. */
export const mailAdminChanges = (
  tx: Transaction,
  target: UserRow,
  changed: readonly ('factors' | 'passkeys' | 'password' | 'phone' | 'second_factor' | 'user_type')[],
): Promise<void> =>
  enqueueMail(tx, {
    message: 'admin_changed_account',
    account: target,
    to: target.email,
    lang: target.lang,
    variables: { name: target.name, changed: changed.join(',') },
  })
