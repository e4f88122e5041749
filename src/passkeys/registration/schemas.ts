import Type from 'typebox'
import { describe, Id, success } from '../../http/responses/schemas.ts'
import { SignInResponse } from '../../sessions/schemas.ts'
import { CreationOptions, PasskeyResponse } from '../../webauthn/schemas.ts'
import { RecoveryCodes } from '../passkey-schemas.ts'

const tag = 'Registration'

export const SendRegistrationCodeRoute = describe(
  {
    operationId: 'sendRegistrationCode',
    errors: ['NOT_CONFIGURED', 'REGISTRATION_DISABLED'],
    summary: 'Start a registration with a passkey',
    description:
      'Emails a code to the address, whatever VERIFY_REGISTRATION says. If the address is taken, its owner receives ' +
      'another email, and the response is the same.',
    tag,
  },
  {
    body: Type.Object(
      { email: Type.String({ minLength: 1, maxLength: 254 }) },
      { examples: [{ email: 'ada@example.com' }] },
    ),
  },
  success({
    message: Type.String(),
    registration_id: Id,
    expires_in: Type.Integer({ description: 'seconds' }),
  }),
)

export const StartRegistrationRoute = describe(
  {
    operationId: 'startPasskeyRegistration',
    errors: ['INVALID_CODE', 'NOT_CONFIGURED', 'REGISTRATION_DISABLED'],
    summary: 'Get the options for the first passkey',
    description:
      'Pass `options` to navigator.credentials.create, and send its response with `registration_id` to POST ' +
      '/auth/register/passkey. Until then, the code stays valid, so the request can be repeated.',
    tag,
  },
  {
    body: Type.Object(
      { registration_id: Id, code: Type.String({ minLength: 1, maxLength: 64 }) },
      { examples: [{ registration_id: '01a1f9c7-c1cb-7224-b5ca-dee52c4e92cf', code: '271828' }] },
    ),
  },
  success({ options: CreationOptions, expires_in: Type.Integer({ description: 'seconds' }) }),
)

const text = (description: string) => Type.Optional(Type.String({ maxLength: 100, description }))

export const RegisterPasskeyRoute = describe(
  {
    operationId: 'registerWithPasskey',
    errors: [
      'ACCOUNT_BLOCKED',
      'EMAIL_TAKEN',
      'INVALID_CODE',
      'INVALID_CREDENTIALS',
      'NOT_CONFIGURED',
      'REGISTRATION_DISABLED',
      'REGISTRATION_REFUSED',
    ],
    sessionCookie: 'set',
    summary: 'Register with a passkey',
    description: 'Creates a verified user with the role customer and without a password, and signs the user in.',
    tag,
  },
  {
    body: Type.Object(
      {
        registration_id: Id,
        response: PasskeyResponse,
        name: text('first name'),
        last_name: text('last name'),
        device_id: Type.Optional(Type.String({ maxLength: 128, description: 'device name chosen by the client' })),
      },
      {
        examples: [
          {
            registration_id: '01a1f9c7-c1cb-7224-b5ca-dee52c4e92cf',
            response: {
              id: 'kP3nZ0xQ9bT7',
              rawId: 'kP3nZ0xQ9bT7',
              type: 'public-key',
              response: { clientDataJSON: 'eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIn0', attestationObject: 'o2NmbXRkbm9uZQ' },
            },
            name: 'Ada',
          },
        ],
      },
    ),
  },
  Type.Object(
    {
      ...SignInResponse.properties,
      recovery_codes: RecoveryCodes,
      passkey_synced: Type.Optional(
        Type.Boolean({
          description: 'whether a password manager can keep a copy of the passkey; if not, suggest a second passkey',
        }),
      ),
    },
    { title: 'RegisteredWithPasskey' },
  ),
)
