import { invalidField } from '../lib/errors.ts'
import { looksLikeId } from '../lib/ids.ts'
import { timeField } from '../lib/time-field.ts'
import { auditEvents } from './events.ts'
import type { EventFilter } from './queries.ts'

export interface EventFilters {
  event?: string
  user_id?: string
  actor_id?: string
  target_id?: string
  outcome?: 'success' | 'failure'
  time_from?: string
  time_to?: string
}

/** Events whose actor, target or impersonator is a superadmin are visible only to superadmins. */
export function readEventFilter(viewer: { user_type: string }, input: EventFilters): EventFilter {
  const { event, outcome } = input
  if (event !== undefined && !auditEvents.includes(event)) throw invalidField('event', 'must be the name of an event')
  return {
    event,
    userId: userField('user_id', input.user_id),
    actorId: userField('actor_id', input.actor_id),
    targetId: userField('target_id', input.target_id),
    outcome,
    from: timeField('time_from', input.time_from),
    to: timeField('time_to', input.time_to),
    withSuperadmins: viewer.user_type === 'superadmin',
  }
}

function userField(field: string, id: string | undefined): string | undefined {
  if (id !== undefined && !looksLikeId(id)) throw invalidField(field, 'must be the id of a user')
  return id
}
