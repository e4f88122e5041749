import type { Context } from '../context.ts'
import type { Db } from '../db/tables.ts'
import { pageOf, paginationOf, reachable } from '../lib/paging.ts'
import { iso } from '../lib/time.ts'
import { type EventFilters, readEventFilter } from './event-filter.ts'
import { countEvents, type EventRow, findEvents, findLabels } from './queries.ts'

interface AuditQuery extends EventFilters {
  page?: number
  limit?: number
  count_limit?: number
}

export async function listEvents({ db }: Context, viewer: { user_type: string }, query: AuditQuery) {
  const page = pageOf(query)
  const filter = readEventFilter(viewer, query)
  const total = await countEvents(db, filter, Math.min(query.count_limit ?? reachable, reachable))
  // The count may have reached its limit before this page.
  const mayHaveEvents = total > page.offset || total === query.count_limit
  const events = mayHaveEvents ? await findEvents(db, filter, page) : []
  return { events: await withLabels(db, events), pagination: paginationOf(page, total) }
}

export async function withLabels(db: Db, events: readonly EventRow[]) {
  const ids = events
    .flatMap(({ actor_id, target_id, impersonator_id }) => [actor_id, target_id, impersonator_id])
    .filter((id) => id !== null)
  const labels = ids.length > 0 ? await findLabels(db, [...new Set(ids)]) : new Map<string, string>()
  const labelOf = (id: string | null) => (id === null ? null : (labels.get(id) ?? null))
  return events.map(({ time, ...event }) => ({
    ...event,
    time: iso(time),
    actor_label: labelOf(event.actor_id),
    target_label: labelOf(event.target_id),
    impersonator_label: labelOf(event.impersonator_id),
  }))
}
