import Type from 'typebox'
import {
  describe,
  Id,
  NullableString,
  NullableTimestamp,
  namedSchema,
  Pagination,
  pageMembers,
  success,
  Timestamp,
} from '../http/responses/schemas.ts'

const NullableId = Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'uuid' })

const label = Type.Unsafe<string | null>({
  type: ['string', 'null'],
  description: "the user's current name or, without a name, the email address; null for erased users",
})

export const AuditEventSchema = namedSchema(
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
        "the actor's role at the time of the event; `command_line` for a command run by an operator, which has no " +
        '`actor_id`',
    }),
    actor_label: label,
    target_id: NullableId,
    target_label: label,
    impersonator_id: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'id of the superadmin who acted as the user `actor_id`',
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

const time = (which: string, alias: string) =>
  Type.Optional(
    Type.String({
      maxLength: 40,
      description: `${which}; ISO 8601`,
      examples: ['2026-11-20T17:48:31.705Z'],
      aliases: [alias],
    }),
  )

const user = (which: string) => Type.Optional(Type.String({ description: which }))

export const eventFilterMembers = {
  event: Type.Optional(Type.String({ maxLength: 64, examples: ['login_fail'] })),
  user_id: user('user who caused the event, was affected by it, or acted as the user who caused it'),
  actor_id: user('user who caused the event'),
  target_id: user('user who was affected by the event'),
  outcome: Type.Optional(
    Type.Unsafe<'success' | 'failure'>({ type: 'string', enum: ['success', 'failure'], examples: ['failure'] }),
  ),
  time_from: time('only events at or after this time', 'from'),
  time_to: time('only events before this time', 'to'),
}

export const AuditRoute = describe(
  {
    operationId: 'listAuditEvents',
    summary: 'List audit events, newest first',
    description:
      'Superadmins see all events. Other administrators do not see events that a superadmin caused or was affected ' +
      'by. `total` counts no events beyond the last page that can be requested.',
    tag: 'Administration',
  },
  {
    querystring: Type.Object({
      ...eventFilterMembers,
      ...pageMembers,
      count_limit: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: 1_000_000,
          description:
            'stops counting at this number, which speeds up searches with many matches; a `total` of this number ' +
            'means this many or more',
          examples: [1000],
        }),
      ),
    }),
  },
  success({ data: Type.Object({ events: Type.Array(AuditEventSchema), pagination: Pagination }) }),
)

const Broken = Type.Object({
  seal: Type.Integer(),
  what: Type.Unsafe<'missing' | 'forged' | 'changed events'>({
    type: 'string',
    enum: ['missing', 'forged', 'changed events'],
  }),
})

const Newest = Type.Object({ number: Type.Integer(), events: Type.Integer(), sealed_at: Timestamp })

export const AuditSealsRoute = describe(
  {
    operationId: 'getAuditSeals',
    summary: 'Check the newest seals of the audit trail',
    description:
      'Checks the newest 100 seals, and the events of the newest three. `wardenry doctor` checks all seals. `state` ' +
      "is `verified`, `broken` if a seal does not match, `incomplete` if a seal's key is missing or events older " +
      'than an hour have no seal, or `none` if there is no seal yet.',
    tag: 'Administration',
  },
  {},
  success({
    data: Type.Object({
      state: Type.Unsafe<'verified' | 'broken' | 'incomplete' | 'none'>({
        type: 'string',
        enum: ['verified', 'broken', 'incomplete', 'none'],
      }),
      newest: Type.Union([namedSchema('AuditSeal', Newest), Type.Null()]),
      age_seconds: Type.Unsafe<number | null>({
        type: ['integer', 'null'],
        description: 'age of the newest seal in seconds',
      }),
      oldest_unsealed_at: NullableTimestamp,
      unsealed_over_an_hour: Type.Integer({
        description: 'number of events older than an hour without a seal',
      }),
      checked_seals: Type.Integer(),
      checked_with_events: Type.Integer({ description: 'seals whose events were also checked' }),
      without_key: Type.Integer({ description: 'seals whose key is no longer configured' }),
      broken: Type.Array(namedSchema('BrokenSeal', Broken)),
    }),
  }),
)
