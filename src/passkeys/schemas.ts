import Type from 'typebox'
import { Done, describe, Id, namedSchema, success, Timestamp } from '../http/responses/schemas.ts'
import { CurrentPassword } from '../passwords/schemas.ts'
import { SignInResponse } from '../sessions/schemas.ts'
import { CreationOptions, PasskeyResponse, RequestOptions } from '../webauthn/schemas.ts'
import { Name, OwnPasskey, RecoveryCodes } from './passkey-schemas.ts'

const tag = 'Sign-in'

export const PasskeyOptionsRoute = describe(
  {
    operationId: 'startPasskeySignIn',
    errors: ['NOT_CONFIGURED'],
    summary: 'Start a sign-in with a passkey',
    description:
      'Pass `options` to the browser, and send its response with `challenge_id` to POST /auth/passkey/login.',
    tag,
  },
  {},
  success({
    challenge_id: Id,
    options: RequestOptions,
    expires_in: Type.Integer({ description: 'seconds' }),
  }),
)

export const PasskeyLoginRoute = describe(
  {
    operationId: 'signInWithPasskey',
    errors: ['ACCOUNT_BLOCKED', 'EMAIL_NOT_VERIFIED', 'INVALID_CREDENTIALS', 'NOT_CONFIGURED'],
    sessionCookie: 'set',
    summary: 'Sign in with a passkey',
    description:
      'A passkey whose authenticator has verified the user counts as two factors and creates a full session. The ' +
      'error is the same for unknown passkeys and wrong responses.',
    tag,
  },
  {
    body: Type.Object(
      {
        challenge_id: Type.String({ minLength: 1, maxLength: 64 }),
        response: PasskeyResponse,
        device_id: Type.Optional(Type.String({ maxLength: 128, description: 'device name chosen by the client' })),
      },
      {
        examples: [
          {
            challenge_id: 'x7Qm2vTqk0hZ8n4cW1rJ9s',
            response: {
              id: 'kP3nZ0xQ9bT7',
              rawId: 'kP3nZ0xQ9bT7',
              type: 'public-key',
              response: {
                clientDataJSON: 'eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0',
                authenticatorData: 'SZYN5YgO',
                signature: 'MEUCIQDx',
              },
            },
          },
        ],
      },
    ),
  },
  SignInResponse,
)

const Signal = namedSchema(
  'PasskeySignal',
  Type.Object(
    {
      rp_id: Type.String(),
      user_id: Type.String({ description: 'user handle, base64url' }),
      credential_ids: Type.Array(Type.String({ description: 'base64url' })),
      name: Type.String(),
      display_name: Type.String(),
    },
    {
      description:
        'for signalAllAcceptedCredentials and signalCurrentUserDetails; null while a passkey is being created, ' +
        'because the list would be incomplete, and for application sessions',
    },
  ),
)

const accountTag = 'Passkeys'

export const ListPasskeysRoute = describe(
  {
    operationId: 'listPasskeys',
    summary: 'List your passkeys',
    description:
      'Pass `signal` to the Signal API of the browser, only on a page whose origin belongs to the relying party.',
    tag: accountTag,
  },
  {},
  success({
    passkeys: Type.Array(OwnPasskey),
    signal: Type.Union([Signal, Type.Null()]),
    recovery_codes: Type.Union(
      [Type.Object({ remaining: Type.Integer(), created_at: Timestamp }, { title: 'RecoveryCodeCount' }), Type.Null()],
      { description: 'null if the user has received no recovery codes' },
    ),
  }),
)

export const StartAddingRoute = describe(
  {
    operationId: 'startPasskey',
    errors: ['ACCOUNT_LOCKED', 'INVALID_CURRENT_PASSWORD', 'NOT_CONFIGURED', 'REAUTH_REQUIRED'],
    summary: 'Start adding a passkey, or confirming your identity with one',
    description:
      'With the action `add`, pass `options` to navigator.credentials.create and send the result to POST ' +
      '/auth/passkeys within five minutes. Requires a recent sign-in or `current_password`. With `reauth`, pass them ' +
      'to navigator.credentials.get and send the result to POST /auth/reauthenticate.',
    tag: accountTag,
  },
  {
    body: Type.Object(
      {
        action: Type.Optional(
          Type.Unsafe<'add' | 'reauth'>({ type: 'string', enum: ['add', 'reauth'], default: 'add' }),
        ),
        current_password: CurrentPassword,
      },
      { examples: [{ action: 'add' }] },
    ),
  },
  success({
    options: Type.Union([CreationOptions, RequestOptions]),
    expires_in: Type.Integer({ description: 'seconds' }),
  }),
)

