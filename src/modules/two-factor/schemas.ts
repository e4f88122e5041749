import Type from 'typebox'
import { Done, describe, Id, NullableString, named, success, Timestamp } from '../../http/replies/schemas.ts'
import { CurrentPassword } from '../../passwords/schemas.ts'
import { Bearer } from '../../sessions/schemas.ts'
import { LoginUser } from '../../users/schemas.ts'
import { type WantedAction, wantedActions } from './methods/method.ts'
import { CreationOptions, PasskeyResponse, RequestOptions } from './passkeys/schemas.ts'
import type { MethodKind, StoredKind } from './queries.ts'

const tag = 'Two-factor'
const methodId = '01a1f9c7-c1cb-7224-b5ca-dee52c4e92cf'

export const setupKinds: StoredKind[] = ['email', 'sms', 'totp', 'passkey']

const Kind = Type.String({ description: 'email, sms, totp, passkey or recovery' })
const oneOf = <Word extends string>(words: readonly Word[], options = {}) =>
  Type.Unsafe<Word>({ type: 'string', enum: words, ...options })

const Members = (description: string) =>
  Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true, description })

const For = Type.Optional(
  oneOf<WantedAction>(wantedActions, {
    description: 'what the proof is for; a partial session needs it for login alone, and may leave it out',
    examples: ['login'],
  }),
)
const MethodId = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 100, description, examples: [methodId] }))
const Code = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 64, description, examples: ['271828'] }))

export const SystemRoute = describe(
  { operationId: 'getTwoFactorSystem', summary: 'What two-factor sign-in offers here', tag },
  {},
  success({
    global_two_factor_enabled: Type.Boolean(),
    available_methods: Type.Array(Kind, { description: 'what can be set up' }),
  }),
)

export const MethodsRoute = describe(
  {
    operationId: 'listTwoFactorMethods',
    summary: 'Your second factors',
    description: 'Recovery codes appear once, all together.',
    tag,
  },
  {},
  success({
    methods: Type.Array(
      Type.Object({
        id: Id,
        method: Kind,
        status: oneOf(['pending_setup', 'active'] as const),
        identifier: NullableString,
        last_used_at: Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'date-time' }),
        created_at: Timestamp,
        metadata: Members('what else its owner sees of it'),
      }),
    ),
  }),
)

const begun = {
  method_id: Id,
  method: Kind,
  verification_sent: Type.Boolean({ description: 'whether a code is on its way' }),
  expires_in: Type.Integer({ description: 'seconds' }),
  message: Type.String(),
}

export const SetupRoute = describe(
  {
    operationId: 'setUpTwoFactor',
    errors: ['ACCOUNT_LOCKED', 'INVALID_CODE', 'INVALID_CURRENT_PASSWORD', 'NOT_CONFIGURED', 'REAUTH_REQUIRED'],
    summary: 'Begin to set up a second factor',
    description:
      'It counts once POST /auth/two_factor/verify has taken a code of it with the action setup. The seed of an ' +
      'authenticator is shown in this reply and never again. Needs recent proof, or `current_password`; and while a second ' +
      'factor is asked for, a session that one has confirmed, else REAUTH_REQUIRED.',
    tag,
  },
  {
    params: Type.Object({ method: oneOf<StoredKind>(setupKinds) }),
    body: Type.Object({
      identifier: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 254,
          description: 'address or phone number; that of the account when absent',
          aliases: ['email', 'phone'],
          examples: ['ada@example.com'],
        }),
      ),
      name: Type.Optional(Type.String({ minLength: 1, maxLength: 64, examples: ['My phone'] })),
      current_password: CurrentPassword,
    }),
  },
  success({
    ...begun,
    status: Type.Literal('pending_setup'),
    secret: Type.Optional(Type.String({ description: 'base32, of an authenticator' })),
    otpauth_url: Type.Optional(Type.String()),
    qr_svg: Type.Optional(Type.String({ description: 'the same as a picture' })),
    options: Type.Optional(CreationOptions),
  }),
)

