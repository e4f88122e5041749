import type { Context } from '../context.ts'
import { transact } from '../db/transact.ts'
import { keyedHash } from '../lib/hash.ts'
import type { SealKey } from '../lib/seal.ts'
import { iso } from '../lib/time.ts'
import {
  digestOf,
  findLastSeal,
  findRemoved,
  insertSeal,
  markSealed,
  type SealRow,
  takeSealTurn,
} from './seal-queries.ts'

/** Seals committed events in batches because many nodes write events concurrently. */
export function sealEvents(ctx: Pick<Context, 'db' | 'clock' | 'dataKeys' | 'log'>, limit: number): Promise<number> {
  return transact(ctx, async (tx) => {
    const { db } = tx
    const key = ctx.dataKeys[0]
    if (!key || !(await takeSealTurn(db))) return 0
    const last = await findLastSeal(db)
    // If all seals have been removed, the chain continues from the last removed seal.
    const removed = last ? undefined : await findRemoved(db)
    const number = ((last ?? removed)?.number ?? 0) + 1
    const { events, first } = await markSealed(db, number, limit)
    if (events === 0 || !first) return 0
    const { digest } = await digestOf(db, number)
    const covered = { number, events, first_time: first, digest, key_id: key.id, sealed_at: ctx.clock.date() }
    const mac = macOf(key, covered, last?.mac ?? removed?.last_mac)
    await insertSeal(db, { ...covered, mac })
    // The end of the chain is also recorded in the log, outside the database, so that truncation can be detected.
    tx.after(() => ctx.log.info({ seal: number, events, mac: mac.slice(0, 16) }, 'audit events sealed'))
    return events
  })
}

export const macOf = (
  { key }: SealKey,
  { number, events, first_time, digest, key_id, sealed_at }: Omit<SealRow, 'mac'>,
  previous: string | undefined,
): string =>
  keyedHash(
    key.toString('base64'),
    'audit-seal',
    [number, events, iso(first_time), digest, key_id, iso(sealed_at), previous ?? ''].join('\n'),
  )
