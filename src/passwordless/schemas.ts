import Type, { type Static } from 'typebox'
import { describe, Id, onlyForClients, type RouteText, success, Timestamp } from '../http/responses/schemas.ts'
import { endUserMembers } from '../sessions/bridge-schemas.ts'
import { isSignedIn, pendingMembers, SessionToken, SignInResponse } from '../sessions/schemas.ts'
import { TokenUser } from '../users/schemas.ts'

const tag = 'Passwordless sign-in'

const token = 'x7Qm2vTqk0hZ8n4cW1rJ9sLd3YfBpUe6GaKtRiOoNzE'
const tokenId = '01a1f9c7-c1cb-7224-b5ca-dee52c4e92cf'

const presented = {
  token: Type.Optional(
    Type.String({ minLength: 1, maxLength: 200, description: 'token from the link', examples: [token] }),
  ),
  token_id: Type.Optional(
    Type.String({
      format: 'uuid',
      description: '`token_id` from the response to the code request',
      examples: [tokenId],
    }),
  ),
  code: Type.Optional(Type.String({ pattern: '^[0-9]{6}$', description: 'six digits', examples: ['271828'] })),
}

const Requested = success({
  message: Type.String(),
  token_id: Id,
  method: Type.Union([Type.Literal('email'), Type.Literal('sms')]),
  expires_in: Type.Integer({ description: 'seconds' }),
})

export const TokenLoginRoute = describe(
  {
    operationId: 'signInWithToken',
    errors: [
      'ACCOUNT_BLOCKED',
      'EMAIL_NOT_VERIFIED',
      'INVALID_CODE',
      'INVALID_CREDENTIALS',
      'INVALID_TOKEN',
      'NOT_CONFIGURED',
      'REGISTRATION_REFUSED',
    ],
    redirects: { 303: "Response to a form of the service's own pages: redirects the browser to the front end." },
    sessionCookie: 'set',
    summary: 'Request or redeem a sign-in link or code',
    description:
      'With `identifier`, a link and a code are sent to the email address or phone number. The response is the same ' +
      'for known and unknown identifiers. With `token`, or with `token_id` and `code`, the user is signed in. Using ' +
      "the link invalidates the code, and using the code invalidates the link. Back ends can send the end user's " +
      '`ip`, `user_agent` and `device_id`.',
    tag,
  },
  {
    body: Type.Object(
      {
        identifier: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: 254,
            description: 'an email address, or a phone number in international format',
            aliases: ['email', 'phone'],
            examples: ['ada@example.com'],
          }),
        ),
        type: Type.Optional(
          Type.Unsafe<'email' | 'sms' | 'phone'>({
            type: 'string',
            enum: ['email', 'sms', 'phone'],
            description: 'default: derived from the identifier; phone is the same as sms',
            aliases: ['method'],
          }),
        ),
        redirect_url: Type.Optional(
          Type.String({
            maxLength: 10_000,
            description: 'link target, if ALLOWED_REDIRECTS allows it',
            aliases: ['login_url'],
            examples: ['https://app.example.com/welcome'],
          }),
        ),
        ...presented,
        form_token: Type.Optional(Type.String({ maxLength: 200, description: "id of the page's sign-in flow" })),
        ...endUserMembers,
      },
      { examples: [{ identifier: 'ada@example.com' }] },
    ),
  },
  Type.Union([
    Requested,
    Type.Object(
      {
        ...SignInResponse.properties,
        password_removed: Type.Optional(
          Type.Literal(true, {
            description:
              "Present if this sign-in verified the email address for the first time and removed the account's password",
          }),
        ),
      },
      { title: 'TokenSignIn' },
    ),
  ]),
)

export type TokenLoginBody = Static<(typeof TokenLoginRoute)['body']>

const ValidateResponse = Type.Object(
  {
    success: isSignedIn,
    message: Type.String(),
    user: TokenUser,
    sessionId: SessionToken,
    expiresAt: Timestamp,
    requires_2fa: Type.Optional(Type.Boolean()),
    available_methods: pendingMembers.available_methods,
    tokenType: Type.Optional(Type.String(onlyForClients)),
    token_id: Type.Optional(Type.String({ ...Id, ...onlyForClients })),
    expires_at: Type.Optional(Type.String({ ...Timestamp, ...onlyForClients })),
  },
  { title: 'TokenValidation' },
)

const validation: RouteText = {
  operationId: 'redeemTokenForBridge',
  errors: [
    'ACCOUNT_BLOCKED',
    'EMAIL_NOT_VERIFIED',
    'INVALID_CODE',
    'INVALID_CREDENTIALS',
    'INVALID_TOKEN',
    'REGISTRATION_REFUSED',
  ],
  summary: 'Redeem a sign-in link or code (for back ends)',
  description:
    "Signs the user in and returns the session to the back end. No cookie is set. The end user's `ip`, `user_agent` " +
    'and `device_id` are stored with the session.',
  tag,
}

const Members = Type.Object({ ...presented, ...endUserMembers }, { examples: [{ token }] })
export type ValidateMembers = Static<typeof Members>

export const ValidateTokenRoute = describe(
  validation,
  { querystring: Type.Object({ token: presented.token }), body: Members },
  ValidateResponse,
)

export const ValidateTokenLinkRoute = describe(
  {
    ...validation,
    operationId: 'redeemTokenLinkForBridge',
    description: `${validation.description} Consumes the token. Intended for programs, not for links in messages.`,
  },
  { querystring: Members },
  ValidateResponse,
)
