import Type from 'typebox'
import { describe, Id, success } from '../../http/responses/schemas.ts'
import { CurrentPasswordBody } from '../../passwords/schemas.ts'
import { bothSpellings, SignInResponse } from '../../sessions/schemas.ts'
import { CreationOptions, PasskeyResponse } from '../../webauthn/schemas.ts'
import { Name, OwnPasskey, RecoveryCodes } from '../passkey-schemas.ts'

const tag = 'Account recovery'
const seconds = Type.Integer({ description: 'seconds' })
const recoveryId = '01a1f9c7-c1cb-7224-b5ca-dee52c4e92cf'

export const SendRecoveryCodeRoute = describe(
  {
    operationId: 'sendRecoveryCode',
    errors: ['NOT_CONFIGURED'],
    summary: 'Start the recovery of an account without a passkey',
    description:
      'Emails a code to the address if it is verified and belongs to an account with recovery codes. The response is ' +
      'always the same.',
    tag,
  },
  {
    body: Type.Object(
      { email: Type.String({ minLength: 1, maxLength: 254 }) },
      { examples: [{ email: 'ada@example.com' }] },
    ),
  },
  success({ message: Type.String(), recovery_id: Id, expires_in: seconds }),
)

export const RecoverRoute = describe(
  {
    operationId: 'startRecovery',
    errors: ['ACCOUNT_BLOCKED', 'INVALID_CODE', 'INVALID_CREDENTIALS', 'NOT_CONFIGURED'],
    sessionCookie: 'set',
    summary: 'Start a session for adding a passkey',
    description:
      'Requires the mailed code and a recovery code; one of them alone is never enough, and neither is consumed ' +
      'without the other. The session is partial: it can only list passkeys, add one and be ended. No other route ' +
      'accepts it.',
    tag,
  },
  {
    body: Type.Object(
      {
        recovery_id: Id,
        code: Type.String({ minLength: 1, maxLength: 64, description: 'the code from the email' }),
        recovery_code: Type.String({ minLength: 1, maxLength: 64 }),
        device_id: Type.Optional(Type.String({ maxLength: 128, description: 'device name chosen by the client' })),
      },
      { examples: [{ recovery_id: recoveryId, code: '271828', recovery_code: 'nyhl-z2dw-sm73g' }] },
    ),
  },
  success({ message: Type.String(), ...bothSpellings, expires_in: seconds }),
)

export const ListForRecoveryRoute = describe(
  {
    operationId: 'listPasskeysForRecovery',
    errors: ['NOT_CONFIGURED'],
    summary: 'List the passkeys of the account to recover',
    description: 'Shows which passkeys are lost. They are removed when a new one is added.',
    tag,
  },
  {},
  success({
    recovery: Type.Boolean({
      description:
        'false if the session began with another sign-in of a user who must have a passkey (PASSKEY_REQUIRED_FOR)',
    }),
    can_add: Type.Boolean({ description: 'false if the user must sign in with a passkey that the account has' }),
    email: Type.String(),
    passkeys: Type.Array(OwnPasskey),
  }),
)

export const StartRecoveryPasskeyRoute = describe(
  {
    operationId: 'startRecoveryPasskey',
    errors: ['NOT_CONFIGURED'],
    summary: 'Get the options for the new passkey',
    description:
      'Pass `options` to navigator.credentials.create and send the result to POST /auth/recovery/passkeys within five ' +
      'minutes.',
    tag,
  },
  {},
  success({ options: CreationOptions, expires_in: seconds }),
)

export const CompleteRecoveryRoute = describe(
  {
    operationId: 'completeRecovery',
    errors: ['INVALID_CODE', 'NOT_CONFIGURED'],
    sessionCookie: 'set',
    summary: 'Add a passkey and sign in',
    description:
      'Adds the passkey, removes lost ones, and makes the session a full session. All other sessions end. If no ' +
      'recovery codes are left, the response contains new ones.',
    tag,
  },
  {
    body: Type.Object(
      {
        response: PasskeyResponse,
        name: Type.Optional(Name),
        remove: Type.Optional(Type.Array(Id, { maxItems: 20, description: 'the ids of lost passkeys' })),
      },
      {
        examples: [
          {
            response: {
              id: 'kP3nZ0xQ9bT7',
              rawId: 'kP3nZ0xQ9bT7',
              type: 'public-key',
              response: { clientDataJSON: 'eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIn0', attestationObject: 'o2NmbXRkbm9uZQ' },
            },
            name: 'My new phone',
          },
        ],
      },
    ),
  },
  Type.Object({ ...SignInResponse.properties, recovery_codes: RecoveryCodes }, { title: 'Recovered' }),
)

export const RegenerateCodesRoute = describe(
  {
    operationId: 'resetRecoveryCodes',
    errors: ['ACCOUNT_LOCKED', 'INVALID_CURRENT_PASSWORD', 'NOT_FOUND', 'REAUTH_REQUIRED'],
    summary: 'Replace your recovery codes',
    description:
      'The earlier codes become invalid, and all other sessions end. Requires a recent sign-in or `current_password`, ' +
      'and a passkey or another second factor.',
    tag,
  },
  { body: CurrentPasswordBody },
  success({ recovery_codes: Type.Array(Type.String()), message: Type.String() }),
)
