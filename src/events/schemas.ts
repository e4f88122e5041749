import Type, { type Static, type TObject, type TProperties } from 'typebox'
import { describe, Id, NullableString, NullableTimestamp, success, Timestamp } from '../http/responses/schemas.ts'

export type EventSchemas = Readonly<Record<string, TObject>>

export type EventDataOf<Schemas extends EventSchemas> = { [Type in keyof Schemas]: Static<Schemas[Type]> }

const ofUser = <Members extends TProperties>(members: Members) => Type.Object({ user_id: Id, ...members })

const NullableId = Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'uuid' })
const Changed = Type.Array(Type.String(), { description: 'names of the changed members, without values' })
const Role = Type.String({ description: 'a `user_type`' })
const ApplicationRoles = Type.Array(Type.String(), { examples: [['billing:accountant']] })
const Provider = Type.String({ description: 'an identity provider, such as `google`' })

const ofModule = () =>
  Type.Object({
    module_id: Type.String(),
    components: Type.Array(Type.String()),
    runtime_scope: Type.String(),
    run_id: Id,
  })

const ofApplication = <Members extends TProperties>(members: Members) =>
  Type.Object({ application_id: Id, key: Type.String(), ...members })

/** The schemas of the `data` of the core's events, by type. Modules declare theirs in their definitions. */
export const coreEventData = {
  'user.created': ofUser({}),
  'user.verified': ofUser({}),
  'user.updated': ofUser({ changed: Changed }),
  'user.email_changed': ofUser({}),
  'user.password_changed': ofUser({}),
  'user.role_changed': ofUser({ from: Role, to: Role }),
  'user.roles_changed': ofUser({
    granted: ApplicationRoles,
    revoked: ApplicationRoles,
  }),
  'user.blocked': ofUser({ until: NullableTimestamp }),
  'user.unblocked': ofUser({}),
  'user.deleted': ofUser({}),
  'user.restored': ofUser({}),
  'user.erased': ofUser({}),
  'user.export_requested': ofUser({}),
  'session.created': ofUser({
    session_id: Id,
    parent_id: NullableId,
    application: NullableString,
    application_id: NullableId,
    impersonated: Type.Boolean({ description: 'whether a superadmin acts as the user' }),
  }),
  'session.ended': ofUser({ session_id: Id, reason: Type.String({ examples: ['logout'] }) }),
  'identity.linked': ofUser({ provider: Provider }),
  'identity.unlinked': ofUser({ provider: Provider }),
  'passkey.added': ofUser({ passkey_id: Id }),
  'passkey.removed': ofUser({ passkey_id: Id }),
  'module.installed': ofModule(),
  'module.upgraded': ofModule(),
  'module.repaired': ofModule(),
  'application.created': ofApplication({}),
  'application.updated': ofApplication({ changed: Changed }),
  'application.enabled': ofApplication({}),
  'application.disabled': ofApplication({}),
  'application.deleted': ofApplication({}),
  'application.restored': ofApplication({}),
  'role.changed': ofApplication({ role_id: Id, role: Type.String({ description: 'key of the role' }) }),
  'webhook.test': Type.Object({ webhook_id: Id }),
} as const

export const EventSchema = Type.Object(
  {
    id: Id,
    type: Type.String({ examples: ['user.blocked'] }),
    version: Type.Integer({ description: 'the version of the schema of `data`' }),
    occurred_at: Timestamp,
    data: Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      additionalProperties: true,
      description: 'depends on `type`: see `webhooks` in this document',
    }),
  },
  { title: 'Event' },
)

/** Returns the schema of the complete event, whose `type` and `version` determine its `data`. */
export const eventSchema = (type: string, version: number, data: TObject): TObject =>
  Type.Object({
    id: Id,
    type: Type.Literal(type),
    version: Type.Literal(version),
    occurred_at: Timestamp,
    data,
  })

export const maxEvents = 1_000

export const EventsRoute = describe(
  {
    operationId: 'listEvents',
    summary: 'Read events in order',
    description:
      'Returns events, oldest first. Pass `next` as `after` in the next request. Events are numbered ' +
      'after they are committed, so no event is missed. An event can be read about a second after the change. ' +
      'Events are kept for `EVENT_RETENTION`. If events after the cursor are missing because they were deleted or ' +
      'the database was restored from a backup, the response is 410 `EVENTS_EXPIRED`. Then read all users again ' +
      'and continue with the cursor that a request without `after` returns. Only superadmins see events about the ' +
      'sessions, factors and identities of superadmins.',
    tag: 'Events',
    errors: ['EVENTS_EXPIRED'],
  },
  {
    querystring: Type.Object({
      after: Type.Optional(
        Type.String({ pattern: '^[0-9]{1,15}$', description: 'cursor; default: start with the oldest event' }),
      ),
      limit: Type.Optional(
        Type.Integer({
          minimum: 1,
          description: `default: 100; values above ${maxEvents} are treated as ${maxEvents}`,
        }),
      ),
    }),
  },
  success({
    data: Type.Object({
      events: Type.Array(EventSchema),
      next: Type.String({ description: 'the cursor after the last of these events', examples: ['4711'] }),
      has_more: Type.Boolean({ description: 'whether more events can be read immediately' }),
    }),
  }),
)
