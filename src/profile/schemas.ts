import Type, { type TSchema } from 'typebox'
import type { ModuleState } from '../context.ts'
import { PendingChange } from '../email-addresses/change-schemas.ts'
import { describe, Id, NullableString, NullableTimestamp, success, Timestamp } from '../http/responses/schemas.ts'
import { OwnPasskey } from '../passkeys/passkey-schemas.ts'
import { CurrentPassword } from '../passwords/schemas.ts'
import { LoginUserWithModules } from '../users/schemas.ts'

const text = (description: string, example: string, maxLength = 2048) =>
  Type.Optional(Type.String({ maxLength, description, examples: [example] }))

const clearable = (description: string, example: string, maxLength?: number) =>
  text(`${description}; "" clears it`, example, maxLength)

export const UpdateProfileRoute = describe(
  {
    operationId: 'updateProfile',
    errors: [
      'ACCOUNT_LOCKED',
      'INVALID_CURRENT_PASSWORD',
      'KEY_NOT_ACCEPTED',
      'LAST_SIGN_IN_METHOD',
      'PHONE_TAKEN',
      'REAUTH_REQUIRED',
      'USER_NAME_TAKEN',
    ],
    summary: 'Update your profile',
    description:
      'Absent members are not changed. Members not listed here are ignored. An API key needs the scope ' +
      'wardenry:profile:read as well, and cannot change `email`, `phone` and `user_name`.',
    tag: 'Profile',
  },
  {
    body: Type.Object(
      {
        email: text(
          'starts a change of the email address, which both inboxes must confirm; until then, the current address ' +
            'remains',
          'ada@new.example.com',
          254,
        ),
        current_password: CurrentPassword,
        name: clearable('first name', 'Ada', 100),
        last_name: clearable('last name', 'Lovelace', 100),
        user_name: text('3 to 32 letters, digits, dots, hyphens or underscores; unique, ignoring case', 'ada'),
        phone: clearable(
          'international format, or the national format of DEFAULT_PHONE_REGION; unique. Users can sign in with the ' +
            'number if it was set within REAUTH_WINDOW of a sign-in or with `current_password`',
          '+447700900123',
        ),
        picture: clearable('an https URL', 'https://example.com/ada.webp'),
        lang: text('BCP 47 tag', 'es-MX'),
        tmz: clearable('IANA time zone', 'Europe/London'),
        dob: clearable('YYYY-MM-DD, from 1900-01-01 to today', '1990-12-10'),
        display_name: clearable('shown to others instead of the name', 'Countess Ada', 100),
        gender: clearable('any text', 'female', 32),
        title: clearable('form of address', 'Dr.', 100),
        metadata: Type.Optional(
          Type.Unsafe<Record<string, unknown> | null>({
            type: ['object', 'null'],
            additionalProperties: true,
            keepNull: true,
            description: 'replaces the entire object; at most 16 kB as JSON; null clears it',
            examples: [{ theme: 'dark' }],
          }),
        ),
        first_time: Type.Optional(
          Type.Boolean({ description: 'only the value false has an effect', examples: [false] }),
        ),
      },
      { examples: [{ display_name: 'Countess Ada', tmz: 'Europe/London' }] },
    ),
  },
  success({
    message: Type.String(),
    user: LoginUserWithModules,
    email_change: Type.Optional(PendingChange),
    data: Type.Object(
      {
        ...LoginUserWithModules.properties,
        user: LoginUserWithModules,
        email_change: Type.Optional(PendingChange),
      },
      { additionalProperties: true, description: 'the profile members, both at the top level and in `user`' },
    ),
  }),
)

const ExportedUser = Type.Object(
  { ...LoginUserWithModules.properties, phone: Type.String(), created_at: Timestamp, updated_at: Timestamp },
  { additionalProperties: true },
)

const ExportedSession = Type.Object({
  id: Id,
  ipAddress: Type.String(),
  userAgent: Type.String(),
  userDevice: Type.String(),
  application: NullableString,
  applicationId: NullableString,
  parentId: NullableString,
  lastUsedAt: Timestamp,
  createdAt: Timestamp,
  expiresAt: Timestamp,
  status: Type.String(),
})

const ExportedEvent = Type.Object({
  time: Timestamp,
  event: Type.String(),
  outcome: Type.String(),
  by: Type.Unsafe<'user' | 'administrator' | null>({
    type: ['string', 'null'],
    description: '`user`, `administrator`, or null if no user was signed in',
  }),
  ip: NullableString,
  user_agent: NullableString,
})

/** An object whose members a module defines. */
const ofModule = Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true })
export const listOfModule = Type.Array(ofModule)
export const partOfModule = ofModule

/** Members from modules that are not installed are absent. */
export const exportMembers = {
  generated_at: Timestamp,
  user: ExportedUser,
  sessions: Type.Array(ExportedSession),
  roles: Type.Array(
    Type.Object({
      application: Type.String({ description: 'key of the application' }),
      role: Type.String({ description: 'key of the role' }),
      name: Type.String(),
      granted_at: Timestamp,
      until: NullableTimestamp,
    }),
    { description: 'roles in applications that the user was given' },
  ),
  passkeys: Type.Array(OwnPasskey),
  passkey_offered_at: Type.Optional(Timestamp),
  social_accounts: Type.Optional(listOfModule),
  audit: Type.Array(ExportedEvent),
}

/** The members that modules add to exports: all of them, or only those in the profile export. */
export const membersOfModules = (modules: ModuleState, which: 'all' | 'inProfile'): Record<never, TSchema> =>
  Object.fromEntries(
    Object.entries(modules.exportMembers())
      .filter(([, { inProfile }]) => which === 'all' || inProfile)
      .map(([name, { schema }]) => [name, Type.Optional(Type.Unsafe<unknown>(schema))]),
  )

export const personalDataExportRoute = (modules: ModuleState) =>
  describe(
    {
      operationId: 'exportUserData',
      errors: ['REAUTH_REQUIRED'],
      summary: 'Export your personal data',
      description:
        'Requires a sign-in or POST /auth/reauthenticate within REAUTH_WINDOW; otherwise, returns REAUTH_REQUIRED. ' +
        'Contains no secrets or hashes, and no data from modules that are not installed.',
      tag: 'Profile',
    },
    {},
    success({
      data: Type.Unsafe<Record<string, unknown>>(
        Type.Object({ ...exportMembers, ...membersOfModules(modules, 'inProfile') }),
      ),
    }),
  )

export const DeleteOwnRoute = describe(
  {
    operationId: 'deleteCurrentUser',
    errors: ['ACCOUNT_LOCKED', 'INVALID_CURRENT_PASSWORD', 'LAST_SUPERADMIN', 'REAUTH_REQUIRED'],
    sessionCookie: 'cleared',
    summary: 'Delete your account',
    description:
      'Requires a sign-in within REAUTH_WINDOW or `current_password`; otherwise, returns REAUTH_REQUIRED. Ends all ' +
      "sessions. The service's administrators can restore the account during DELETED_RETENTION. After that, the " +
      'data is erased.',
    tag: 'Profile',
  },
  {
    body: Type.Object(
      {
        current_password: CurrentPassword,
        reason: text('recorded in the audit log', 'no longer needed', 500),
      },
      { examples: [{ current_password: 'seven quiet river stones', reason: 'no longer needed' }] },
    ),
  },
  success({ message: Type.String(), data: Type.Object({ restorable_until: Timestamp }) }),
)
