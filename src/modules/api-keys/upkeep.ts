import { recordAudit } from '../../audit/record.ts'
import type { Context } from '../../context.ts'
import { transact } from '../../db/transact.ts'
import { day, iso } from '../../lib/time.ts'
import { invalidateKeys } from './change-keys.ts'
import { mailHolder } from './notices.ts'
import {
  type DueKey,
  eraseDeletedAccounts,
  eraseEndedKeys,
  eraseOldUses,
  expireKeys,
  markReminded,
} from './upkeep-queries.ts'

const batch = 1_000
const kept = 90 * day

/** The last one first, so that a key gets one reminder if the jobs did not run for days. */
const reminders = [1, 7]

const holderOf = ({ user_id, service_account_id }: DueKey) => ({ userId: user_id, accountId: service_account_id })

const endPassedKeys = (ctx: Context): Promise<number> =>
  transact(ctx, async (tx) => {
    const ended = await expireKeys(tx.db, tx.clock.date(), batch)
    invalidateKeys(tx, ended)
    for (const key of ended) {
      const { id, user_id, service_account_id } = key
      const details = { keys: [id], ...(service_account_id && { service_account: service_account_id }) }
      await recordAudit(tx, { event: 'api_key_expired', target: user_id ?? undefined, details })
      if (!key.replaced_by) await mailHolder(tx, holderOf(key), key, ['api_key_ended', { reason: 'expired' }])
    }
    return ended.length
  })

const announceEnds = (ctx: Context): Promise<number> =>
  transact(ctx, async (tx) => {
    let count = 0
    for (const days of reminders) {
      for (const key of await markReminded(tx.db, days, tx.clock.date(), batch)) {
        await mailHolder(tx, holderOf(key), key, ['api_key_ending', { valid_until: iso(key.ends_at) }])
        count++
      }
    }
    return count
  })

const before = (ctx: Context): Date => new Date(ctx.clock.now() - kept)

export const keyCleanupJobs = {
  ended_api_keys: endPassedKeys,
  api_key_reminders: announceEnds,
  old_api_keys: (ctx: Context) => eraseEndedKeys(ctx.db, before(ctx), batch),
  old_api_key_uses: (ctx: Context) => eraseOldUses(ctx.db, before(ctx), batch),
  deleted_service_accounts: (ctx: Context) => eraseDeletedAccounts(ctx.db, before(ctx), batch),
}
