import Type from 'typebox'
import { exampleValues, withExample } from '../http/responses/examples.ts'
import { Done, describe, namedSchema, type RouteText, success } from '../http/responses/schemas.ts'
import { passwordText } from '../passwords/schemas.ts'
import { EndedSessions } from '../sessions/schemas.ts'
import { AdminUser } from '../users/schemas.ts'
import { type UserMessage, userMessages } from './send-message.ts'

export const tag = 'Administration'

const text = (description: string, example: string, maxLength = 2048) =>
  Type.Optional(Type.String({ maxLength, description, examples: [example] }))

export const aUser = { params: Type.Object({ user_id: Type.String() }) }

export const withMembers = { additionalProperties: true, description: "in addition to the user's members" }

const OneUser = namedSchema('UserReply', success({ data: Type.Object({ user: AdminUser }) }))
const DeprecatedUserResponse = success({ data: Type.Object({ user: AdminUser }, withMembers) })

const members = {
  name: text('first name', 'Ada', 100),
  last_name: text('last name', 'Lovelace', 100),
  user_name: text('3 to 32 letters, digits, dots, hyphens or underscores', 'ada'),
  phone: text('international format, or the national format of DEFAULT_PHONE_REGION', '+447700900123'),
  title: text('form of address', 'Dr.', 100),
  user_type: text('a built-in user type, one of USER_TYPES, or the key of a role', 'writer', 100),
}

const creation = {
  body: Type.Object(
    {
      email: Type.String({ minLength: 1, maxLength: 254, examples: ['ada@example.com'] }),
      password: Type.Optional(
        Type.String({ ...passwordText, description: 'required without send_invite if PASSWORDS_ENABLED is true' }),
      ),
      send_invite: Type.Optional(
        Type.Boolean({
          description: 'emails the user a link to set a password, or to sign in if PASSWORDS_ENABLED is false',
          examples: [true],
        }),
      ),
      ...members,
      lang: text('BCP 47 tag of the language for emails; default: DEFAULT_LANG', 'es-MX'),
      is_verified: Type.Optional(
        Type.Boolean({
          description: 'default: true; with send_invite, false until the invitation is opened',
          examples: [true],
        }),
      ),
    },
    { examples: [{ email: 'ada@example.com', name: 'Ada', send_invite: true }] },
  ),
}
const toCreate: RouteText = {
  operationId: 'createUser',
  errors: ['EMAIL_TAKEN', 'PHONE_TAKEN', 'USER_NAME_TAKEN', 'WEAK_PASSWORD'],
  summary: 'Create a user',
  description: 'Only a superadmin can create a superadmin.',
  tag,
}
export const CreateUserRoute = describe(
  toCreate,
  creation,
  withExample(OneUser, { success: true, data: { user: exampleValues.adminUser } }),
)
export const DeprecatedCreateUserRoute = describe(toCreate, creation, DeprecatedUserResponse)

const update = {
  ...aUser,
  body: Type.Object(
    {
      ...members,
      email: Type.Optional(
        Type.String({
          maxLength: 254,
          description: 'only the current email address is accepted; other values are rejected',
        }),
      ),
      is_verified: Type.Optional(Type.Boolean({ examples: [true] })),
      two_factor: Type.Optional(
        Type.Boolean({
          description: 'whether a second factor is required; enrolled methods are kept',
          examples: [false],
        }),
      ),
      expected_updated_at: text(
        '`updated_at` from the response you read; the request is rejected if the user has changed since',
        '2026-11-20T17:48:31.705Z',
        40,
      ),
    },
    { examples: [{ last_name: 'Lovelace', user_type: 'writer' }] },
  ),
}
const toUpdate: RouteText = {
  operationId: 'updateUser',
  errors: ['NOT_FOUND', 'PHONE_TAKEN', 'USER_NAME_TAKEN', 'LAST_SUPERADMIN', 'EDIT_CONFLICT'],
  summary: 'Update a user',
  description:
    'Send at least one member. Absent members are not changed, and members not listed here are ignored. Only a ' +
    'superadmin can change or appoint a superadmin. You cannot change your own role, verification or second factor ' +
    "here. Changing the role or `two_factor` ends all of the user's sessions.",
  tag,
}
export const UpdateUserRoute = describe(toUpdate, update, OneUser)
export const DeprecatedUpdateUserRoute = describe(toUpdate, update, DeprecatedUserResponse)

