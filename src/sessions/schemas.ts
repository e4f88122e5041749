import Type from 'typebox'
import { Done, describe, Id, namedSchema, success, Timestamp } from '../http/replies/schemas.ts'
import { sessionPending } from '../lib/errors.ts'
import { BridgeUser, LoginUser, LoginUserWithModules } from '../users/schemas.ts'

const Flag = Type.Unsafe<0 | 1>({ type: 'integer', enum: [0, 1] })
export const SessionToken = Type.String({ description: 'the session token: ses_ and 43 characters' })

const bothSpellings = { sessionId: SessionToken, session_id: SessionToken, expiresAt: Timestamp, expires_at: Timestamp }

const Method = namedSchema(
  'SecondFactor',
  Type.Object({
    id: Id,
    method: Type.String(),
    status: Type.Literal('active'),
    identifier: Type.Unsafe<string | null>({ type: ['string', 'null'], description: 'masked' }),
  }),
)

export const pendingMembers = {
  available_methods: Type.Optional(Type.Array(Method)),
  verification_sent: Type.Optional(Type.Boolean()),
  expires_in: Type.Optional(Type.Integer({ description: 'seconds' })),
}

export const isSignedIn = Type.Boolean({ description: 'false until the second factor is verified' })

/** The reply has either `success: true` and the session, or `success: false` and `requires_2fa: true`. */
export const SignInReply = Type.Object(
  {
    success: isSignedIn,
    message: Type.Optional(Type.String()),
    user: LoginUser,
    ...bothSpellings,
    requires_2fa: Type.Boolean(),
    ...pendingMembers,
  },
  { title: 'SignIn' },
)

const SessionInfo = namedSchema(
  'SessionInfo',
  Type.Object({
    id: Id,
    user_id: Id,
    userId: Id,
    expiresAt: Timestamp,
    expires_at: Timestamp,
    lastUsedAt: Timestamp,
    two_factor_verified: Flag,
  }),
)

export const SessionApplication = Type.Unsafe<string | null>({
  type: ['string', 'null'],
  description:
    'origin or app scheme of the application that the session was handed over to; null for a browser session. ' +
    'A back end accepts its own application and, if it shares the cookie, null',
})

export const identityMembers = {
  authenticated_at: Type.String({
    format: 'date-time',
    description: 'time of the last authentication: the sign-in or a later confirmation of identity',
  }),
  methods: Type.Array(Type.String(), {
    description:
      'authentication methods as defined in RFC 8176: `pwd`, `otp` (a mailed or texted link or code), `swk` (a ' +
      'passkey), and `mfa` after a second factor; a sign-in with another provider has no name',
  }),
}

const CurrentReply = Type.Object(
  {
    ...SignInReply.properties,
    authenticated_at: Type.Optional(identityMembers.authenticated_at),
    methods: Type.Optional(identityMembers.methods),
    application: Type.Optional(SessionApplication),
  },
  { title: 'CurrentSession' },
)

const ValidationReply = Type.Object({ ...SignInReply.properties, session: SessionInfo }, { title: 'Validation' })

const MeReply = Type.Object(
  {
    success: isSignedIn,
    message: Type.Optional(Type.String()),
    user: LoginUserWithModules,
    data: Type.Object({ user: LoginUserWithModules }),
    ...bothSpellings,
    requires_2fa: Type.Optional(Type.Boolean()),
    ...pendingMembers,
  },
  { title: 'Me' },
)

const UserMeReply = Type.Object(
  {
    success: isSignedIn,
    user: LoginUserWithModules,
    sessionId: SessionToken,
    expiresAt: Timestamp,
    requires_2fa: Type.Optional(Type.Boolean()),
    available_methods: pendingMembers.available_methods,
    data: Type.Optional(LoginUserWithModules),
  },
  { title: 'UserMe' },
)

const sessionQuery = Type.Object({
  session_id: Type.Optional(
    Type.String({ description: 'session token, if it is neither in a header nor in the cookie' }),
  ),
})

const tag = 'Sessions'

export const ValidationRoute = describe(
  { operationId: 'validateSession', summary: 'Validate the current session', tag },
  { querystring: sessionQuery },
  ValidationReply,
)

export const ValidationPostRoute = describe(
  { operationId: 'validateSessionInBody', summary: 'Validate the current session, with its token in the body', tag },
  { querystring: sessionQuery, body: Type.Object({ session_id: Type.Optional(Type.String()) }) },
  ValidationReply,
)

