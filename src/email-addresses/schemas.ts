import Type from 'typebox'
import { Done, describe, Id, named, success } from '../http/replies/schemas.ts'
import { exampleToken, mailedMembers, SignInFlow, Token } from '../one-time-tokens/schemas.ts'

const tag = 'E-mail verification'

export const ResendRoute = describe(
  {
    operationId: 'resendVerification',
    summary: 'Send the verification mail again',
    description:
      'Give an address, or call with a full session. The answer is the same for known and unknown addresses.',
    tag,
  },
  { body: Type.Object({ email: Type.Optional(Type.String({ minLength: 1, maxLength: 254 })), flow: SignInFlow }) },
  Done,
)

export const LinkQuery = Type.Object({
  token: Token,
  format: Type.Optional(Type.Literal('json')),
  flow: Type.Optional(Type.String({ maxLength: 64, description: "for the service's own pages" })),
})

export const FormToken = Type.Optional(Type.String({ maxLength: 200, description: 'of the confirm page' }))

export const linkText =
  'A browser gets a page whose button confirms; nothing is consumed. With `format=json`, or an Accept header that names ' +
  'application/json and not text/html, the token is consumed at once.'

const Verified = named(
  'EmailVerification',
  success({
    message: Type.String(),
    status: Type.Literal('verified'),
    user: Type.Object({ id: Id, email: Type.String(), is_verified: Type.Boolean() }),
  }),
)

export const VerifyLinkRoute = describe(
  {
    operationId: 'openVerificationLink',
    errors: ['INVALID_CODE', 'INVALID_TOKEN'],
    summary: 'Open a verification link',
    description: linkText,
    tag,
  },
  { querystring: LinkQuery },
  Verified,
)

export const VerifyRoute = describe(
  {
    operationId: 'verifyEmail',
    errors: ['INVALID_CODE', 'INVALID_TOKEN'],
    summary: 'Verify an e-mail address',
    description:
      'With the `token` of the link, or with `email` and the `code` of the same mail: using one invalidates the other. JSON ' +
      'callers get the result; the form of the confirm page is redirected to the front end.',
    tag,
  },
  {
    body: Type.Object({ ...mailedMembers, form_token: FormToken }, { examples: [{ token: exampleToken }] }),
  },
  Verified,
)
