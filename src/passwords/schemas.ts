import Type from 'typebox'
import { type PasswordRule, passwordRules } from '../config/password-rules.ts'
import { Done, describe, namedSchema, success, Timestamp } from '../http/responses/schemas.ts'
import { exampleToken, mailedMembers, OneTimeTokenText } from '../one-time-tokens/schemas.ts'
import { SignInResponse } from '../sessions/schemas.ts'

const tag = 'Passwords'

/** The format marks a user's password, which every route rejects while PASSWORDS_ENABLED is false. */
export const passwordText = { minLength: 1, maxLength: 1024, format: 'password' } as const

export const newPassword = (aliases: string[] = []) =>
  Type.String({
    ...passwordText,
    description: '8 to 256 characters, not easy to guess; not trimmed',
    aliases,
    examples: ['seven quiet river stones'],
  })

export const RequestResetRoute = describe(
  {
    operationId: 'requestPasswordReset',
    errors: ['PASSWORDS_DISABLED'],
    summary: 'Request a password reset',
    description: 'The response is the same for known and unknown email addresses.',
    tag,
  },
  {
    body: Type.Object(
      {
        email: Type.String({ minLength: 1, maxLength: 254, examples: ['ada@example.com'] }),
        reset_url: Type.Optional(
          Type.String({
            maxLength: 2048,
            description: 'link target; ignored unless ALLOWED_REDIRECTS allows it',
            aliases: ['redirect_url'],
            examples: ['myapp://reset'],
          }),
        ),
      },
      { examples: [{ email: 'ada@example.com' }] },
    ),
  },
  Done,
)

const Validity = namedSchema('ResetValidity', success({ valid: Type.Boolean(), message: Type.String() }))
const validate = {
  operationId: 'validatePasswordResetLink',
  summary: 'Check a password reset link',
  description: 'Does not consume the token.',
  tag,
}

export const ValidateResetRoute = describe(
  {
    operationId: 'validatePasswordReset',
    summary: 'Check a password reset link or code',
    description: 'Does not consume the token or code. A wrong code counts as an attempt.',
    tag,
  },
  { body: Type.Object(mailedMembers, { examples: [{ token: exampleToken }] }) },
  Validity,
)
export const ValidateResetByQueryRoute = describe(
  validate,
  { querystring: Type.Object({ token: OneTimeTokenText }) },
  Validity,
)
export const ValidateResetByPathRoute = describe(
  validate,
  {
    params: Type.Object({
      token: Type.String({ pattern: '^[A-Za-z0-9_-]{1,200}$', description: 'token from the link' }),
    }),
  },
  Validity,
)

export const CompleteResetRoute = describe(
  {
    operationId: 'completePasswordReset',
    errors: ['ACCOUNT_BLOCKED', 'INVALID_CODE', 'INVALID_CREDENTIALS', 'INVALID_TOKEN', 'WEAK_PASSWORD'],
    sessionCookie: 'set',
    summary: 'Set a new password with a mailed link or code',
    description:
      'Requires the `token` from the link, or `email` and the `code` from the same email. Using the link ' +
      "invalidates the code, and using the code invalidates the link. Ends all of the user's sessions. If the " +
      'password is rejected, the link and the code stay valid. With RESET_AUTO_LOGIN, the response is the same as ' +
      'for a sign-in. `password` is required unless PASSWORDS_ENABLED is false: the link, such as an invitation, then ' +
      'verifies the address and signs the user in.',
    tag,
  },
  {
    body: Type.Object(
      { ...mailedMembers, password: Type.Optional(newPassword(['new_password'])) },
      { examples: [{ token: exampleToken, password: 'seven quiet river stones' }] },
    ),
  },
  Type.Object({
    ...Type.Partial(SignInResponse).properties,
    success: SignInResponse.properties.success,
    message: Type.String(),
  }),
)

export const CheckRoute = describe(
  {
    operationId: 'checkPassword',
    summary: 'Check whether a password would be accepted',
    description:
      'For forms that check a password as the user types. Nothing is stored. With a session, the password is ' +
      "checked for the session's user. Lists of breached passwords are checked only when the password is set.",
    tag,
  },
  {
    body: Type.Object(
      {
        password: Type.String({ ...passwordText, minLength: 0, examples: ['seven quiet river stones'] }),
        email: Type.Optional(
          Type.String({
            maxLength: 254,
            description: 'email address of the user who is about to register; the password must not resemble it',
            examples: ['ada@example.com'],
          }),
        ),
      },
      { examples: [{ password: 'seven quiet river stones', email: 'ada@example.com' }] },
    ),
  },
  success({
    accepted: Type.Boolean(),
    rule: Type.Unsafe<PasswordRule | null>({
      type: ['string', 'null'],
      enum: [...Object.keys(passwordRules), null],
      description: 'the rule that the password violates',
    }),
    message: Type.String(),
  }),
)

export const CurrentPassword = Type.Optional(
  Type.String({
    ...passwordText,
    description: 'always checked if present, even after a recent sign-in',
    examples: ['seven quiet river stones'],
  }),
)

export const CurrentPasswordBody = Type.Object(
  { current_password: CurrentPassword },
  { examples: [{ current_password: 'seven quiet river stones' }] },
)

export const ReauthenticateRoute = describe(
  {
    operationId: 'reauthenticate',
    errors: [
      'ACCOUNT_LOCKED',
      'INVALID_CODE',
      'INVALID_CURRENT_PASSWORD',
      'MODULE_DISABLED',
      'NOT_FOUND',
      'REAUTH_REQUIRED',
      'module_not_installed',
    ],
    summary: 'Confirm your identity',
    description:
      'For actions that require a recent sign-in (REAUTH_WINDOW). Send exactly one of these: the password, a second ' +
      "factor (`code` and `method_id`), or a passkey's `response` to a challenge started with the reauth action. A " +
      'wrong password counts as a failed sign-in.',
    tag,
  },
  {
    body: Type.Object(
      {
        password: Type.Optional(Type.String({ ...passwordText, examples: ['seven quiet river stones'] })),
        code: Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: 'second-factor code' })),
        method_id: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
        response: Type.Optional(
          Type.Unsafe<Record<string, unknown>>({
            type: 'object',
            additionalProperties: true,
            description: 'passkey response',
          }),
        ),
      },
      { examples: [{ password: 'seven quiet river stones' }] },
    ),
  },
  success({ message: Type.String(), valid_until: Timestamp }),
)

export const ChangeOwnRoute = describe(
  {
    operationId: 'changePassword',
    errors: ['ACCOUNT_LOCKED', 'FORBIDDEN', 'INVALID_CURRENT_PASSWORD', 'REAUTH_REQUIRED', 'WEAK_PASSWORD'],
    summary: 'Change your own password',
    description:
      'Ends all other sessions. Users without a password omit `current_password` and need a recent sign-in ' +
      '(REAUTH_WINDOW), and cannot set a password with an application session.',
    tag,
  },
  {
    body: Type.Object(
      {
        current_password: CurrentPassword,
        new_password: newPassword(),
      },
      { examples: [{ current_password: 'seven quiet river stones', new_password: 'moths around a quiet lamp' }] },
    ),
  },
  Done,
)
