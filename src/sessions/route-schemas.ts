import Type from 'typebox'
import { exampleValues, withExample } from '../http/responses/examples.ts'
import { Done, describe, Id, namedSchema, success, Timestamp } from '../http/responses/schemas.ts'
import { LoginUserWithModules } from '../users/schemas.ts'
import {
  applicationSchema,
  bothSpellings,
  confirmationSchema,
  Impersonator,
  identityMembers,
  isSignedIn,
  pendingMembers,
  rolesMembers,
  SessionToken,
  SignInResponse,
  sessionQuery,
  signInExample,
} from './schemas.ts'

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

const CurrentResponse = Type.Object(
  {
    ...SignInResponse.properties,
    authenticated_at: Type.Optional(identityMembers.authenticated_at),
    methods: Type.Optional(identityMembers.methods),
    session: Type.Optional(
      Type.Object(
        { ...applicationSchema, impersonatedBy: Impersonator },
        { description: 'the members that the bridge returns, too; absent for a partial session' },
      ),
    ),
    application: Type.Optional(applicationSchema.application),
    application_id: applicationSchema.application_id,
    ...rolesMembers,
    impersonated_by: Type.Optional(Impersonator),
  },
  { title: 'CurrentSession' },
)

const ValidationResponse = Type.Object({ ...SignInResponse.properties, session: SessionInfo }, { title: 'Validation' })

const MeResponse = Type.Object(
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

const UserMeResponse = Type.Object(
  {
    success: isSignedIn,
    user: LoginUserWithModules,
    sessionId: SessionToken,
    expiresAt: Timestamp,
    ...rolesMembers,
    requires_2fa: Type.Optional(Type.Boolean()),
    available_methods: pendingMembers.available_methods,
    data: Type.Optional({ ...LoginUserWithModules, description: 'only with CLIENT_COMPAT' }),
    impersonated_by: Type.Optional(Impersonator),
  },
  { title: 'UserMe' },
)

const { id, time, expiresAt, loginUser, session } = exampleValues

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
  withExample(ValidationResponse, {
    ...signInExample,
    session: {
      id,
      user_id: id,
      userId: id,
      expiresAt,
      expires_at: expiresAt,
      lastUsedAt: time,
      two_factor_verified: 0,
    },
  }),
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
  {
    querystring: sessionQuery,
    body: Type.Object(
      { session_id: Type.Optional(Type.String()) },
      { examples: [{ session_id: 'ses_7fJx2kQmZt9wB4nVc8LpRs1yDh5aGe3uKo6iXqT0zMA' }] },
    ),
  },
  ValidationResponse,
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
  CurrentResponse,
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
  withExample(MeResponse, { ...signInExample, data: { user: loginUser } }),
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
  withExample(UserMeResponse, { success: true, user: loginUser, sessionId: session.sessionId, expiresAt }),
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
  withExample(SignInResponse, { ...signInExample, message: 'Session extended' }),
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
  withExample(Done, { success: true, message: 'Logged out' }),
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
