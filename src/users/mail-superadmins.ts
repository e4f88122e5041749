import type { Transaction } from '../context.ts'
import { enqueueMail, greetedName } from '../outbox/enqueue.ts'
import type { MessageName } from '../outbox/messages.ts'
import { findLivingSuperadmins } from './superadmin-queries.ts'

/** For notices about what concerns the whole installation. */
export async function mailSuperadmins(
  tx: Transaction,
  message: MessageName,
  variables: Record<string, string>,
): Promise<void> {
  for (const user of await findLivingSuperadmins(tx.db, tx.clock.date())) {
    const named = { name: greetedName(user), ...variables }
    await enqueueMail(tx, { message, to: user.email, lang: user.lang, variables: named })
  }
}
