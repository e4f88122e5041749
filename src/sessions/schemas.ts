import Type from 'typebox'
import { Done, describe, Id, named, success, Timestamp } from '../http/replies/schemas.ts'
import { sessionPending } from '../lib/errors.ts'
import { BridgeUser, LoginUser, LoginUserWithModules } from '../users/schemas.ts'

const Flag = Type.Unsafe<0 | 1>({ type: 'integer', enum: [0, 1] })
export const Bearer = Type.String({ description: 'the value that the holder keeps: ses_ and 43 characters' })

const bothSpellings = { sessionId: Bearer, session_id: Bearer, expiresAt: Timestamp, expires_at: Timestamp }

const Method = named(
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

export const isSignedIn = Type.Boolean({ description: 'false while the second factor is missing' })

/** Either `success: true` with the session, or `success: false` with `requires_2fa: true`. */
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

const SessionInfo = named(
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

export const Application = Type.Unsafe<string | null>({
  type: ['string', 'null'],
  description:
    'origin or app scheme of the application that the session was handed over to; null for the session of a browser. ' +
    'A back end accepts its own application and, if it shares the cookie, null',
})

export const identityMembers = {
  authenticated_at: Type.String({
    format: 'date-time',
    description: 'when the user last proved who they are: at the sign-in, or when they confirmed it since',
  }),
  methods: Type.Array(Type.String(), {
    description:
      'how they signed in, by the names of RFC 8176: `pwd`, `otp` (a mailed or texted link or code), `swk` (a passkey), and `mfa` after a second factor; without a name for it after another provider',
  }),
}

const CurrentReply = Type.Object(
  {
    ...SignInReply.properties,
    authenticated_at: Type.Optional(identityMembers.authenticated_at),
    methods: Type.Optional(identityMembers.methods),
    application: Type.Optional(Application),
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
    sessionId: Bearer,
    expiresAt: Timestamp,
    requires_2fa: Type.Optional(Type.Boolean()),
    available_methods: pendingMembers.available_methods,
    data: Type.Optional(LoginUserWithModules),
  },
  { title: 'UserMe' },
)

const sessionQuery = Type.Object({
  session_id: Type.Optional(Type.String({ description: 'the session, when it is in neither header nor cookie' })),
})

const tag = 'Sessions'

export const ValidationRoute = describe(
  { operationId: 'validateSession', summary: 'Validate the current session', tag },
  { querystring: sessionQuery },
  ValidationReply,
)

export const ValidationPostRoute = describe(
  { operationId: 'validateSessionInBody', summary: 'Validate the current session, named in the body', tag },
  { querystring: sessionQuery, body: Type.Object({ session_id: Type.Optional(Type.String()) }) },
  ValidationReply,
)

export const CurrentRoute = describe(
  { operationId: 'getSession', summary: 'The session of the cookie, after social sign-in', tag },
  { querystring: sessionQuery },
  CurrentReply,
)

export const MeRoute = describe(
  { operationId: 'getCurrentUser', summary: 'The signed-in user', tag },
  { querystring: sessionQuery },
  MeReply,
)

export const UserMeRoute = describe(
  { operationId: 'getUserForBridge', summary: 'The signed-in user, asked for by a back end', tag },
  { querystring: sessionQuery },
  UserMeReply,
)

export const RefreshRoute = describe(
  { operationId: 'refreshSession', sessionCookie: 'set', summary: 'Restart the idle time', tag },
  { querystring: sessionQuery },
  SignInReply,
)

export const LogoutRoute = describe(
  {
    operationId: 'signOut',
    sessionCookie: 'cleared',
    summary: 'End the session',
    description:
      'For a session of an application this ends the whole sign-in: the session of the browser that it was handed over ' +
      'from, and those of all other applications. `scope=application` ends the session of the application alone.',
    tag,
  },
  {
    querystring: Type.Object({
      ...sessionQuery.properties,
      scope: Type.Optional(
        Type.Unsafe<'sign_in' | 'application'>({
          type: 'string',
          enum: ['sign_in', 'application'],
          description: 'sign_in when absent',
        }),
      ),
    }),
  },
  Done,
)

export const InvalidateRoute = describe(
  { operationId: 'invalidateCache', summary: 'Drop cached answers about the caller, on all nodes', tag },
  { querystring: sessionQuery },
  success({ message: Type.String(), timestamp: Timestamp }),
)

export const ListedSession = Type.Object({
  id: Id,
  sessionPrefix: Type.String({ description: 'tells sessions apart; no part of the value that its holder keeps' }),
  ipAddress: Type.String(),
  userAgent: Type.String(),
  userDevice: Type.String({
    description: 'the `device_id` given at sign-in, else the browser in words, such as "Chrome on macOS"',
  }),
  application: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'origin or app scheme of the application that the sign-in was handed over to',
  }),
  parentId: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'of an application’s session: the session that it was handed over from, and ends with',
  }),
  lastUsedAt: Timestamp,
  createdAt: Timestamp,
  expiresAt: Timestamp,
  status: Type.Unsafe<'pending' | 'active' | 'revoked' | 'expired'>({
    type: 'string',
    enum: ['pending', 'active', 'revoked', 'expired'],
  }),
})

