import type { Actor } from '../../../admin/principal.ts'
import { recordAudit } from '../../../audit/record.ts'
import type { Transaction } from '../../../context.ts'
import { waitForLock } from '../../../db/advisory-locks.ts'
import type { RequestDevice } from '../../../http/access/device.ts'
import { newId } from '../../../lib/ids.ts'
import { invalidateDirectory } from '../directory.ts'
import { findDirectoryVersion, type SigningKeyRow } from '../directory-queries.ts'
import type { SigningAlg } from '../rows.ts'
import type { GeneratedKey } from './generate-key.ts'
import { endOfKey, removalOf } from './key-life.ts'
import { activateNext, findSigningKeys, insertSigningKey, removeKeys, retireCurrent } from './key-queries.ts'

type KeyEvent = 'oauth_key_created' | 'oauth_key_activated' | 'oauth_key_retired' | 'oauth_key_compromised'

/** Both are undefined if the service itself changes the keys. */
interface Author {
  actor?: Actor
  device?: RequestDevice | undefined
}

export interface SigningKeyChange {
  tx: Transaction
  now: number
  /** Read under the lock. */
  rows: readonly SigningKeyRow[]
  audit(event: KeyEvent, details: Record<string, unknown>): Promise<void>
}

/** Changes of keys wait for each other, on all nodes. The nodes learn of them after the commit. */
export async function changeKeys<Result>(
  tx: Transaction,
  by: Author,
  work: (change: SigningKeyChange) => Promise<Result>,
): Promise<Result> {
  await waitForLock(tx.db, 'oauthKeys')
  const audit: SigningKeyChange['audit'] = (event, details) => recordAudit(tx, { event, ...by, details })
  const result = await work({ tx, now: tx.clock.now(), rows: await findSigningKeys(tx.db), audit })
  const version = await findDirectoryVersion(tx.db)
  tx.after((ctx) => invalidateDirectory(ctx, version))
  return result
}

/** The key is published, and signs from this time on. */
export async function publishNext(
  { tx, now, audit }: SigningKeyChange,
  key: GeneratedKey,
  activeFrom: Date,
): Promise<void> {
  const life = { id: newId(), status: 'next', created_at: new Date(now), active_from: activeFrom } as const
  await insertSigningKey(tx.db, key, life)
  await audit('oauth_key_created', { alg: key.alg, kid: key.kid, active_from: activeFrom.toISOString() })
}

/** The key signs at once. `replaces` is the key that signed before. */
export async function startKey(
  { tx, now, audit }: SigningKeyChange,
  key: GeneratedKey,
  { replaces, reason }: { replaces: string | null; reason: 'first' | 'compromised' },
): Promise<void> {
  const [time, details] = [new Date(now), { alg: key.alg, kid: key.kid }]
  await insertSigningKey(tx.db, key, { id: newId(), status: 'current', created_at: time, active_from: time })
  await audit('oauth_key_created', { ...details, active_from: time.toISOString() })
  await audit('oauth_key_activated', { ...details, replaces, reason })
}

/** The next key becomes the current one. Without a next key, the algorithm has no current key afterwards. */
export async function endCurrent(
  change: SigningKeyChange,
  alg: SigningAlg,
  reason: 'due' | 'requested',
): Promise<string> {
  const { tx, now, audit } = change
  const end = endOfKey(now)
  // Before the next key becomes current, because an algorithm has one current key at most.
  const retired = await retireCurrent(tx.db, alg, end)
  if (retired)
    await audit('oauth_key_retired', { alg, kid: retired.kid, published_until: end.published_until.toISOString() })
  const activated = await activateNext(tx.db, alg, new Date(now))
  if (!activated) return ''
  await audit('oauth_key_activated', { alg, kid: activated.kid, replaces: retired?.kid ?? null, reason })
  return activated.kid
}

/** Removes keys from the JWKS and from verification, and erases their private parts. Returns their ids. */
export async function withdrawKeys(
  { tx, now }: Pick<SigningKeyChange, 'tx' | 'now'>,
  alg?: SigningAlg,
): Promise<string[]> {
  const removed = await removeKeys(tx.db, removalOf(now), alg)
  // A trigger announces that the tokens of these keys are invalid. This node learns of it at once.
  for (const { id } of removed) tx.after(({ sessions }) => sessions.invalidate(id, 2))
  return removed.map(({ kid }) => kid)
}
