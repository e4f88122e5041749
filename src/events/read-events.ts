import type { Context } from '../context.ts'
import type { Db } from '../db/tables.ts'
import { AppError } from '../lib/errors.ts'
import { iso } from '../lib/time.ts'
import { findEventsAfter, findLastPosition, findSuperadmins, type StoredEvent } from './queries.ts'
import { maxEvents } from './schemas.ts'

interface ReadInput {
  after?: string
  limit?: number
}

export async function readEvents({ db }: Context, viewer: { user_type: string }, { after, limit = 100 }: ReadInput) {
  // The last position is read first. Otherwise, events that are numbered between the two queries would seem to be
  // missing.
  const last = await findLastPosition(db)
  const found = await findEventsAfter(db, Number(after ?? 0), Math.min(limit, maxEvents))
  const start = after === undefined ? (found[0]?.position ?? last + 1) - 1 : Number(after)
  const rows = withoutGap(start, found)
  // Events after the cursor were deleted, or the cursor comes from another database.
  if (rows.length === 0 && start !== last) throw new AppError('EVENTS_EXPIRED')
  const next = rows.at(-1)?.position ?? start
  const visible = viewer.user_type === 'superadmin' ? rows : await withoutSuperadmins(db, rows)
  return { events: visible.map(shownEvent), next: String(next), has_more: next < last }
}

/** Returns the events before the first gap. Restoring a backup leaves a gap in the positions. */
function withoutGap(start: number, rows: readonly StoredEvent[]): readonly StoredEvent[] {
  const gap = rows.findIndex(({ position }, index) => position !== start + 1 + index)
  return gap === -1 ? rows : rows.slice(0, gap)
}

/**
 * As in the audit trail, only superadmins see when and how superadmins sign in. All readers see `user.*` events about
 * superadmins, because all readers can also list these users.
 */
async function withoutSuperadmins(db: Db, rows: readonly StoredEvent[]): Promise<readonly StoredEvent[]> {
  const isHideable = ({ type }: StoredEvent) => !type.startsWith('user.')
  const ids = rows.filter(isHideable).flatMap(({ target_id }) => target_id ?? [])
  if (ids.length === 0) return rows
  const superadmins = await findSuperadmins(db, ids)
  return rows.filter((row) => !(isHideable(row) && row.target_id !== null && superadmins.has(row.target_id)))
}

export const shownEvent = ({ id, type, version, occurred_at, data }: StoredEvent) => ({
  id,
  type,
  version,
  occurred_at: iso(occurred_at),
  data,
})