export const Ended = success({ message: Type.String(), data: Type.Object({ ended: Type.Integer() }) })

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
  application: Application,
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
    cached: Type.Boolean({ description: 'false when the database answered' }),
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
  tag: Type.String({ description: 'of this content without the last use; send it in `tags` to hear of changes alone' }),
}

const ValidatedSessions = Type.Object(
  {
    success: Type.Literal(true),
    process: Type.String({ description: 'which process answered, as in the events of /auth/bridge/events' }),
    time: Type.Number({ description: 'milliseconds on the monotonic clock of that process' }),
    results: Type.Array(
      Type.Union([
        Type.Object({ ...ValidatedSession.properties, ...cacheMembers }),
        Type.Object({
          success: Type.Literal(true),
          unchanged: Type.Literal(true, {
            description: 'the session is valid, and only these times may differ from the content of the tag',
          }),
          last_used_at: Timestamp,
          expires_at: Timestamp,
          timestamp: Timestamp,
          age: cacheMembers.age,
        }),
        RefusedSession,
      ]),
      { description: 'one for each of `session_ids`, in their order' },
    ),
  },
  { title: 'ValidatedSessions' },
)

export const BridgeEventsRoute = {
  operationId: 'streamBridgeEvents',
  summary: 'Stream what back ends need to cache sessions',
  description:
    'Server-sent events: `start` (process, time, max_age), `heartbeat` every 300 ms (process, time, age), `revoked` (user_id, ' +
    'epoch) and `missed`. How to use them safely is described in docs/architecture.md.',
  tags: ['Bridge'],
  response: {
    200: {
      description: 'The stream, which ends when the service stops',
      content: { 'text/event-stream': { schema: Type.String() } },
    },
  },
}

export const BridgeValidateRoute = describe(
  {
    operationId: 'validateSessionForBridge',
    errors: ['INVALID_SESSION', 'SESSION_EXPIRED', sessionPending],
    summary: 'Validate one session, or many, for a back end',
    description:
      'The session id comes from the body, else from the query, else from the header X-Session-ID or `Authorization: Bearer`. With `session_ids` up to 500 are validated at once; one that is not valid is then a result, not an error.',
    tag: 'Bridge',
  },
  {
    querystring: sessionQuery,
    body: Type.Object({
      session_id: Type.Optional(Type.String()),
      session_ids: Type.Optional(
        Type.Array(Type.String(), { maxItems: 500, description: 'in place of session_id: several sessions at once' }),
      ),
      tags: Type.Optional(
        Type.Array(Type.String({ maxLength: 64 }), {
          maxItems: 500,
          description: 'with session_ids: what is known of each, as an earlier answer named it, or an empty text',
        }),
      ),
      ...endUserMembers,
    }),
  },
  Type.Unsafe<object>(Type.Union([ValidatedSession, ValidatedSessions])),
)

export const VerifyRoute = describe(
  {
    operationId: 'verifyForGateway',
    errors: ['INVALID_SESSION', sessionPending],
    redirects: { 302: 'To the sign-in page, if the gateway asks for it and the visitor goes to a page.' },
    summary: 'Say who a request is from, for a gateway',
    description:
      'For the check that nginx, Caddy, Traefik and others make before they pass a request on. The session comes from X-Session-ID, `Authorization: Bearer` or the cookie that the gateway forwards. Who it is stands in the headers X-Auth-User-Id, X-Auth-Email, X-Auth-Email-Verified, X-Auth-Name, X-Auth-User-Type, X-Auth-Session-Id, X-Auth-Time and X-Auth-Methods; texts are percent-encoded UTF-8. The session of an application is refused, unless `application` names that application. 401 carries the address to sign in as X-Auth-Login when the visitor goes to a page; with `redirect=true`, or the header `X-Auth-Redirect: true`, it is a 302 to that address.',
    tag: 'Bridge',
  },
  {
    querystring: Type.Object({
      redirect: Type.Optional(
        Type.Boolean({ description: 'redirect visitors who go to a page and are not signed in' }),
      ),
      application: Type.Optional(
        Type.String({
          maxLength: 2048,
          pattern: '^[!-~]*$',
          description:
            'origin or app scheme of the application behind the gateway, such as `https://shop.example`: its sessions are accepted beside those of browsers',
        }),
      ),
    }),
  },
  Type.Unsafe<object>(Type.Object({ success: Type.Literal(true) })),
)

export const VerifyByPostRoute = { ...VerifyRoute, operationId: 'verifyForGatewayByPost' }

/** Path and query belong to the visitor. */
export const VerifyForPathRoute = { summary: 'The same with the path of the visitor behind it', tags: ['Bridge'] }
