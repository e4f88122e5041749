import type { Transaction } from '../../context.ts'
import { sha256Bytes } from '../../lib/hash.ts'
import { newId } from '../../lib/ids.ts'
import { iso } from '../../lib/time.ts'
import { type Holder, insertKey, type KeyRow } from './key-queries.ts'
import { hintOf, newKey } from './key-text.ts'
import { mailHolder } from './notices.ts'

export type KeyTerms = Pick<KeyRow, 'name' | 'scopes' | 'ip_ranges' | 'ends_at'>

export interface NewKey extends KeyTerms {
  id: string
  hint: string
  /** Cannot be read again. */
  secret: string
}

/** The caller records the change in the audit trail. */
export async function issueKey(tx: Transaction, holder: Holder, terms: KeyTerms): Promise<NewKey> {
  const secret = newKey(holder.userId === null ? 'service' : 'personal')
  const { name, scopes, ip_ranges, ends_at } = terms
  const key = { id: newId(), name, scopes, ip_ranges, ends_at, hint: hintOf(secret) }
  await insertKey(tx.db, {
    ...key,
    created_at: tx.clock.date(),
    user_id: holder.userId,
    service_account_id: holder.accountId,
    secret_hash: sha256Bytes(secret),
  })
  await mailHolder(tx, holder, key, ['api_key_created', { scopes: scopes.join(', ') }])
  return { ...key, secret }
}

/** For the audit trail. */
export const detailsOf = ({ id, hint, ...terms }: KeyTerms & { id: string; hint: string }) => ({
  key: id,
  hint,
  ...shownTerms(terms),
})

export const shownTerms = ({ name, scopes, ip_ranges, ends_at }: KeyTerms) => ({
  name,
  scopes,
  ip_ranges,
  ends_at: ends_at && iso(ends_at),
})
