import { recordAudit } from '../../audit/record.ts'
import type { RequestDevice, Transaction } from '../../context.ts'
import { AppError, invalidField } from '../../lib/errors.ts'
import { looksLikeId } from '../../lib/ids.ts'
import { iso } from '../../lib/time.ts'
import { detailsOf, issueKey, type KeyTerms, type NewKey, shownTerms } from './issue-key.ts'
import {
  countLiveKeys,
  endKeysOf,
  findReplaced,
  type Holder,
  type KeyRow,
  lockLiveKey,
  type RaisedKey,
  updateKey,
} from './key-queries.ts'
import { mailHolder } from './notices.ts'
import { type KeyInput, readKey, readKeyOverlap, renewedEnd } from './read-input.ts'
import { assertScopes } from './scopes.ts'

/** A change of the keys of one user or service account. The caller has locked it. */
export interface KeyChange {
  holder: Holder
  actor: { id: string | null; user_type: string } | undefined
  device: RequestDevice | undefined
  /** The scopes that the key can have. */
  allowed: readonly string[]
  maxKeys: number
}

export async function createKey(tx: Transaction, change: KeyChange, input: KeyInput): Promise<NewKey> {
  const given = readKey(tx.config, { ends_at: null, ...input }, tx.clock.now())
  const { name = '', scopes = [], ip_ranges = [], ends_at = null } = given
  assertScopes(change.allowed, scopes)
  if ((await countLiveKeys(tx.db, change.holder, tx.clock.date())) >= change.maxKeys)
    throw new AppError('TOO_MANY_KEYS')
  const key = await issueKey(tx, change.holder, { name, scopes, ip_ranges, ends_at })
  await audit(tx, change, 'api_key_created', detailsOf(key))
  return key
}

/** A key that is replaced cannot be changed any more. */
export async function changeKey(tx: Transaction, change: KeyChange, id: string, input: KeyInput): Promise<void> {
  const key = await lockKey(tx, change.holder, id)
  if (key.replaced_by) throw invalidField('key_id', 'was replaced by another key: change that one')
  const given = readKey(tx.config, input, tx.clock.now())
  const changes = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
  const [before, after] = [shownTerms(key), shownTerms({ ...key, ...changes } as KeyTerms)]
  if (JSON.stringify(before) === JSON.stringify(after)) return
  assertScopes(change.allowed, after.scopes)
  // A later end is announced again.
  const reminder = before.ends_at === after.ends_at ? {} : { reminded_days: null }
  invalidateKeys(tx, [await updateKey(tx.db, id, { ...changes, ...reminder })])
  await audit(tx, change, 'api_key_updated', { key: id, hint: key.hint, before, after })
}

export interface RotationInput {
  overlap_until?: string
  ends_at?: string | null
}

/** The new key has the name, scopes and networks of the former one. At most two are valid. */
export async function rotateKey(
  tx: Transaction,
  change: KeyChange,
  id: string,
  { overlap_until, ends_at }: RotationInput,
): Promise<NewKey & { overlapUntil: Date }> {
  const now = tx.clock.date()
  const former = await lockKey(tx, change.holder, id)
  if (former.replaced_by) throw invalidField('key_id', 'was already replaced by another key')
  const until = readKeyOverlap(tx.config, overlap_until, now.getTime())
  const overlapUntil = former.ends_at && former.ends_at < until ? former.ends_at : until
  const given = ends_at === undefined ? undefined : readKey(tx.config, { ends_at }, now.getTime()).ends_at
  // The scopes are given again, because the caller learns the new key.
  assertScopes(change.allowed, former.scopes)
  const earlier = await findReplaced(tx.db, id, now)
  if (earlier && overlapUntil > now)
    throw invalidField('key_id', `replaced ${earlier.hint}, which is still valid: revoke that one first`)
  const renewed = given === undefined ? renewedEnd(tx.config, former, now.getTime()) : given
  const key = await issueKey(tx, change.holder, { ...former, ends_at: renewed })
  const ending = overlapUntil > now ? {} : { ended_at: now, end_reason: 'rotated' }
  invalidateKeys(tx, [await updateKey(tx.db, id, { ends_at: overlapUntil, replaced_by: key.id, ...ending })])
  const details = { ...detailsOf(key), replaces: id, overlap_until: iso(overlapUntil) }
  await audit(tx, change, 'api_key_rotated', details)
  return { ...key, overlapUntil }
}

export type Revocation = Pick<KeyChange, 'holder' | 'actor' | 'device'> & {
  reason: string
  /** Undefined: all keys. */
  ids?: readonly string[] | undefined
}

/** Returns the number of keys that were valid before. */
export async function revokeKeys(tx: Transaction, { holder, actor, device, reason, ids }: Revocation): Promise<number> {
  const ended = await endKeysOf(tx.db, holder, { reason, ids: ids?.filter(looksLikeId), now: tx.clock.date() })
  if (ended.length === 0) return 0
  invalidateKeys(tx, ended)
  const isReported = reason === 'reported'
  const event = isReported ? 'api_key_reported' : 'api_key_revoked'
  await audit(tx, { holder, actor, device }, event, { reason, keys: ended.map(({ id }) => id) })
  const mailed = { reason: isReported ? 'reported' : 'revoked' }
  for (const key of ended) await mailHolder(tx, holder, key, ['api_key_ended', mailed])
  return ended.length
}

export function invalidateKeys(tx: Transaction, raised: readonly RaisedKey[]): void {
  tx.after(async () => {
    for (const { id, epoch } of raised) await tx.sessions.invalidate(id, epoch)
  })
}

async function lockKey(tx: Transaction, holder: Holder, id: string): Promise<KeyRow> {
  const key = looksLikeId(id) ? await lockLiveKey(tx.db, holder, id, tx.clock.date()) : undefined
  if (!key) throw new AppError('NOT_FOUND')
  return key
}

type KeyEvent = 'api_key_created' | 'api_key_updated' | 'api_key_rotated' | 'api_key_revoked' | 'api_key_reported'

const audit = (
  tx: Transaction,
  { holder, actor, device }: Pick<KeyChange, 'holder' | 'actor' | 'device'>,
  event: KeyEvent,
  details: Record<string, unknown>,
): Promise<void> =>
  recordAudit(tx, {
    event,
    actor,
    target: holder.userId ?? undefined,
    device,
    details: { ...details, ...(holder.accountId !== null && { service_account: holder.accountId }) },
  })