const responseExample = {
  id: 'kP3nZ0xQ9bT7',
  rawId: 'kP3nZ0xQ9bT7',
  type: 'public-key' as const,
  response: { clientDataJSON: 'eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIn0', attestationObject: 'o2NmbXRkbm9uZQ' },
}

export const AddPasskeyRoute = describe(
  {
    operationId: 'addPasskey',
    errors: ['INVALID_CODE', 'NOT_CONFIGURED', 'REAUTH_REQUIRED'],
    summary: 'Add a passkey to your account',
    description: 'A user has at most 20 passkeys.',
    tag: accountTag,
  },
  {
    body: Type.Object(
      { response: PasskeyResponse, name: Type.Optional(Name) },
      { examples: [{ response: responseExample, name: 'My phone' }] },
    ),
  },
  success({
    id: Id,
    message: Type.String(),
    recovery_codes: RecoveryCodes,
  }),
)

export const StartUpgradeRoute = describe(
  {
    operationId: 'startPasskeyUpgrade',
    errors: ['FORBIDDEN', 'NOT_CONFIGURED', 'PASSWORDS_DISABLED'],
    summary: 'Start creating a passkey without asking the user',
    description:
      'Pass `options` to navigator.credentials.create with `mediation: "conditional"`, and send the result to POST ' +
      '/auth/passkeys. Allowed for five minutes after a sign-in with a password, in the same session. If the account ' +
      'uses a second factor, the session must be confirmed by one. The passkey becomes a sign-in method and a second ' +
      'factor when its authenticator has verified the user for the first time.',
    tag: accountTag,
  },
  {},
  success({ options: CreationOptions, expires_in: Type.Integer({ description: 'seconds' }) }),
)

export const PasskeyOfferRoute = describe(
  {
    operationId: 'requestPasskeyOffer',
    summary: 'Ask whether to offer the user a passkey now',
    description:
      'Call this after a sign-in with a password. `offer` is true at most once in 30 days per user, and only if the ' +
      'user has no passkey. Then offer one, and add it with POST /auth/passkeys/options. The user can decline.',
    tag: accountTag,
  },
  {},
  success({ offer: Type.Boolean() }),
)

const params = Type.Object({ passkey_id: Id })

export const RenamePasskeyRoute = describe(
  {
    operationId: 'updatePasskey',
    errors: ['NOT_FOUND'],
    summary: 'Rename one of your passkeys',
    description: 'The name is shown only to the user. By default, it is the name of the authenticator, if it is known.',
    tag: accountTag,
  },
  { params, body: Type.Object({ name: Name }, { examples: [{ name: 'My phone' }] }) },
  Done,
)

export const RemovePasskeyRoute = describe(
  {
    operationId: 'removePasskey',
    errors: [
      'ACCOUNT_LOCKED',
      'INVALID_CODE',
      'INVALID_CURRENT_PASSWORD',
      'LAST_SIGN_IN_METHOD',
      'NOT_FOUND',
      'REAUTH_REQUIRED',
    ],
    summary: 'Remove one of your passkeys',
    description:
      'Ends all other sessions. Requires a recent sign-in or `current_password`. If the account uses a second factor, ' +
      'the request must contain a proof of one: `code`, or the `response` to a challenge for the action `reauth`. The ' +
      'only sign-in method cannot be removed.',
    tag: accountTag,
  },
  {
    params,
    body: Type.Object(
      {
        current_password: CurrentPassword,
        code: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
        method_id: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
        response: Type.Optional(PasskeyResponse),
      },
      { examples: [{ current_password: 'seven quiet river stones' }] },
    ),
  },
  Done,
)
