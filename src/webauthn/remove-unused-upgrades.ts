import { recordAll } from '../audit/record.ts'
import type { RequestDevice, Transaction } from '../context.ts'
import { deleteUnusedUpgrades } from './queries.ts'
import { forgetUnusedCodes } from './recovery-codes.ts'

interface Remover {
  actor?: { id: string | null; user_type: string } | undefined
  device: RequestDevice | undefined
}

/**
 * A browser creates such a passkey for anyone who signs in with the password, so it must not outlive the password.
 * Returns the names of the passkeys. The caller has locked the user.
 */
export async function removeUnusedUpgrades(
  tx: Transaction,
  userId: string,
  { actor, device }: Remover,
): Promise<string[]> {
  const removed = await deleteUnusedUpgrades(tx.db, userId)
  if (removed.length === 0) return []
  await forgetUnusedCodes(tx, userId)
  const about = { event: 'passkey_removed', actor, target: userId, device } as const
  await recordAll(
    tx,
    removed.map(({ id, name }) => ({ ...about, details: { passkey: id, name, reason: 'unused_upgrade' } })),
  )
  return removed.map(({ name }) => name)
}
