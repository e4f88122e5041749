import Type, { type TProperties } from 'typebox'
import { describe, Id, NullableString, NullableTimestamp, success, Timestamp } from '../http/replies/schemas.ts'

/** The members of an event's `data`, beside `user_id`. */
const ofUser = <Members extends TProperties>(members: Members) => Type.Object({ user_id: Id, ...members })

const changed = Type.Array(Type.String(), { description: 'names of the changed members' })
const Role = Type.String({ description: 'a `user_type`' })

const ofModule = Type.Object({
  module_id: Type.String(),
  components: Type.Array(Type.String()),
  runtime_scope: Type.String(),
  run_id: Id,
})

/** The `data` of each event of the core. Modules add theirs in their manifests. */
export const coreEventData = {
  'user.created': ofUser({}),
  'user.verified': ofUser({}),
  'user.updated': ofUser({ changed }),
  'user.email_changed': ofUser({}),
  'user.password_changed': ofUser({}),
  'user.role_changed': ofUser({ from: Role, to: Role }),
  'user.blocked': ofUser({ until: NullableTimestamp }),
  'user.unblocked': ofUser({}),
  'user.deleted': ofUser({}),
  'user.restored': ofUser({}),
  'user.erased': ofUser({}),
  'user.export_requested': ofUser({}),
  'session.created': ofUser({ session_id: Id, application: NullableString }),
  'session.ended': ofUser({ session_id: Id, reason: Type.String() }),
  'identity.linked': ofUser({ provider: Type.String() }),
  'identity.unlinked': ofUser({ provider: Type.String() }),
  'module.installed': ofModule,
  'module.upgraded': ofModule,
  'module.repaired': ofModule,
  'webhook.test': Type.Object({ webhook_id: Id }),
} as const

const Event = Type.Object(
  {
    id: Id,
    type: Type.String({ examples: ['user.blocked'] }),
    occurred_at: Timestamp,
    data: Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true }),
  },
  { title: 'Event' },
)

export const EventsRoute = describe(
  {
    operationId: 'listEvents',
    summary: 'Read the events that webhooks deliver',
    description:
      'Returns events in a fixed order, oldest first. Pass `next` as `after` in the next request. An event that ' +
      'is committed later than others has a later place, so that no event is missed. An event can be read about ' +
      'a second after its change. Events are kept for `EVENT_RETENTION`. If events after `after` have been ' +
      'deleted, the request is refused with 410, code `EVENTS_EXPIRED`: read all users, then continue with the ' +
      'cursor that a request without `after` returns.',
    tag: 'Webhooks',
    errors: ['EVENTS_EXPIRED'],
  },
  {
    querystring: Type.Object({
      after: Type.Optional(
        Type.String({ pattern: '^[0-9]{1,18}$', description: 'cursor; default: begin with the oldest event' }),
      ),
      limit: Type.Optional(
        Type.Integer({ minimum: 1, description: 'default: 100; values above 1000 are treated as 1000' }),
      ),
    }),
  },
  success({
    data: Type.Object({
      events: Type.Array(Event),
      next: Type.String({ description: 'cursor after the last of these events' }),
      more: Type.Boolean({ description: 'whether further events can be read at once' }),
    }),
  }),
)
