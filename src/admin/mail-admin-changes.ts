import type { Transaction, UserRow } from '../context.ts'
import { enqueueMail } from '../outbox/enqueue.ts'

/** `changed` contains the words that the template knows. */
export const mailAdminChanges = (
  tx: Transaction,
  { email, lang, name }: Pick<UserRow, 'email' | 'lang' | 'name'>,
  changed: readonly ('factors' | 'passkeys' | 'password' | 'phone' | 'second_factor' | 'user_type')[],
): Promise<void> =>
  enqueueMail(tx, {
    message: 'admin_changed_account',
    to: email,
    lang,
    variables: { name, changed: changed.join(',') },
  })
