import Type from 'typebox'
import { Done, describe, named, success, Timestamp } from '../http/replies/schemas.ts'
import { flow, signInQuery } from '../pages/flow/schemas.ts'
import { CurrentPassword } from '../passwords/schemas.ts'
import { isSignedIn, pendingMembers } from '../sessions/schemas.ts'
import { AdminUser } from '../users/schemas.ts'

const tag = 'Sign-in with other providers'
const params = Type.Object({
  provider: Type.String({ description: 'google, github, facebook, apple, discord, microsoft or oidc' }),
})
const json = Type.Optional(Type.Unsafe<'json'>({ type: 'string', enum: ['json'] }))
const text = (maxLength: number, description: string) => Type.Optional(Type.String({ maxLength, description }))

/** An empty credential is a validation error rather than a wrong credential. */
const credential = (maxLength: number, description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength, description }))

const Offer = named(
  'SocialProvider',
  Type.Object({
    provider: Type.String(),
    enabled: Type.Boolean(),
    loginUrl: Type.String(),
    apiLoginUrl: Type.String(),
  }),
)

export const ProvidersRoute = describe(
  {
    operationId: 'listProviders',
    errors: ['NOT_CONFIGURED', 'NOT_FOUND'],
    summary: 'Which providers people can sign in with',
    tag,
  },
  {},
  success({
    providers: Type.Array(Offer, { description: 'those that are configured' }),
    allProviders: Type.Array(Offer, { description: 'google, github, facebook, apple, discord and microsoft' }),
  }),
)

const Started = named(
  'SocialFlow',
  success({
    url: Type.String({ description: 'where to send the browser' }),
    login_url: Type.String({ description: 'the same' }),
    flow: Type.String({ description: 'for the header X-OAuth-Flow of the callback, where the cookie does not come' }),
    expires_in: Type.Integer({ description: 'seconds' }),
  }),
)

export const LoginRoute = describe(
  {
    operationId: 'startSocialSignIn',
    errors: ['ACCOUNT_LOCKED', 'INVALID_CURRENT_PASSWORD', 'NOT_CONFIGURED', 'NOT_FOUND', 'REAUTH_REQUIRED'],
    redirects: { 302: 'A browser continues at the provider.' },
    summary: 'Go to a provider to sign in',
    description:
      'Redirects the browser. With `format=json`, or an Accept header that names application/json and not text/html, ' +
      'answers with the address. A browser returns to `return_to`, with the parameters of the sign-in page. `link=true` adds the identity to the signed-in user, who needs recent proof.',
    tag,
  },
  { params, querystring: Type.Object({ format: json, link: Type.Optional(Type.Boolean()), flow, ...signInQuery }) },
  Started,
)

export const LinkRoute = describe(
  {
    operationId: 'linkProvider',
    errors: ['ACCOUNT_LOCKED', 'INVALID_CURRENT_PASSWORD', 'NOT_CONFIGURED', 'NOT_FOUND', 'REAUTH_REQUIRED'],
    summary: 'Go to a provider to add its identity to your account',
    description:
      'Answers with the address to send the browser to. Needs a sign-in within REAUTH_WINDOW, or `current_password`.',
    tag,
  },
  { params, body: Type.Object({ format: json, current_password: CurrentPassword }) },
  Started,
)

const optional = Type.Optional(Type.String())

const SocialSignIn = named(
  'SocialSignIn',
  Type.Object({
    success: isSignedIn,
    message: optional,
    user: Type.Optional(AdminUser),
    sessionId: optional,
    expiresAt: Type.Optional(Timestamp),
    session_id: optional,
    expires_at: Type.Optional(Timestamp),
    requires_2fa: Type.Optional(Type.Boolean()),
    ...pendingMembers,
    loginType: optional,
    provider: Type.String(),
    is_new_user: Type.Optional(Type.Boolean()),
  }),
)

