import type { Transaction } from '../context.ts'
import { findRoleEpochs, findRoleVersion } from './application-queries.ts'

/** Call this after all changes of the transaction. `removed`: roles that no longer exist, with their former epochs. */
export async function announceRoles(
  tx: Transaction,
  applicationId: string,
  removed: readonly { id: string; epoch: number }[] = [],
): Promise<void> {
  const [version, roles] = [await findRoleVersion(tx.db), await findRoleEpochs(tx.db, applicationId)]
  tx.after(async () => {
    // Responses that back ends keep have the roles as owners.
    for (const { id, epoch } of roles) await tx.sessions.invalidate(id, Number(epoch))
    for (const { id, epoch } of removed) await tx.sessions.invalidate(id, Number(epoch) + 1)
    await tx.applicationRoles.invalidate(version)
  })
}
