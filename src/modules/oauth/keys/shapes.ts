import { iso } from '../../../lib/time.ts'
import type { SigningKeyRow } from '../directory-queries.ts'
import type { RotatedKey } from './rotate-keys.ts'

const time = (value: Date | null) => value && iso(value)

export const shownSigningKey = (row: SigningKeyRow, now: number) => ({
  ...{ kid: row.kid, alg: row.alg, status: row.status },
  published: row.status !== 'removed' && (row.published_until === null || row.published_until.getTime() > now),
  created_at: iso(row.created_at),
  active_from: iso(row.active_from),
  retired_at: time(row.retired_at),
  published_until: time(row.published_until),
})

export const shownRotation = ({ alg, kid, outcome, activeFrom }: RotatedKey) => ({
  ...{ alg, kid, outcome },
  active_from: iso(activeFrom),
})
