import Type from 'typebox'
import { exampleValues, withExample } from '../http/responses/examples.ts'
import { Done, describe, Id, namedSchema, success } from '../http/responses/schemas.ts'
import { exampleToken, mailedMembers, OneTimeTokenText, SignInFlowMember } from '../one-time-tokens/schemas.ts'

const tag = 'E-mail verification'

export const ResendRoute = describe(
  {
    operationId: 'resendVerification',
    summary: 'Resend the verification email',
    description:
      'Requires an email address or a full session. The response is the same for known and unknown addresses. Without ' +
      '`email` in the request, the email is sent to your own address, and the message states whether an email is sent.',
    tag,
  },
  {
    body: Type.Object(
      { email: Type.Optional(Type.String({ minLength: 1, maxLength: 254 })), flow: SignInFlowMember },
      { examples: [{ email: 'ada@example.com' }] },
    ),
  },
  Done,
)

export const LinkQuery = Type.Object({
  token: OneTimeTokenText,
  format: Type.Optional(Type.Literal('json')),
  flow: Type.Optional(Type.String({ maxLength: 64, description: "for the service's own pages" })),
})

export const FormToken = Type.Optional(
  Type.String({ maxLength: 200, description: 'form token from the confirmation page' }),
)

export const linkText =
  'Browsers receive a page with a confirmation button, and the token is not consumed. With `format=json`, or an ' +
  'Accept header that contains application/json but not text/html, the token is consumed immediately.'

const Verified = namedSchema(
  'EmailVerification',
  success({
    message: Type.String(),
    status: Type.Literal('verified'),
    user: Type.Object({ id: Id, email: Type.String(), is_verified: Type.Boolean() }),
  }),
)

export const VerifyAddressLinkRoute = describe(
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

export const VerifyAddressRoute = describe(
  {
    operationId: 'verifyEmail',
    errors: ['INVALID_CODE', 'INVALID_TOKEN'],
    summary: 'Verify an email address',
    description:
      'Requires the `token` from the link, or `email` and the `code` from the same email. Using the link ' +
      'invalidates the code, and using the code invalidates the link. JSON requests get a JSON response. Browsers ' +
      'that submit the confirmation form are redirected to the front end.',
    tag,
  },
  {
    body: Type.Object(
      {
        ...mailedMembers,
        answer: Type.Optional(
          Type.Literal('not_me', {
            description:
              'someone else created the account: all sessions end, and the password and all other sign-in methods are ' +
              'removed. The address is verified for its owner, who can sign in by email or reset the password',
            // An empty answer is not a confirmation.
            keepNull: true,
          }),
        ),
        form_token: FormToken,
      },
      { examples: [{ token: exampleToken }] },
    ),
  },
  withExample(Verified, {
    success: true,
    message: 'Email verified',
    status: 'verified',
    user: { id: exampleValues.id, email: 'ada@example.com', is_verified: true },
  }),
)
