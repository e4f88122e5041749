import type { Transaction } from '../../context.ts'
import { enqueueMail, greetedName } from '../../outbox/enqueue.ts'
import { findOwnerIds, findRecipients } from './account-queries.ts'
import type { Holder } from './key-queries.ts'
import type { keyMails } from './names.ts'

export interface NamedKey {
  name: string
  hint: string
}

type Variables = Record<string, string>

/** To the user, or to the owners of the service account. */
export async function mailHolder(
  tx: Transaction,
  holder: Holder,
  key: NamedKey,
  [message, variables]: [message: keyof typeof keyMails, variables: Variables],
): Promise<void> {
  const { userId, accountId } = holder
  const ids = userId === null ? await findOwnerIds(tx.db, accountId ?? '') : [userId]
  if (ids.length === 0) return
  const keys_url = tx.config.PUBLIC_URL + (userId === null ? `/admin/service-accounts/${accountId}` : '/account/keys')
  for (const account of await findRecipients(tx.db, ids))
    await enqueueMail(tx, {
      message,
      account,
      to: account.email,
      lang: account.lang,
      variables: { name: greetedName(account), key_name: key.name, key_hint: key.hint, ...variables, keys_url },
    })
}