export const StartRoute = describe(
  {
    operationId: 'startTwoFactor',
    errors: ['INVALID_CODE', 'NOT_CONFIGURED', 'NOT_FOUND', 'TWO_FACTOR_REQUIRED'],
    summary: 'Send a code, or send it again',
    description:
      'A new code is the end of the one before. Over the cap nothing is sent, and the code before stays valid. ' +
      'Authenticators and recovery codes need no start.',
    tag,
  },
  {
    params: Type.Object({ method: oneOf<MethodKind>([...setupKinds, 'recovery']) }),
    body: Type.Object({ method_id: MethodId('the default method of the kind when absent'), action: For }),
  },
  success({
    ...begun,
    options: Type.Optional(Type.Union([RequestOptions, CreationOptions])),
  }),
)

const FactorUser = named(
  'FactorUser',
  Type.Object({ id: Id, email: Type.String(), name: Type.String(), two_factor: Type.Boolean() }),
)

export const VerifyRoute = describe(
  {
    operationId: 'verifyTwoFactor',
    errors: ['INVALID_CODE', 'NOT_FOUND', 'REAUTH_REQUIRED', 'TWO_FACTOR_NO_METHOD', 'TWO_FACTOR_REQUIRED'],
    sessionCookie: 'set',
    summary: 'Show a second factor',
    description:
      'With a partial session this is the end of the sign-in: the session becomes a full one, and its value may change. ' +
      'With a full session `action` says what the proof is for. Five wrong codes end a partial session, ten in 15 ' +
      'minutes are all that an account is shown.',
    tag,
  },
  {
    body: Type.Object({
      code: Code('six digits, or a recovery code'),
      response: Type.Optional(PasskeyResponse),
      method_id: MethodId('the default method when absent'),
      method: Type.Optional(Type.String({ minLength: 1, maxLength: 20, description: 'in place of the id' })),
      action: For,
      remember_device: Type.Optional(
        Type.Boolean({
          description: 'not to be asked again in this browser for a while, where TWO_FACTOR_REMEMBER allows it',
          examples: [true],
        }),
      ),
    }),
  },
  success({
    verified: Type.Literal(true),
    session_activated: Type.Boolean(),
    method: Kind,
    message: Type.String(),
    user: Type.Union([LoginUser, FactorUser]),
    sessionId: Type.Optional(Bearer),
    session_id: Type.Optional(Bearer),
    expiresAt: Type.Optional(Timestamp),
    expires_at: Type.Optional(Timestamp),
    method_id: Type.Optional(Id),
    status: Type.Optional(Type.Literal('active')),
    recovery_codes: Type.Optional(Type.Array(Type.String(), { description: 'with the first method; shown once' })),
    verification_valid_for: Type.Optional(Type.Integer({ description: 'seconds' })),
  }),
)

const verification = {
  verification_code: Code('of an active method, or a recovery code'),
  verification_method_id: MethodId('which method the code is of; the default one when absent'),
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
    summary: 'Switch the second factor on or off',
    description:
      'On needs an active method, and recent proof or `current_password`. Off needs a code, or a proof with the action ' +
      'toggle a short while ago; without one a code is sent to the default method.',
    tag,
  },
  {
    body: Type.Object({
      enabled: Type.Boolean({ aliases: ['two_factor_enabled'], examples: [true] }),
      ...verification,
      current_password: CurrentPassword,
    }),
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
    errors: ['INVALID_CODE', 'NOT_FOUND', 'TWO_FACTOR_CODE_REQUIRED', 'TWO_FACTOR_NO_METHOD'],
    summary: 'Remove a second factor',
    description:
      'An active one needs a code of another active one, of itself when it is the only one, or a recovery code; or a proof ' +
      'with the action remove a short while ago. With the last one the second factor is off.',
    tag,
  },
  { params: Type.Object({ id: Type.String() }), body: Type.Object(verification) },
  Done,
)

export const RegenerateRoute = describe(
  {
    operationId: 'regenerateRecoveryCodes',
    errors: ['ACCOUNT_LOCKED', 'INVALID_CODE', 'INVALID_CURRENT_PASSWORD', 'REAUTH_REQUIRED', 'TWO_FACTOR_NO_METHOD'],
    summary: 'Get new recovery codes',
    description:
      'The ones before are dead, all other sessions end, and a mail tells of it. Needs recent proof, or ' +
      '`current_password`; and while a second factor is asked for, a session that one has confirmed, else REAUTH_REQUIRED.',
    tag,
  },
  { body: Type.Object({ current_password: CurrentPassword }) },
  success({ recovery_codes: Type.Array(Type.String()), message: Type.String() }),
)
