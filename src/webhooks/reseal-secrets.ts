import type { Context } from '../context.ts'
import { transact } from '../db/transact.ts'
import { isSealedByOldKey, seal, tryUnseal } from '../lib/seal.ts'
import { findWebhooks, lockWebhook, updateWebhook } from './queries.ts'

const columns = ['secret', 'former_secret', 'headers'] as const

/** Encrypts secrets and headers with the current key so that older keys can be removed. */
export async function resealWebhooks(ctx: Context): Promise<number> {
  const { dataKeys } = ctx
  const isOld = (sealed: string | null): sealed is string => sealed !== null && isSealedByOldKey(dataKeys, sealed)
  const outdated = (await findWebhooks(ctx.db)).filter((row) => columns.some((name) => isOld(row[name])))
  let resealed = 0
  for (const { id } of outdated)
    resealed += await transact(ctx, async ({ db, log }) => {
      const row = await lockWebhook(db, id)
      const old = columns.filter((name) => row && isOld(row[name]))
      const plain = old.map((name) => [name, tryUnseal(dataKeys, row?.[name] ?? '')] as const)
      if (plain.some(([, value]) => value === undefined)) {
        // The key that encrypted the value is not configured.
        log.error({ webhook: id }, 'could not decrypt the secrets of a webhook')
        return 0
      }
      if (old.length === 0) return 0
      await updateWebhook(db, id, Object.fromEntries(plain.map(([name, value]) => [name, seal(dataKeys, value ?? '')])))
      return 1
    })
  return resealed
}