export const CallbackRoute = describe(
  {
    operationId: 'completeSocialSignIn',
    errors: [
      'ACCOUNT_EXISTS',
      'EMAIL_NOT_VERIFIED',
      'INVALID_CREDENTIALS',
      'INVALID_PROVIDER_TOKEN',
      'INVALID_TOKEN',
      'NOT_CONFIGURED',
      'NOT_FOUND',
      'REGISTRATION_DISABLED',
    ],
    redirects: { 302: 'The browser continues at the front end, with the outcome in the query.' },
    sessionCookie: 'set',
    summary: 'Come back from a provider',
    description:
      'Called by the browser that went there. Redirects to the front end, with the session in the cookie; with ' +
      '`format=json` here or at the start, answers with it.',
    tag,
  },
  {
    params,
    querystring: Type.Object({
      code: text(4096, 'from the provider'),
      state: text(200, 'from the provider'),
      error: text(2000, 'from the provider, in place of the code'),
      iss: text(2000, 'from the provider'),
      format: json,
    }),
  },
  SocialSignIn,
)

export const FormCallbackRoute = {
  summary: 'Come back from Apple, which posts a form: leads to the GET above, with which the browser sends its cookie',
  params,
  body: Type.Object({
    code: text(4096, 'from the provider'),
    state: text(200, 'from the provider'),
    error: text(2000, 'from the provider, in place of the code'),
  }),
}

export const AppLoginRoute = describe(
  {
    operationId: 'signInWithProviderToken',
    errors: [
      'ACCOUNT_EXISTS',
      'EMAIL_NOT_VERIFIED',
      'INVALID_CREDENTIALS',
      'INVALID_PROVIDER_TOKEN',
      'INVALID_TOKEN',
      'NOT_CONFIGURED',
      'NOT_FOUND',
      'REGISTRATION_DISABLED',
    ],
    sessionCookie: 'set',
    summary: 'Sign in with what an app has got from a provider',
    description:
      'One of `id_token`, `access_token` and `code`. An ID token acts once. Access tokens are taken from providers that ' +
      'can say whom they were made for: google, github, facebook and discord.',
    tag,
  },
  {
    params,
    body: Type.Object({
      id_token: credential(10_000, 'made for this service or one of its apps'),
      access_token: credential(4096, 'the same'),
      code: credential(4096, 'of an authorization that the app has asked for'),
      code_verifier: text(128, 'of the same (PKCE)'),
      redirect_uri: text(2048, 'of the same'),
      nonce: text(255, 'required when the ID token has one'),
      device_id: text(128, 'your name for the device'),
    }),
  },
  SocialSignIn,
)

const Account = named(
  'LinkedProvider',
  Type.Object({
    provider: Type.String(),
    provider_user_id: Type.String(),
    email: Type.String({ description: 'as the provider says; the login address is another matter' }),
    name: Type.String(),
    picture: Type.String(),
    is_primary: Type.Boolean({ description: 'the oldest one' }),
    linked_at: Timestamp,
    last_used_at: Timestamp,
  }),
)

export const AccountsRoute = describe(
  { operationId: 'listLinkedProviders', summary: 'Identities of other providers that you can sign in with', tag },
  {},
  success({ accounts: Type.Array(Account) }),
)

export const UnlinkRoute = describe(
  {
    operationId: 'unlinkProvider',
    errors: [
      'ACCOUNT_LOCKED',
      'INVALID_CURRENT_PASSWORD',
      'LAST_SIGN_IN_METHOD',
      'NOT_CONFIGURED',
      'NOT_FOUND',
      'REAUTH_REQUIRED',
    ],
    summary: 'Remove the identity of a provider from your account',
    description:
      'Ends all other sessions. Refused when nothing else would let you in. Needs a sign-in within REAUTH_WINDOW, or ' +
      '`current_password`.',
    tag,
  },
  { params, body: Type.Object({ current_password: CurrentPassword }) },
  Done,
)
