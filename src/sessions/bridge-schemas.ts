import Type from 'typebox'
import { exampleValues, withExample } from '../http/responses/examples.ts'
import { describe, NullableTimestamp, Timestamp } from '../http/responses/schemas.ts'
import { sessionPending } from '../lib/errors.ts'
import { BridgeUser } from '../users/schemas.ts'
import { BridgeSession } from './bridge-session-schemas.ts'
import { credentialMembers, ValidatedCredential } from './credential-schemas.ts'
import { identityMembers, rolesMembers, sessionQuery } from './schemas.ts'

const contextText = (description: string, aliases: string[]) =>
  Type.Optional(Type.String({ maxLength: 2048, description, aliases }))

export const endUserMembers = {
  ip: contextText('IP address of the end user', ['ip_address']),
  user_agent: contextText('user agent of the end user', []),
  device_id: contextText('device of the end user', ['device_fingerprint']),
}

export const ValidatedSession = Type.Object(
  {
    success: Type.Literal(true),
    user: BridgeUser,
    session: BridgeSession,
    expires_at: Timestamp,
    ...identityMembers,
    owners: Type.Optional(
      Type.Array(Type.String(), {
        description:
          'for clients with a cache: the ids of the owners whose `revoked` events invalidate this session; omitted if ' +
          'the user is the only one',
      }),
    ),
    ...rolesMembers,
    cached: Type.Boolean({ description: 'false if the session was read from the database' }),
    cacheSource: Type.Union([Type.Literal('memory'), Type.Literal('redis'), Type.Literal('database')]),
    timestamp: Timestamp,
  },
  { title: 'ValidatedSession' },
)

const RejectedSession = Type.Object(
  { success: Type.Literal(false), error: Type.String(), code: Type.String() },
  { title: 'RefusedSession' },
)

const cacheMembers = {
  age: Type.Number({ description: 'milliseconds since the session was read from the database' }),
  tag: Type.String({
    description:
      'identifies this content, excluding the last-use and expiry times; if sent in `tags`, the content is returned ' +
      'only if it has changed',
  }),
  binding: Type.Optional(
    Type.Object(
      { ip: Type.String(), user_agent: Type.String() },
      {
        description:
          'only with SESSION_BINDING=enforce, for clients with a cache: HMAC-SHA-256 (base64url) of `ip` or ' +
          "`user_agent`, a zero byte and the sign-in's value. The key is the hexadecimal SHA-256 hash of the session token",
      },
    ),
  ),
}

const ValidatedSessions = Type.Object(
  {
    success: Type.Literal(true),
    process: Type.String({ description: 'id of the process that responded, as in the events of /auth/bridge/events' }),
    time: Type.Number({ description: 'milliseconds on the monotonic clock of that process' }),
    results: Type.Array(
      Type.Union([
        Type.Object({ ...ValidatedSession.properties, ...cacheMembers }),
        Type.Object({
          success: Type.Literal(true),
          unchanged: Type.Literal(true, {
            description:
              'the session is valid; only last_used_at and expires_at may have changed since the response with this tag',
          }),
          last_used_at: Timestamp,
          expires_at: Timestamp,
          timestamp: Timestamp,
          age: cacheMembers.age,
        }),
        RejectedSession,
      ]),
      { description: 'one result for each of `session_ids`, in the same order' },
    ),
  },
  { title: 'ValidatedSessions' },
)

const ValidatedCredentials = Type.Object(
  {
    success: Type.Literal(true),
    process: ValidatedSessions.properties.process,
    time: ValidatedSessions.properties.time,
    results: Type.Array(
      Type.Union([
        Type.Object({ ...ValidatedCredential.properties, ...cacheMembers }),
        Type.Object({
          success: Type.Literal(true),
          unchanged: Type.Literal(true),
          last_used_at: Type.Optional(Timestamp),
          expires_at: NullableTimestamp,
          timestamp: Timestamp,
          age: cacheMembers.age,
        }),
        Type.Object({ ...RejectedSession.properties, required: Type.Optional(Type.Array(Type.String())) }),
      ]),
      { description: 'one result for each of `credentials`, in the same order' },
    ),
  },
  { title: 'ValidatedCredentials' },
)

const compare = Type.Optional(
  Type.Literal('user_agent', {
    description: 'with SESSION_BINDING: compare only the user agent, because `ip` is not known',
  }),
)

export const BridgeEventsRoute = {
  operationId: 'streamBridgeEvents',
  summary: 'Stream session changes to back ends',
  description:
    'Server-sent events: `start` (process, time, max_age), `heartbeat` every 300 ms (process, time, age), `revoked` ' +
    '(owner_id, epoch) and `missed`. `user_id` in `revoked` has the same value as `owner_id`. docs/architecture/sessions.md describes how to use them safely.',
  tags: ['Bridge'],
  response: {
    200: {
      description: 'The event stream. It ends when the service stops.',
      content: { 'text/event-stream': { schema: Type.String() } },
    },
  },
}

const { id, time, expiresAt, user } = exampleValues

export const BridgeValidateRoute = describe(
  {
    operationId: 'validateSessionForBridge',
    errors: [
      'INVALID_SESSION',
      'SESSION_EXPIRED',
      sessionPending,
      'INVALID_CREDENTIAL',
      'KEY_PAUSED',
      'KEY_NETWORK',
      'RESOURCE_REQUIRED',
      'INSUFFICIENT_SCOPE',
    ],
    summary: 'Validate one or more sessions or other credentials (for back ends)',
    description:
      'The session token is read from the body, the query, the X-Session-ID header or the `Authorization: Bearer` ' +
      'header, in this order. With `session_ids`, up to 500 sessions are validated in one request. An invalid ' +
      'session among them does not cause an error response. With `credential` or `credentials`, sessions, API keys ' +
      'and access tokens are validated, and the response names the kind. An API key that is restricted to networks ' +
      'is valid only with the `ip` of its caller.',
    tag: 'Bridge',
  },
  {
    querystring: sessionQuery,
    body: Type.Object(
      {
        session_id: Type.Optional(Type.String()),
        session_ids: Type.Optional(
          Type.Array(Type.String(), { maxItems: 500, description: 'several session tokens, instead of session_id' }),
        ),
        tags: Type.Optional(
          Type.Array(Type.String({ maxLength: 64 }), {
            maxItems: 500,
            description:
              'only with session_ids or credentials: for each, the `tag` from an earlier response, or an empty string',
          }),
        ),
        end_users: Type.Optional(
          Type.Array(Type.Object({ ip: endUserMembers.ip, user_agent: endUserMembers.user_agent, compare }), {
            maxItems: 500,
            description: 'only with session_ids or credentials: the end user of each, in the same order',
          }),
        ),
        ...credentialMembers,
        ...endUserMembers,
        compare,
      },
      { examples: [{ session_id: 'ses_7fJx2kQmZt9wB4nVc8LpRs1yDh5aGe3uKo6iXqT0zMA' }] },
    ),
  },
  withExample(
    Type.Unsafe<object>(Type.Union([ValidatedSession, ValidatedSessions, ValidatedCredential, ValidatedCredentials])),
    {
      success: true,
      user: { ...user, phone: '' },
      session: {
        id,
        userId: id,
        expiresAt,
        ipAddress: '203.0.113.7',
        userAgent: 'Mozilla/5.0',
        lastUsedAt: time,
        two_factor_verified: 0,
        application: null,
        impersonatedBy: null,
      },
      expires_at: expiresAt,
      authenticated_at: time,
      methods: ['pwd'],
      cached: true,
      cacheSource: 'memory',
      timestamp: time,
    },
  ),
)
