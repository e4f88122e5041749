import type { Context } from '../context.ts'
import { transact } from '../db/transact.ts'
import { equalSecrets, keyedHash } from '../lib/hash.ts'
import type { SealKey } from '../lib/seal.ts'
import { macOf } from './seal-events.ts'
import {
  deleteSealsTo,
  findNewestBefore,
  findRemoved,
  noteRemoved,
  type RemovedRow,
  takeSealTurn,
} from './seal-queries.ts'

/** A signed record of the last removed seal distinguishes removals after the retention period from tampering. */
export function removeSeals(
  ctx: Pick<Context, 'db' | 'dataKeys' | 'log'>,
  before: Date,
  limit: number,
): Promise<number> {
  return transact(ctx, async ({ db }) => {
    const [key] = ctx.dataKeys
    if (!key || !(await takeSealTurn(db))) return 0
    const removed = await findRemoved(db)
    const oldest = await findNewestBefore(
      db,
      before,
      ctx.dataKeys.map(({ id }) => id),
    )
    const signer = ctx.dataKeys.find(({ id }) => id === oldest?.key_id)
    if (!oldest || !signer) {
      // Signs the record again with the current key, because the previous key may be retired.
      if (removed && removed.key_id !== key.id && isGenuine(removed, ctx.dataKeys))
        await noteRemoved(db, signed(key, removed))
      return 0
    }
    const previous = oldest.previous ?? (removed?.number === oldest.number - 1 ? removed.last_mac : undefined)
    if (!equalSecrets(macOf(signer, oldest, previous), oldest.mac)) {
      ctx.log.error({ seal: oldest.number }, 'an audit seal does not verify: no seals were removed')
      return 0
    }
    const { count, newest } = await deleteSealsTo(db, oldest.number, limit)
    if (newest) await noteRemoved(db, signed(key, { number: newest.number, last_mac: newest.mac }))
    return count
  })
}

export function isGenuine(removed: RemovedRow, keys: readonly SealKey[]): boolean {
  const key = keys.find(({ id }) => id === removed.key_id)
  return key !== undefined && equalSecrets(signed(key, removed).mac, removed.mac)
}

function signed({ id, key }: SealKey, { number, last_mac }: Pick<RemovedRow, 'number' | 'last_mac'>): RemovedRow {
  const mac = keyedHash(key.toString('base64'), 'audit-seals-removed', [number, last_mac, id].join('\n'))
  return { number, last_mac, key_id: id, mac }
}
