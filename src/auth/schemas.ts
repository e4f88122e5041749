import Type from 'typebox'
import { exampleValues, withExample } from '../http/responses/examples.ts'
import { describe, Id, success, Timestamp } from '../http/responses/schemas.ts'
import { SignInFlowMember } from '../one-time-tokens/schemas.ts'
import { passwordText } from '../passwords/schemas.ts'
import { pendingMembers, SignInResponse, signInExample } from '../sessions/schemas.ts'
import { RegisteredUser } from '../users/schemas.ts'

const Identifier = (aliases: string[] = []) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 254, description: 'an email address or a user name', aliases }))

export const LoginRoute = describe(
  {
    operationId: 'signIn',
    errors: ['ACCOUNT_BLOCKED', 'ACCOUNT_LOCKED', 'EMAIL_NOT_VERIFIED', 'INVALID_CREDENTIALS'],
    sessionCookie: 'set',
    summary: 'Sign in with an email address or user name and a password',
    description: 'Either `email` or `user_name` is required. Both accept an email address or a user name.',
    tag: 'Sign-in',
  },
  {
    body: Type.Object(
      {
        email: Identifier(),
        user_name: Identifier(['identifier']),
        password: Type.String({ ...passwordText, description: '1 to 256 characters; not trimmed' }),
        device_id: Type.Optional(Type.String({ maxLength: 128, description: 'device name chosen by the client' })),
      },
      { examples: [{ email: 'ada@example.com', password: 'seven quiet river stones' }] },
    ),
  },
  withExample(SignInResponse, { ...signInExample, message: 'Signed in' }),
)

const text = (description: string, maxLength = 2048) => Type.Optional(Type.String({ maxLength, description }))

const { id, session } = exampleValues
const { picture: _picture, two_factor: _factor, ...user } = exampleValues.user

export const RegisterRoute = describe(
  {
    operationId: 'register',
    errors: [
      'EMAIL_TAKEN',
      'INVALID_CREDENTIALS',
      'PHONE_TAKEN',
      'REGISTRATION_DISABLED',
      'REGISTRATION_REFUSED',
      'USER_NAME_TAKEN',
      'WEAK_PASSWORD',
    ],
    sessionCookie: 'set',
    summary: 'Register',
    description:
      'Creates a user with the role customer. Members not listed here are ignored. Unless VERIFY_REGISTRATION is ' +
      'set, the response contains a session.',
    tag: 'Registration',
  },
  {
    body: Type.Object(
      {
        email: Type.String({ minLength: 1, maxLength: 254 }),
        password: Type.String(passwordText),
        name: text('first name', 100),
        last_name: text('last name', 100),
        user_name: text('3 to 32 letters, digits, dots, hyphens or underscores; generated if absent'),
        phone: text('international format'),
        lang: text('BCP 47, such as es-MX'),
        picture: text('an https URL'),
        tmz: text('IANA time zone'),
        flow: SignInFlowMember,
      },
      {
        examples: [
          { email: 'ada@example.com', password: 'seven quiet river stones', name: 'Ada', last_name: 'Lovelace' },
        ],
      },
    ),
  },
  withExample(
    success({
      message: Type.String(),
      user: Type.Optional(SignInResponse.properties.user),
      sessionId: Type.Optional(Type.String()),
      session_id: Type.Optional(Type.String()),
      expiresAt: Type.Optional(Timestamp),
      expires_at: Type.Optional(Timestamp),
      requires_2fa: Type.Optional(Type.Boolean()),
      passkey_required: pendingMembers.passkey_required,
      data: Type.Object({
        id: Type.Optional(Id),
        user: Type.Object({ ...RegisteredUser.properties, id: Type.Optional(Id) }),
        sessionId: Type.Optional(Type.String()),
        session_id: Type.Optional(Type.String()),
        expiresAt: Type.Optional(Timestamp),
        expires_at: Type.Optional(Timestamp),
      }),
    }),
    { ...signInExample, message: 'Registered', data: { id, user, ...session } },
  ),
)
