import { commandLine, recordAll } from '../../audit/record.ts'
import type { Context } from '../../context.ts'
import { transact } from '../../db/transact.ts'
import { invalidateKeys } from './change-keys.ts'
import { endNextKeys } from './end-all-queries.ts'

const batch = 1_000
const reason = 'all_ended'

/** Works in batches with separate transactions. If a run is interrupted, the next one ends the remaining keys. */
export async function endAllKeys(ctx: Context): Promise<number> {
  for (let count = 0; ; ) {
    const ended = await transact(ctx, async (tx) => {
      const keys = await endNextKeys(tx.db, { reason, now: tx.clock.date(), limit: batch })
      invalidateKeys(tx, keys)
      const byHolder = Map.groupBy(keys, ({ user_id, service_account_id }) => user_id ?? service_account_id)
      const entries = [...byHolder.values()].map((some) => {
        const { user_id = null, service_account_id = null } = some[0] ?? {}
        const details = { reason, keys: some.map(({ id }) => id) }
        return {
          ...{ event: 'api_key_revoked' as const, actor: commandLine, target: user_id ?? undefined },
          details: { ...details, ...(service_account_id && { service_account: service_account_id }) },
        }
      })
      await recordAll(tx, entries)
      return keys.length
    })
    count += ended
    if (ended < batch) return count
  }
}