export const DeleteUserRoute = describe(
  {
    operationId: 'deleteUser',
    errors: ['NOT_FOUND', 'LAST_SUPERADMIN'],
    summary: 'Delete a user',
    description:
      'Ends all sessions and invalidates all links and codes. The user can be restored during DELETED_RETENTION. ' +
      'After that, the data is erased.',
    tag,
  },
  aUser,
  Done,
)

export const RestoreRoute = describe(
  {
    operationId: 'restoreUser',
    errors: ['NOT_FOUND'],
    summary: 'Restore a deleted user',
    description:
      "Only during DELETED_RETENTION. Ends all of the user's sessions. Only a superadmin can restore a " +
      'superadmin.',
    tag,
  },
  aUser,
  OneUser,
)

const block = {
  ...aUser,
  body: Type.Object(
    {
      reason: Type.String({ minLength: 1, maxLength: 500, description: 'shown only to administrators' }),
      until: Type.Optional(
        Type.String({ format: 'date-time', description: 'end of the block, at most ten years away; default: no end' }),
      ),
    },
    { examples: [{ reason: 'Spam', until: '2030-01-01T00:00:00Z' }] },
  ),
}

export const BlockRoute = describe(
  {
    operationId: 'blockUser',
    errors: ['NOT_FOUND', 'LAST_SUPERADMIN'],
    summary: 'Block a user',
    description:
      'Ends all sessions and forgets remembered browsers. Until the block ends, sign-ins and password resets with ' +
      'correct credentials are rejected with ACCOUNT_BLOCKED. A new block replaces the previous one. Only a ' +
      'superadmin can block a superadmin. You cannot block yourself.',
    tag,
  },
  block,
  OneUser,
)

export const UnblockRoute = describe(
  {
    operationId: 'unblockUser',
    errors: ['NOT_FOUND'],
    summary: 'Unblock a user',
    description: 'The user can sign in again. Sessions ended by the block are not restored.',
    tag,
  },
  aUser,
  OneUser,
)

export const SendMessageRoute = describe(
  {
    operationId: 'sendUserMessage',
    errors: ['NOT_FOUND', 'NOT_CONFIGURED', 'PASSWORDS_DISABLED'],
    summary: 'Send a user a link',
    description:
      'Emails the user a link: `password_reset` to set a new password, `sign_in_link` to sign in, `verification` ' +
      'to verify an address that is not verified yet, or `invitation` to accept an invitation that the user has not ' +
      'accepted yet. A new invitation invalidates the earlier one. If the limit on emails to one address is reached, the response ' +
      'is RATE_LIMITED. If the service is not configured to send emails, the response is NOT_CONFIGURED. Only a ' +
      'superadmin can send a link to a superadmin.',
    tag,
  },
  {
    ...aUser,
    body: Type.Object(
      {
        message: Type.Unsafe<UserMessage>({ type: 'string', enum: userMessages, examples: ['password_reset'] }),
      },
      { examples: [{ message: 'password_reset' }] },
    ),
  },
  Done,
)

export const StartEmailChangeRoute = describe(
  {
    operationId: 'startUserEmailChange',
    errors: ['NOT_FOUND', 'NOT_CONFIGURED'],
    summary: "Start a change of a user's email address",
    description:
      'The change must be confirmed from both inboxes, as when users start it. Replaces a pending change. Only a ' +
      "superadmin can change a superadmin's address.",
    tag,
  },
  {
    ...aUser,
    body: Type.Object(
      {
        new_email: Type.String({ minLength: 1, maxLength: 254, examples: ['ada@example.com'] }),
      },
      { examples: [{ new_email: 'ada@new.example.com' }] },
    ),
  },
  Done,
)

export const EndSessionsRoute = describe(
  {
    operationId: 'endUserSessions',
    errors: ['NOT_FOUND'],
    summary: "End all of a user's sessions",
    description:
      'Ends full and partial sessions, and forgets the browsers that the user chose to remember. Only a ' +
      "superadmin can end a superadmin's sessions.",
    tag,
  },
  aUser,
  EndedSessions,
)

export const EndSessionRoute = describe(
  {
    operationId: 'endUserSession',
    errors: ['NOT_FOUND'],
    summary: "End one of a user's sessions",
    description:
      'Also ends the application sessions that were created from the session. Only a superadmin can end a ' +
      "superadmin's sessions.",
    tag,
  },
  { params: Type.Object({ user_id: Type.String(), session_id: Type.String() }) },
  EndedSessions,
)
