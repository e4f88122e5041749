import type { Transaction } from '../context.ts'
import { mailSuperadmins } from '../users/mail-superadmins.ts'
import type { Address } from './queries.ts'

interface Addressed {
  name: string
  addresses: readonly Address[]
}

/** The owner of a new address receives the users' sign-ins, so all superadmins learn of it. */
export async function mailNewAddresses(tx: Transaction, { name: application, addresses }: Addressed): Promise<void> {
  if (addresses.length === 0) return
  await mailSuperadmins(tx, 'application_addresses', {
    application,
    addresses: [...new Set(addresses.map(({ address }) => address))].join(', '),
    audit_url: `${tx.config.PUBLIC_URL}/admin/audit`,
  })
}
