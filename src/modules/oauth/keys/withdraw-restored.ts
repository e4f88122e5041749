import { commandLine } from '../../../audit/record.ts'
import type { Transaction } from '../../../context.ts'
import { changeKeys, withdrawKeys } from './change-keys.ts'
import { deleteAllTokens } from './key-queries.ts'

/**
 * A key of a backup may have been removed as compromised since, so none of them signs or verifies again. New ones are
 * created when they are needed. Opaque tokens may have been revoked since, and stay only if sessions stay.
 */
export async function withdrawRestoredKeys(
  tx: Transaction,
  { keepSessions }: { keepSessions: boolean },
): Promise<void> {
  await changeKeys(tx, { actor: commandLine }, async (change) => {
    const kids = await withdrawKeys(change)
    for (const kid of kids) {
      const alg = change.rows.find((row) => row.kid === kid)?.alg
      await change.audit('oauth_key_retired', { alg, kid, reason: 'restored' })
    }
  })
  if (!keepSessions) await deleteAllTokens(tx.db)
}
