import type { Context } from '../context.ts'
import { AppError } from '../lib/errors.ts'
import { iso } from '../lib/time.ts'
import { findAfter, findRange, type StoredEvent } from './queries.ts'

const limits = { usual: 100, max: 1_000 }

export async function readEvents({ db }: Context, { after, limit = limits.usual }: { after?: string; limit?: number }) {
  const wanted = Math.min(limit, limits.max)
  const { first, last } = await findRange(db)
  const start = after === undefined ? (first ?? last + 1) - 1 : Number(after)
  // A cursor beyond the last event comes from another database.
  if (start > last || (first ?? last + 1) > start + 1) throw new AppError('EVENTS_EXPIRED')
  const rows = await findAfter(db, start, wanted)
  const next = rows.at(-1)?.position ?? start
  return { events: rows.map(shownEvent), next: String(next), more: rows.length === wanted && next < last }
}

export const shownEvent = ({ id, type, occurred_at, data }: Omit<StoredEvent, 'position'>) => ({
  id,
  type,
  occurred_at: iso(occurred_at),
  data,
})
