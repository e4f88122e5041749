import type { Transaction } from '../context.ts'
import { mailSuperadmins } from '../users/mail-superadmins.ts'
import type { Address } from './queries.ts'

export interface Addressed {
  name: string
  addresses: readonly Address[]
}

/**
 * The owner of a new address receives the users' sign-ins, so all superadmins learn of it. There is one email for all
 * applications of a transaction, and MAIL_CAP limits their number.
 */
export async function mailNewAddresses(tx: Transaction, announced: readonly Addressed[]): Promise<void> {
  const added = announced.filter(({ addresses }) => addresses.length > 0)
  if (added.length === 0) return
  await mailSuperadmins(tx, 'application_addresses', {
    application: listed(added.map(({ name }) => name)),
    addresses: listed(added.flatMap(({ addresses }) => addresses.map(({ address }) => address))),
    audit_url: `${tx.config.PUBLIC_URL}/admin/audit`,
  })
}

const maxListed = 50

/** The audit trail has the others. */
function listed(texts: readonly string[]): string {
  const different = [...new Set(texts)]
  const more = different.length - maxListed
  return different.slice(0, maxListed).join(', ') + (more > 0 ? ` … (+${more})` : '')
}
