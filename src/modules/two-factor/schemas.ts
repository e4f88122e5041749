import Type from 'typebox'
import { Done, describe, Id, namedSchema, success, Timestamp } from '../../http/responses/schemas.ts'
import { CurrentPassword } from '../../passwords/schemas.ts'
import { pendingMembers, SessionToken } from '../../sessions/schemas.ts'
import { LoginUser } from '../../users/schemas.ts'
import { CreationOptions, PasskeyResponse, RequestOptions } from '../../webauthn/schemas.ts'
import { type WantedAction, wantedActions } from './methods/method.ts'
import type { MethodKind, StoredKind } from './queries.ts'

export const tag = 'Two-factor'
const methodId = '01a1f9c7-c1cb-7224-b5ca-dee52c4e92cf'

export const setupKinds: StoredKind[] = ['email', 'sms', 'totp', 'passkey']
const kinds: readonly string[] = [...setupKinds, 'recovery']
export const isMethodKind = (name: string): name is MethodKind => kinds.includes(name)

export const Kind = Type.Unsafe<MethodKind>({
  type: 'string',
  description: 'email, sms, totp, passkey or recovery',
})
export const enumOf = <Word extends string>(words: readonly Word[], options = {}) =>
  Type.Unsafe<Word>({ type: 'string', enum: words, ...options })

export const Members = (description: string) =>
  Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true, description })

const For = Type.Optional(
  enumOf<WantedAction>(wantedActions, {
    description:
      'action to confirm; optional for a partial session, for which only login is allowed. Application sessions allow ' +
      'only login and reauth',
    examples: ['login'],
  }),
)
const MethodId = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 100, description, examples: [methodId] }))
const Code = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 64, description, examples: ['271828'] }))

const started = {
  method_id: Id,
  method: Kind,
  verification_sent: Type.Boolean({ description: 'whether a code was sent' }),
  expires_in: Type.Integer({ description: 'seconds' }),
  message: Type.String(),
}

export const SetUpMethodRoute = describe(
  {
    operationId: 'setUpTwoFactor',
    errors: ['ACCOUNT_LOCKED', 'INVALID_CODE', 'INVALID_CURRENT_PASSWORD', 'NOT_CONFIGURED', 'REAUTH_REQUIRED'],
    summary: 'Start setting up a second factor',
    description:
      'The factor becomes active when POST /auth/two_factor/verify accepts a code from it with the setup action. ' +
      'Only this request returns the seed of an authenticator. Requires a recent sign-in or `current_password`. If ' +
      'a second factor is enabled, the session must also have been confirmed with it. Otherwise, returns ' +
      'REAUTH_REQUIRED.',
    tag,
  },
  {
    params: Type.Object({ method: enumOf<StoredKind>(setupKinds) }),
    body: Type.Object(
      {
        identifier: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: 254,
            description: "email address or phone number; default: the account's",
            aliases: ['email', 'phone'],
            examples: ['ada@example.com'],
          }),
        ),
        name: Type.Optional(Type.String({ minLength: 1, maxLength: 64, examples: ['My phone'] })),
        current_password: CurrentPassword,
      },
      { examples: [{ identifier: 'ada@example.com' }] },
    ),
  },
  success({
    ...started,
    status: Type.Literal('pending_setup'),
    secret: Type.Optional(Type.String({ description: 'authenticator seed in base32' })),
    otpauth_url: Type.Optional(Type.String()),
    qr_svg: Type.Optional(Type.String({ description: 'the `otpauth` URL as a QR code' })),
    options: Type.Optional(CreationOptions),
  }),
)

export const StartFactorRoute = describe(
  {
    operationId: 'startTwoFactor',
    errors: ['FORBIDDEN', 'INVALID_CODE', 'NOT_CONFIGURED', 'NOT_FOUND', 'REAUTH_REQUIRED', 'TWO_FACTOR_REQUIRED'],
    summary: 'Send or resend a code',
    description:
      'A new code invalidates the previous one. If the limit for sent codes is reached, no code is sent, and the ' +
      'previous code stays valid. Authenticator apps and recovery codes do not need this request.',
    tag,
  },
  {
    params: Type.Object({ method: enumOf<MethodKind>([...setupKinds, 'recovery']) }),
    body: Type.Object(
      { method_id: MethodId("default: the user's default method of this kind"), action: For },
      { examples: [{ action: 'login' }] },
    ),
  },
  success({ ...started, options: Type.Optional(Type.Union([RequestOptions, CreationOptions])) }),
)