export const CurrentRoute = describe(
  { operationId: 'getSession', summary: 'Get the session in the cookie after a sign-in with another provider', tag },
  { querystring: sessionQuery },
  CurrentReply,
)

export const MeRoute = describe(
  { operationId: 'getCurrentUser', summary: 'Get the signed-in user', tag },
  { querystring: sessionQuery },
  MeReply,
)

export const UserMeRoute = describe(
  { operationId: 'getUserForBridge', summary: 'Get the signed-in user from a back end', tag },
  { querystring: sessionQuery },
  UserMeReply,
)

export const RefreshRoute = describe(
  { operationId: 'refreshSession', sessionCookie: 'set', summary: 'Extend the current session', tag },
  { querystring: sessionQuery },
  SignInReply,
)

export const LogoutRoute = describe(
  {
    operationId: 'signOut',
    sessionCookie: 'cleared',
    summary: 'Sign out',
    description:
      'For an application session, this ends the whole sign-in: the browser session from which it was handed ' +
      'over and the sessions of all other applications. `scope=application` ends only the session of the ' +
      'application.',
    tag,
  },
  {
    querystring: Type.Object({
      ...sessionQuery.properties,
      scope: Type.Optional(
        Type.Unsafe<'sign_in' | 'application'>({
          type: 'string',
          enum: ['sign_in', 'application'],
          description: 'default: sign_in',
        }),
      ),
    }),
  },
  Done,
)

export const InvalidateRoute = describe(
  { operationId: 'invalidateCache', summary: "Invalidate the caller's cached sessions on all nodes", tag },
  { querystring: sessionQuery },
  success({ message: Type.String(), timestamp: Timestamp }),
)

export const ListedSessionSchema = Type.Object({
  id: Id,
  sessionPrefix: Type.String({ description: 'identifies the session; not part of the session token' }),
  ipAddress: Type.String(),
  userAgent: Type.String(),
  userDevice: Type.String({
    description: 'the `device_id` sent at sign-in, or else a description of the browser such as "Chrome on macOS"',
  }),
  application: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'origin or app scheme of the application that the sign-in was handed over to',
  }),
  parentId: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'for an application session: the session that it was created from and ends with',
  }),
  lastUsedAt: Timestamp,
  createdAt: Timestamp,
  expiresAt: Timestamp,
  status: Type.Unsafe<'pending' | 'active' | 'revoked' | 'expired'>({
    type: 'string',
    enum: ['pending', 'active', 'revoked', 'expired'],
  }),
})

export const EndedSessions = success({ message: Type.String(), data: Type.Object({ ended: Type.Integer() }) })

const contextText = (description: string, aliases: string[]) =>
  Type.Optional(Type.String({ maxLength: 2048, description, aliases }))

export const endUserMembers = {
  ip: contextText('address of the end user', ['ip_address']),
  user_agent: contextText('user agent of the end user', []),
  device_id: contextText('device of the end user', ['device_fingerprint']),
}

const BridgeSession = Type.Object({
  id: Id,
  userId: Id,
  expiresAt: Timestamp,
  ipAddress: Type.String(),
  userAgent: Type.String(),
  lastUsedAt: Timestamp,
  two_factor_verified: Flag,
  application: SessionApplication,
  user_id: Type.Optional(Id),
  expires_at: Type.Optional(Timestamp),
})

export const ValidatedSession = Type.Object(
  {
    success: Type.Literal(true),
    user: BridgeUser,
    session: BridgeSession,
    expires_at: Timestamp,
    ...identityMembers,
    cached: Type.Boolean({ description: 'false if the session was read from the database' }),
    cacheSource: Type.Union([Type.Literal('memory'), Type.Literal('redis'), Type.Literal('database')]),
    timestamp: Timestamp,
  },
  { title: 'ValidatedSession' },
)

const RefusedSession = Type.Object(
  { success: Type.Literal(false), error: Type.String(), code: Type.String() },
  { title: 'RefusedSession' },
)

const cacheMembers = {
  age: Type.Number({ description: 'milliseconds since the session was read from the database' }),
  tag: Type.String({
    description:
      'tag of this content without the last use; send it in `tags` to get the content only if it has changed',
  }),
}

