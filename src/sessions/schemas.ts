import Type from 'typebox'
import { Done, describe, Id, namedSchema, success, Timestamp } from '../http/replies/schemas.ts'
import { LoginUser, LoginUserWithModules } from '../users/schemas.ts'

export const Flag = Type.Unsafe<0 | 1>({ type: 'integer', enum: [0, 1] })
export const SessionToken = Type.String({ description: 'the session token: ses_ followed by 43 characters' })

export const confirmationSchema = { two_factor_verified: Flag }

const bothSpellings = { sessionId: SessionToken, session_id: SessionToken, expiresAt: Timestamp, expires_at: Timestamp }

const Method = namedSchema(
  'SecondFactor',
  Type.Object({
    id: Id,
    method: Type.String(),
    status: Type.Literal('active'),
    identifier: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'masked email address or phone number',
    }),
  }),
)

export const pendingMembers = {
  available_methods: Type.Optional(Type.Array(Method)),
  verification_sent: Type.Optional(Type.Boolean()),
  expires_in: Type.Optional(Type.Integer({ description: 'seconds' })),
}

export const isSignedIn = Type.Boolean({ description: 'false until the second factor is verified' })

/** If `success` is false, `requires_2fa` is true and the session is partial. */
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
    ...confirmationSchema,
  }),
)

export const SessionApplication = Type.Unsafe<string | null>({
  type: ['string', 'null'],
  description:
    'origin or app scheme of the application that the session was handed over to; null for a browser session. A back ' +
    'end must accept only its own application or, if it shares the cookie, null',
})

export const Impersonator = Type.Unsafe<string | null>({
  type: ['string', 'null'],
  description:
    'id of the superadmin acting as the user; null in all other sessions. If it is set, a back end must reject ' +
    'sensitive changes',
})

export const identityMembers = {
  authenticated_at: Type.String({
    format: 'date-time',
    description: 'time of the last authentication: the sign-in or a later reauthentication',
  }),
  methods: Type.Array(Type.String(), {
    description:
      'authentication methods as defined in RFC 8176: `pwd`, `otp` (a mailed or texted link or code), `swk` (a ' +
      'passkey), and `mfa` after a second factor; a sign-in with another provider adds no value',
  }),
}

const CurrentReply = Type.Object(
  {
    ...SignInReply.properties,
    authenticated_at: Type.Optional(identityMembers.authenticated_at),
    methods: Type.Optional(identityMembers.methods),
    application: Type.Optional(SessionApplication),
    impersonated_by: Type.Optional(Impersonator),
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
    impersonated_by: Type.Optional(Impersonator),
  },
  { title: 'UserMe' },
)

export const sessionQuery = Type.Object({
  session_id: Type.Optional(
    Type.String({ description: 'session token, if it is neither in a header nor in the cookie' }),
  ),
})

const tag = 'Sessions'

export const ValidationRoute = describe(
  {
    operationId: 'validateSession',
    summary: 'Validate the current session',
    description:
      "Returns the caller's user and session. For a partial session, `success` is false and the response lists " +
      'the available second factors. Counts as use of the session.',
    tag,
  },
  { querystring: sessionQuery },
  ValidationReply,
)

export const ValidationPostRoute = describe(
  {
    operationId: 'validateSessionInBody',
    summary: 'Validate a session whose token is in the body',
    description:
      'Like GET, but also accepts the session token as `session_id` in the body. A token in a header or in the ' +
      'query takes precedence.',
    tag,
  },
  { querystring: sessionQuery, body: Type.Object({ session_id: Type.Optional(Type.String()) }) },
  ValidationReply,
)

export const CurrentRoute = describe(
  {
    operationId: 'getSession',
    summary: 'Get the session from the cookie after a sign-in with another provider',
    description:
      'Also returns when and how the user authenticated, and the application that the session belongs to. For a ' +
      'partial session, `success` is false.',
    tag,
  },
  { querystring: sessionQuery },
  CurrentReply,
)

export const MeRoute = describe(
  {
    operationId: 'getCurrentUser',
    summary: 'Get the signed-in user',
    description:
      'Includes the members that installed modules add to users. For a partial session, `success` is false and ' +
      'the response lists the available second factors.',
    tag,
  },
  { querystring: sessionQuery },
  MeReply,
)

export const UserMeRoute = describe(
  {
    operationId: 'getUserForBridge',
    summary: 'Get the signed-in user (for back ends)',
    description:
      "Requires the bridge secret and the user's session, and returns the full user record. With CLIENT_COMPAT, " +
      'the session alone is enough.',
    tag,
  },
  { querystring: sessionQuery },
  UserMeReply,
)

export const RefreshRoute = describe(
  {
    operationId: 'refreshSession',
    sessionCookie: 'set',
    summary: 'Extend the current session',
    description:
      'Restarts the idle lifetime and sets the cookie again. The session still ends SESSION_ABSOLUTE_TTL after ' +
      'sign-in, and its token does not change.',
    tag,
  },
  { querystring: sessionQuery },
  SignInReply,
)

export const LogoutRoute = describe(
  {
    operationId: 'signOut',
    sessionCookie: 'cleared',
    summary: 'Sign out',
    description:
      'For an application session, also ends the browser session it was created from and the sessions of all other ' +
      'applications. `scope=application` ends only the application session.',
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
  {
    operationId: 'invalidateCache',
    summary: "Invalidate the caller's cached sessions on all nodes",
    description:
      "No session ends. The next request of each of the caller's sessions reads the user and the session from " +
      'the database.',
    tag,
  },
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
    description: 'origin or app scheme of the application that the session was handed over to',
  }),
  parentId: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description:
      'for an application session: id of the session it was created from. When that session ends, so does this one',
  }),
  impersonated: Type.Boolean({ description: 'whether a superadmin is acting as the user in this session' }),
  lastUsedAt: Timestamp,
  createdAt: Timestamp,
  expiresAt: Timestamp,
  status: Type.Unsafe<'pending' | 'active' | 'revoked' | 'expired'>({
    type: 'string',
    enum: ['pending', 'active', 'revoked', 'expired'],
  }),
})

export const EndedSessions = success({ message: Type.String(), data: Type.Object({ ended: Type.Integer() }) })
