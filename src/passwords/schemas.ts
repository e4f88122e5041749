import Type from 'typebox'
import { type PasswordRule, passwordRules } from '../config/password-rules.ts'
import { Done, describe, named, success, Timestamp } from '../http/replies/schemas.ts'
import { exampleToken, mailedMembers, Token } from '../one-time-tokens/schemas.ts'
import { SignInReply } from '../sessions/schemas.ts'

const tag = 'Passwords'
export const newPassword = (aliases: string[] = []) =>
  Type.String({
    minLength: 1,
    maxLength: 1024,
    description: '8 to 256 characters, nothing that others guess first; not trimmed',
    aliases,
    examples: ['seven quiet river stones'],
  })

export const RequestResetRoute = describe(
  {
    operationId: 'requestPasswordReset',
    summary: 'Ask for a link that sets a new password',
    description: 'The answer is the same for known and unknown addresses.',
    tag,
  },
  {
    body: Type.Object({
      email: Type.String({ minLength: 1, maxLength: 254, examples: ['ada@example.com'] }),
      reset_url: Type.Optional(
        Type.String({
          maxLength: 2048,
          description: 'where the link leads, when ALLOWED_REDIRECTS allows it; otherwise it is ignored',
          aliases: ['redirect_url'],
          examples: ['myapp://reset'],
        }),
      ),
    }),
  },
  Done,
)

const Validity = named('ResetValidity', success({ valid: Type.Boolean(), message: Type.String() }))
const validate = {
  operationId: 'validatePasswordResetLink',
  summary: 'Ask whether a reset link still works',
  description: 'Spends nothing.',
  tag,
}

export const ValidateResetRoute = describe(
  {
    operationId: 'validatePasswordReset',
    summary: 'Ask whether a reset link or code still works',
    description: 'Spends nothing; a wrong code is counted as a guess.',
    tag,
  },
  { body: Type.Object(mailedMembers, { examples: [{ token: exampleToken }] }) },
  Validity,
)
export const ValidateResetByQueryRoute = describe(validate, { querystring: Type.Object({ token: Token }) }, Validity)
export const ValidateResetByPathRoute = describe(
  validate,
  { params: Type.Object({ token: Type.String({ pattern: '^[A-Za-z0-9_-]{1,200}$', description: 'from the link' }) }) },
  Validity,
)

export const CompleteResetRoute = describe(
  {
    operationId: 'completePasswordReset',
    errors: ['INVALID_CODE', 'INVALID_CREDENTIALS', 'INVALID_TOKEN', 'WEAK_PASSWORD'],
    sessionCookie: 'set',
    summary: 'Set a new password by a mailed link or code',
    description:
      'With the `token` of the link, or with `email` and the `code` of the same mail: using one invalidates the other. Ends all sessions of the user. A refused password leaves them alive. With RESET_AUTO_LOGIN the reply is that of a sign-in.',
    tag,
  },
  {
    body: Type.Object(
      { ...mailedMembers, password: newPassword(['new_password']) },
      { examples: [{ token: exampleToken, password: 'seven quiet river stones' }] },
    ),
  },
  Type.Object({
    ...Type.Partial(SignInReply).properties,
    success: SignInReply.properties.success,
    message: Type.String(),
  }),
)

export const CheckRoute = describe(
  {
    operationId: 'checkPassword',
    summary: 'Ask whether a password would be accepted',
    description:
      'For a form that judges it while it is typed. Sets nothing and keeps nothing. With a session, the user of it is whose ' +
      'password it would be. Breaches are not looked up: only setting it does that.',
    tag,
  },
  {
    body: Type.Object({
      password: Type.String({ maxLength: 1024, examples: ['seven quiet river stones'] }),
      email: Type.Optional(
        Type.String({ maxLength: 254, description: 'of whoever is still to register', examples: ['ada@example.com'] }),
      ),
    }),
  },
  success({
    accepted: Type.Boolean(),
    rule: Type.Unsafe<PasswordRule | null>({
      type: ['string', 'null'],
      enum: [...Object.keys(passwordRules), null],
      description: 'which one it breaks',
    }),
    message: Type.String(),
  }),
)

export const CurrentPassword = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 1024,
    description: 'must be right whenever it is sent, even after a recent sign-in',
    examples: ['seven quiet river stones'],
  }),
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
    summary: 'Prove once more who you are',
    description:
      'For what needs a recent sign-in (REAUTH_WINDOW). By the password, or by a second factor: `code` and `method_id`, or ' +
      'the `response` of a passkey, started with the action reauth. Send one of the three. A wrong password counts as one ' +
      'at sign-in.',
    tag,
  },
  {
    body: Type.Object(
      {
        password: Type.Optional(Type.String({ minLength: 1, maxLength: 1024, examples: ['seven quiet river stones'] })),
        code: Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: 'of a second factor' })),
        method_id: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
        response: Type.Optional(
          Type.Unsafe<Record<string, unknown>>({
            type: 'object',
            additionalProperties: true,
            description: 'of a passkey',
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
    errors: ['ACCOUNT_LOCKED', 'INVALID_CURRENT_PASSWORD', 'REAUTH_REQUIRED', 'WEAK_PASSWORD'],
    summary: 'Change your own password',
    description:
      'Ends all other sessions. Users without a password leave `current_password` out and must have signed in a short while ago.',
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
