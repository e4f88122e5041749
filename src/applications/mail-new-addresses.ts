import type { Transaction } from '../context.ts'
import { enqueueMail, greetedName } from '../outbox/enqueue.ts'
import { findLivingSuperadmins } from '../users/superadmin-queries.ts'
import type { Address } from './queries.ts'

interface Addressed {
  name: string
  addresses: readonly Address[]
}

/** The owner of a new address receives the users' sign-ins, so all superadmins learn of it. */
export async function mailNewAddresses(tx: Transaction, { name: application, addresses }: Addressed): Promise<void> {
  if (addresses.length === 0) return
  const shared = {
    application,
    addresses: [...new Set(addresses.map(({ address }) => address))].join(', '),
    audit_url: `${tx.config.PUBLIC_URL}/admin/audit`,
  }
  for (const user of await findLivingSuperadmins(tx.db, tx.clock.date())) {
    const variables = { name: greetedName(user), ...shared }
    await enqueueMail(tx, { message: 'application_addresses', to: user.email, lang: user.lang, variables })
  }
}
