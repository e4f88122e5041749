import Type from 'typebox'
import { exampleValues } from '../http/responses/examples.ts'
import { Id, namedSchema, success, Timestamp } from '../http/responses/schemas.ts'
import { LoginUser } from '../users/schemas.ts'

export const Flag = Type.Unsafe<0 | 1>({ type: 'integer', enum: [0, 1] })
export const SessionToken = Type.String({ description: 'the session token: ses_ followed by 43 characters' })

export const confirmationSchema = { two_factor_verified: Flag }

export const bothSpellings = {
  sessionId: SessionToken,
  session_id: SessionToken,
  expiresAt: Timestamp,
  expires_at: Timestamp,
}

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
  passkey_required: Type.Optional(
    Type.Literal(true, { description: 'the user must add a passkey: see POST /auth/recovery/passkeys' }),
  ),
}

export const isSignedIn = Type.Boolean({ description: 'false until the second factor is verified' })

/** If `success` is false, `requires_2fa` is true and the session is partial. */
export const SignInResponse = Type.Object(
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

export const SessionApplication = Type.Unsafe<string | null>({
  type: ['string', 'null'],
  description:
    'origin or app scheme of the application that the session was handed over to; null for a browser session. A back ' +
    'end must accept only its own application or, if it shares the cookie, null',
})

export const applicationSchema = {
  application: SessionApplication,
  application_id: Type.Optional(
    Type.String({ ...Id, description: 'id of that application; omitted if the settings declare it' }),
  ),
}

export const ApplicationId = Type.Unsafe<string | null>({
  type: ['string', 'null'],
  description: 'id of the application; null for a browser session, and for applications that the settings declare',
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

export const rolesMembers = {
  roles: Type.Optional(
    Type.Array(Type.String(), {
      description:
        'application roles of the user; omitted if the user has none. With the bridge secret of an application, or in ' +
        'its session, the keys of its roles; otherwise, those of all applications, such as `billing:accountant`',
    }),
  ),
  permissions: Type.Optional(
    Type.Array(Type.String(), {
      description: 'permissions of these roles in order, at most 500; omitted like `roles`',
    }),
  ),
}

const { loginUser, session } = exampleValues
export const signInExample = { success: true, user: loginUser, ...session, requires_2fa: false }

export const sessionQuery = Type.Object({
  session_id: Type.Optional(
    Type.String({ description: 'session token, if it is neither in a header nor in the cookie' }),
  ),
})

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
  applicationId: ApplicationId,
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
