import type { Transaction } from '../../context.ts'
import { mailSuperadmins } from '../../users/mail-superadmins.ts'

/** A back end with the secret can act for users, so all superadmins learn of it. */
export const mailSecret = (
  tx: Transaction,
  { name: application }: { name: string },
  { hint, rights }: { hint: string; rights: readonly string[] },
): Promise<void> =>
  mailSuperadmins(tx, 'application_secret', {
    application,
    secret_hint: hint,
    rights: rights.join(', '),
    audit_url: `${tx.config.PUBLIC_URL}/admin/audit`,
  })
