import type { Transaction } from '../../context.ts'
import type { ApplicationRow } from '../queries.ts'
import { mailSecret } from './mail-secret.ts'
import { findSecrets } from './queries.ts'

/** The secrets of the application can act for more sessions now. */
export async function mailAccepted(
  tx: Transaction,
  application: ApplicationRow,
  accepts: readonly string[] = [],
): Promise<void> {
  const added = accepts.filter((key) => !application.accepts.includes(key))
  const secrets = added.length > 0 ? await findSecrets(tx.db, application.id) : []
  if (secrets.length === 0) return
  await mailSecret(tx, application, {
    hint: secrets.map(({ hint }) => hint).join(', '),
    rights: added.map((key) => `sessions (${key})`),
  })
}