const ValidatedSessions = Type.Object(
  {
    success: Type.Literal(true),
    process: Type.String({ description: 'process that responded, as in the events of /auth/bridge/events' }),
    time: Type.Number({ description: 'milliseconds on the monotonic clock of that process' }),
    results: Type.Array(
      Type.Union([
        Type.Object({ ...ValidatedSession.properties, ...cacheMembers }),
        Type.Object({
          success: Type.Literal(true),
          unchanged: Type.Literal(true, {
            description: 'the session is valid, and only these times can differ from the content with this tag',
          }),
          last_used_at: Timestamp,
          expires_at: Timestamp,
          timestamp: Timestamp,
          age: cacheMembers.age,
        }),
        RefusedSession,
      ]),
      { description: 'one result for each of `session_ids`, in the same order' },
    ),
  },
  { title: 'ValidatedSessions' },
)

export const BridgeEventsRoute = {
  operationId: 'streamBridgeEvents',
  summary: 'Stream session changes to back ends',
  description:
    'Server-sent events: `start` (process, time, max_age), `heartbeat` every 300 ms (process, time, age), `revoked` ' +
    '(user_id, epoch) and `missed`. docs/architecture.md describes how to use them safely.',
  tags: ['Bridge'],
  response: {
    200: {
      description: 'The event stream. It ends when the service stops.',
      content: { 'text/event-stream': { schema: Type.String() } },
    },
  },
}

export const BridgeValidateRoute = describe(
  {
    operationId: 'validateSessionForBridge',
    errors: ['INVALID_SESSION', 'SESSION_EXPIRED', sessionPending],
    summary: 'Validate one or more sessions from a back end',
    description:
      'The session token is read from the body, the query, or the header X-Session-ID or `Authorization: Bearer`, ' +
      'in this order. `session_ids` validates up to 500 sessions at once. An invalid session among them is a ' +
      'result, not an error.',
    tag: 'Bridge',
  },
  {
    querystring: sessionQuery,
    body: Type.Object({
      session_id: Type.Optional(Type.String()),
      session_ids: Type.Optional(
        Type.Array(Type.String(), { maxItems: 500, description: 'several sessions, instead of session_id' }),
      ),
      tags: Type.Optional(
        Type.Array(Type.String({ maxLength: 64 }), {
          maxItems: 500,
          description:
            "with session_ids: the tag of each session's last known content, from an earlier response, or an empty string",
        }),
      ),
      ...endUserMembers,
    }),
  },
  Type.Unsafe<object>(Type.Union([ValidatedSession, ValidatedSessions])),
)

export const GatewayRoute = describe(
  {
    operationId: 'verifyForGateway',
    errors: ['INVALID_SESSION', sessionPending],
    redirects: { 302: 'To the sign-in page, if the gateway requests it and the visitor opens a page.' },
    summary: 'Authenticate a request for a gateway',
    description:
      'For the authentication request that nginx, Caddy, Traefik and others send before they forward a request. The ' +
      'session is read from X-Session-ID, `Authorization: Bearer` or the cookie that the gateway forwards. The user ' +
      'is described by the headers X-Auth-User-Id, X-Auth-Email, X-Auth-Email-Verified, X-Auth-Name, ' +
      'X-Auth-User-Type, X-Auth-Session-Id, X-Auth-Time and X-Auth-Methods; text is percent-encoded UTF-8. The ' +
      'session of an application is refused unless `application` is that application. If the visitor opens a page, ' +
      'a 401 contains the sign-in address in X-Auth-Login. With `redirect=true` or the header `X-Auth-Redirect: ' +
      'true`, the response is a 302 to that address instead.',
    tag: 'Bridge',
  },
  {
    querystring: Type.Object({
      redirect: Type.Optional(
        Type.Boolean({ description: 'redirects visitors who open a page without being signed in' }),
      ),
      application: Type.Optional(
        Type.String({
          maxLength: 2048,
          pattern: '^[!-~]*$',
          description:
            'origin or app scheme of the application behind the gateway, such as `https://shop.example`: its ' +
            'sessions are accepted in addition to those of browsers',
        }),
      ),
    }),
  },
  Type.Unsafe<object>(Type.Object({ success: Type.Literal(true) })),
)

export const GatewayByPostRoute = { ...GatewayRoute, operationId: 'verifyForGatewayByPost' }

/** The path after the prefix and the query belong to the visitor's request. */
export const GatewayForPathRoute = {
  summary: "Authenticate a request for a gateway, followed by the visitor's path",
  tags: ['Bridge'],
}
