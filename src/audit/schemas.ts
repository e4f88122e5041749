import Type from 'typebox'
import {
  describe,
  Id,
  NullableString,
  namedSchema,
  Pagination,
  pageMembers,
  success,
  Timestamp,
} from '../http/replies/schemas.ts'

const NullableId = Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'uuid' })

const label = Type.Unsafe<string | null>({
  type: ['string', 'null'],
  description: 'the current name of the user or, without a name, the email address; null for erased users',
})

const Event = namedSchema(
  'AuditEvent',
  Type.Object({
    id: Id,
    time: Timestamp,
    event: Type.String(),
    outcome: Type.Union([Type.Literal('success'), Type.Literal('failure')]),
    actor_id: NullableId,
    actor_role: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description:
        'the role at the time of the event; `command_line`, without `actor_id`, for a command that an operator ran',
    }),
    actor_label: label,
    target_id: NullableId,
    target_label: label,
    impersonator_id: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'the superadmin who acted as the actor',
    }),
    impersonator_label: label,
    method: NullableString,
    ip: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'the full IP address, later shortened to the network',
    }),
    user_agent: NullableString,
    request_id: NullableString,
    details: Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true }),
  }),
)

const time = (which: string) =>
  Type.Optional(
    Type.String({ maxLength: 40, description: `${which}; ISO 8601`, examples: ['2026-11-20T17:48:31.705Z'] }),
  )

export const AuditRoute = describe(
  {
    operationId: 'listAuditEvents',
    summary: 'List audit events, newest first',
    description:
      'Superadmins see all events. Others do not see events that a superadmin caused or was affected by. `total` ' +
      'counts only up to the last page that can be requested.',
    tag: 'Administration',
  },
  {
    querystring: Type.Object({
      event: Type.Optional(Type.String({ maxLength: 64, examples: ['login_fail'] })),
      user_id: Type.Optional(Type.String({ description: 'user who caused the event or was affected by it' })),
      from: time('only events at or after this time'),
      to: time('only events before this time'),
      ...pageMembers,
    }),
  },
  success({ data: Type.Object({ events: Type.Array(Event), pagination: Pagination }) }),
)
