import type { Context } from '../context.ts'
import type { Db } from '../db/tables.ts'
import { invalidField } from '../lib/errors.ts'
import { looksLikeId } from '../lib/ids.ts'
import { pageOf, paginationOf, reachable } from '../lib/paging.ts'
import { iso } from '../lib/time.ts'
import { timeField } from '../lib/time-field.ts'
import { auditEvents } from './events.ts'
import { countEvents, type EventFilter, type EventRow, findEvents, findLabels } from './queries.ts'

interface AuditQuery {
  event?: string
  user_id?: string
  from?: string
  to?: string
  page?: number
  limit?: number
}

/** Events whose actor, target or impersonator is a superadmin are visible only to superadmins. */
export async function listEvents({ db }: Context, viewer: { user_type: string }, query: AuditQuery) {
  const page = pageOf(query)
  const filter = { ...filterOf(query), withSuperadmins: viewer.user_type === 'superadmin' }
  const total = await countEvents(db, filter, reachable)
  const events = total > page.offset ? await findEvents(db, filter, page) : []
  return { events: await withLabels(db, events), pagination: paginationOf(page, total) }
}

function filterOf({ event, user_id, from, to }: AuditQuery): Omit<EventFilter, 'withSuperadmins'> {
  if (event !== undefined && !auditEvents.some((known) => known === event))
    throw invalidField('event', 'must be the name of an event')
  if (user_id !== undefined && !looksLikeId(user_id)) throw invalidField('user_id', 'must be the id of a user')
  return { event, userId: user_id, from: timeField('from', from), to: timeField('to', to) }
}

async function withLabels(db: Db, events: readonly EventRow[]) {
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
