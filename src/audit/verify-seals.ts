import type { Db } from '../db/tables.ts'
import { equalSecrets } from '../lib/hash.ts'
import type { SealKey } from '../lib/seal.ts'
import { isGenuine } from './remove-seals.ts'
import { macOf } from './seal-events.ts'
import { digestOf, findLastSeal, findOutside, findRemoved, findSeals, type SealRow } from './seal-queries.ts'

export interface SealVerification {
  seals: number
  checked: number
  broken: { seal: number; what: 'missing' | 'forged' | 'changed events' }[]
  /** Number of seals that cannot be verified because their key is no longer configured. */
  withoutKey: number
  unsealed: number
}

interface Options {
  dataKeys: readonly SealKey[]
  /** Older events may have been purged. */
  keptSince: Date
  sealedUntil: Date
  newest: number
  /** The number of seals to check at the end of the chain. By default, all seals are checked. */
  chain?: number
}

const page = 500

export async function verifySeals(
  db: Db,
  { dataKeys, keptSince, sealedUntil, newest, chain }: Options,
): Promise<SealVerification> {
  const removed = await findRemoved(db)
  const last = (await findLastSeal(db))?.number ?? removed?.number ?? 0
  const found: SealVerification = { seals: 0, checked: 0, broken: [], withoutKey: 0, unsealed: 0 }
  if (removed && !isGenuine(removed, dataKeys)) found.broken.push({ seal: removed.number, what: 'forged' })
  const earlier = chain === undefined ? undefined : (await findSeals(db, last - chain, 1))[0]
  const isCut = earlier !== undefined && earlier.number <= last - (chain ?? 0)
  let before: { number: number; mac: string | undefined } = isCut
    ? earlier
    : { number: removed?.number ?? 0, mac: removed?.last_mac }
  for (
    let seals = await findSeals(db, isCut ? before.number + 1 : 0, page);
    seals.length > 0;
    seals = await findSeals(db, before.number + 1, page)
  ) {
    for (const seal of seals) {
      found.seals++
      if (seal.number === before.number + 1) examineMac(found, seal, before.mac, dataKeys)
      else found.broken.push({ seal: before.number + 1, what: 'missing' })
      if (seal.number > last - newest && seal.first_time >= keptSince) await examineEvents(db, found, seal)
      before = seal
    }
  }
  const outside = await findOutside(db, last, sealedUntil)
  if (outside.seal !== undefined) found.broken.push({ seal: outside.seal, what: 'missing' })
  return { ...found, unsealed: outside.unsealed }
}

function examineMac(
  found: SealVerification,
  seal: SealRow,
  previous: string | undefined,
  keys: readonly SealKey[],
): void {
  const key = keys.find(({ id }) => id === seal.key_id)
  if (!key) found.withoutKey++
  else if (!equalSecrets(macOf(key, seal, previous), seal.mac)) found.broken.push({ seal: seal.number, what: 'forged' })
}

async function examineEvents(db: Db, found: SealVerification, seal: SealRow): Promise<void> {
  const { events, digest } = await digestOf(db, seal.number)
  found.checked++
  if (events !== seal.events || digest !== seal.digest) found.broken.push({ seal: seal.number, what: 'changed events' })
}
