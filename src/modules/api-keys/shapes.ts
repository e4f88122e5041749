import { iso } from '../../lib/time.ts'
import type { ListedAccount } from './account-queries.ts'
import type { NewKey } from './issue-key.ts'
import type { KeyRow, ListedKey } from './key-queries.ts'
import type { KeyKind } from './key-text.ts'

const time = (value: Date | null) => value && iso(value)

const kindOf = ({ user_id }: Pick<KeyRow, 'user_id'>): KeyKind => (user_id === null ? 'service' : 'personal')

/** `rotated`: still valid, but another key has replaced it. */
function statusOf({ ended_at, ends_at, replaced_by }: KeyRow, now: Date): 'active' | 'rotated' | 'ended' {
  if (ended_at || (ends_at && ends_at <= now)) return 'ended'
  return replaced_by ? 'rotated' : 'active'
}

export const shownKey = (row: ListedKey, now: Date) => ({
  id: row.id,
  kind: kindOf(row),
  name: row.name,
  hint: row.hint,
  status: statusOf(row, now),
  scopes: row.scopes,
  ip_ranges: row.ip_ranges,
  created_at: iso(row.created_at),
  ends_at: time(row.ends_at),
  ended_at: time(row.ended_at ?? (row.ends_at && row.ends_at <= now ? row.ends_at : null)),
  end_reason: row.end_reason ?? (row.ends_at && row.ends_at <= now ? 'expired' : null),
  replaced_by: row.replaced_by,
  last_used_at: time(row.last_used_at),
  last_used_ip: row.last_used_ip,
  uses_last_day: row.uses_last_day,
  uses_last_month: row.uses_last_month,
})

export type ShownKey = ReturnType<typeof shownKey>

/** A key right after its creation, with its secret. */
export const shownOnce = ({ id, name, hint, scopes, ip_ranges, ends_at, secret }: NewKey) => ({
  ...{ id, name, hint, scopes, ip_ranges },
  ends_at: time(ends_at),
  key: secret,
})

export const shownAccount = ({ id, name, description, scopes, owners, keys, ...row }: ListedAccount, now: Date) => ({
  ...{ id, name, description, scopes, owners, keys },
  enabled: row.is_enabled,
  ended: row.ends_at !== null && row.ends_at <= now,
  ends_at: time(row.ends_at),
  last_used_at: time(row.last_used_at),
  created_at: iso(row.created_at),
  updated_at: iso(row.updated_at),
})