const FactorUser = namedSchema(
  'FactorUser',
  Type.Object({ id: Id, email: Type.String(), name: Type.String(), two_factor: Type.Boolean() }),
)

export const VerifyFactorRoute = describe(
  {
    operationId: 'verifyTwoFactor',
    errors: [
      'FORBIDDEN',
      'INVALID_CODE',
      'NOT_FOUND',
      'REAUTH_REQUIRED',
      'TWO_FACTOR_NO_METHOD',
      'TWO_FACTOR_REQUIRED',
    ],
    sessionCookie: 'set',
    summary: 'Verify a second factor',
    description:
      'With a partial session, this completes the sign-in: the session becomes a full session, and its token can ' +
      'change. With a full session, `action` specifies the action to confirm. Five wrong codes end a partial ' +
      'session. An account allows ten wrong codes per 15 minutes.',
    tag,
  },
  {
    body: Type.Object(
      {
        code: Code('six-digit code or recovery code'),
        response: Type.Optional(PasskeyResponse),
        method_id: MethodId('default: the default method'),
        method: Type.Optional(
          Type.String({ minLength: 1, maxLength: 20, description: 'method kind, as an alternative to method_id' }),
        ),
        action: For,
        remember_device: Type.Optional(
          Type.Boolean({
            description: 'whether to skip the second factor in this browser for the duration of TWO_FACTOR_REMEMBER',
            examples: [true],
          }),
        ),
      },
      { examples: [{ code: '271828', action: 'login' }] },
    ),
  },
  success({
    verified: Type.Literal(true),
    session_activated: Type.Boolean(),
    passkey_required: pendingMembers.passkey_required,
    method: Kind,
    message: Type.String(),
    user: Type.Union([LoginUser, FactorUser]),
    sessionId: Type.Optional(SessionToken),
    session_id: Type.Optional(SessionToken),
    expiresAt: Type.Optional(Timestamp),
    expires_at: Type.Optional(Timestamp),
    method_id: Type.Optional(Id),
    status: Type.Optional(Type.Literal('active')),
    recovery_codes: Type.Optional(
      Type.Array(Type.String(), {
        description: 'present only when the first method becomes active; the codes are not returned again',
      }),
    ),
    verification_valid_for: Type.Optional(Type.Integer({ description: 'seconds' })),
  }),
)

const verification = {
  verification_code: Code('code from an active method, or a recovery code'),
  verification_method_id: MethodId("id of the code's method; default: the user's default method"),
}

export const ToggleRoute = describe(
  {
    operationId: 'toggleTwoFactor',
    errors: [
      'ACCOUNT_LOCKED',
      'INVALID_CODE',
      'INVALID_CURRENT_PASSWORD',
      'NOT_FOUND',
      'REAUTH_REQUIRED',
      'TWO_FACTOR_CODE_REQUIRED',
      'TWO_FACTOR_NO_METHOD',
    ],
    summary: 'Enable or disable two-factor sign-in',
    description:
      'Enabling requires an active method and a recent sign-in or `current_password`. Disabling requires a code, or ' +
      'a recent confirmation with the toggle action. Without either, a code is sent to the default method.',
    tag,
  },
  {
    body: Type.Object(
      {
        enabled: Type.Boolean({ aliases: ['two_factor_enabled'], examples: [true] }),
        ...verification,
        current_password: CurrentPassword,
      },
      { examples: [{ enabled: true, verification_code: '271828' }] },
    ),
  },
  success({
    two_factor: Type.Boolean(),
    two_factor_enabled: Type.Boolean(),
    active_methods: Type.Array(Kind),
    message: Type.String(),
  }),
)

export const RemoveRoute = describe(
  {
    operationId: 'removeTwoFactorMethod',
    errors: [
      'INVALID_CODE',
      'LAST_SIGN_IN_METHOD',
      'NOT_FOUND',
      'REAUTH_REQUIRED',
      'TWO_FACTOR_CODE_REQUIRED',
      'TWO_FACTOR_NO_METHOD',
    ],
    summary: 'Remove a second factor',
    description:
      'Removing an active factor requires a code from another active factor (or from the same factor if it is the ' +
      'only one), a recovery code, or a recent confirmation with the remove action. Removing the last factor ' +
      'disables two-factor sign-in.',
    tag,
  },
  {
    params: Type.Object({ method_id: Type.String() }),
    body: Type.Object(verification, { examples: [{ verification_code: '271828' }] }),
  },
  Done,
)
