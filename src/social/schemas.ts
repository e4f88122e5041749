import Type from 'typebox'
import { Done, describe, namedSchema, success, Timestamp } from '../http/responses/schemas.ts'
import { CurrentPassword, CurrentPasswordBody } from '../passwords/schemas.ts'
import { isSignedIn, pendingMembers } from '../sessions/schemas.ts'
import { flow, signInQuery } from '../ui/flow/schemas.ts'
import { AdminUser } from '../users/schemas.ts'

const tag = 'Sign-in with other providers'
const params = Type.Object({
  provider: Type.String({ description: 'google, github, facebook, apple, discord, microsoft or oidc' }),
})
const json = Type.Optional(Type.Unsafe<'json'>({ type: 'string', enum: ['json'] }))
const text = (maxLength: number, description: string) => Type.Optional(Type.String({ maxLength, description }))

/** An empty credential is reported as a validation error, not as a wrong credential. */
const credential = (maxLength: number, description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength, description }))

const Offer = namedSchema(
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
    summary: 'List the sign-in providers',
    description:
      '`providers` contains the providers that are configured. `allProviders` also contains those that are not.',
    tag,
  },
  {},
  success({
    providers: Type.Array(Offer, { description: 'the configured providers' }),
    allProviders: Type.Array(Offer, { description: 'google, github, facebook, apple, discord and microsoft' }),
  }),
)

const Started = namedSchema(
  'SocialFlow',
  success({
    url: Type.String({ description: 'URL to redirect the browser to' }),
    login_url: Type.String({ description: 'the same URL as in `url`' }),
    flow: Type.String({
      description: 'value of the X-OAuth-Flow header for the callback request, for clients without the cookie',
    }),
    expires_in: Type.Integer({ description: 'seconds' }),
  }),
)

export const SocialLoginRoute = describe(
  {
    operationId: 'startSocialSignIn',
    errors: ['ACCOUNT_LOCKED', 'INVALID_CURRENT_PASSWORD', 'NOT_CONFIGURED', 'NOT_FOUND', 'REAUTH_REQUIRED'],
    redirects: { 302: 'The browser is redirected to the provider.' },
    summary: 'Start a sign-in with a provider',
    description:
      'Redirects the browser. With `format=json`, or an Accept header that contains application/json but not ' +
      'text/html, returns the URL instead. After the sign-in, the browser returns to `return_to` with `code`, `state` ' +
      "or `error` in the query, as after a sign-in on the service's pages. `link=true` adds the identity to the " +
      'signed-in user and requires a recent sign-in.',
    tag,
  },
  { params, querystring: Type.Object({ format: json, link: Type.Optional(Type.Boolean()), flow, ...signInQuery }) },
  Started,
)

export const LinkRoute = describe(
  {
    operationId: 'linkProvider',
    errors: ['ACCOUNT_LOCKED', 'INVALID_CURRENT_PASSWORD', 'NOT_CONFIGURED', 'NOT_FOUND', 'REAUTH_REQUIRED'],
    summary: 'Start linking a provider to your account',
    description:
      'Returns the URL to redirect the browser to. Requires a sign-in within REAUTH_WINDOW or `current_password`.',
    tag,
  },
  {
    params,
    body: Type.Object({ format: json, current_password: CurrentPassword }, { examples: [{ format: 'json' }] }),
  },
  Started,
)

const optional = Type.Optional(Type.String())

const SocialSignIn = namedSchema(
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
      'ACCOUNT_BLOCKED',
      'ACCOUNT_EXISTS',
      'EMAIL_NOT_VERIFIED',
      'INVALID_CREDENTIALS',
      'INVALID_PROVIDER_TOKEN',
      'INVALID_TOKEN',
      'NOT_CONFIGURED',
      'NOT_FOUND',
      'REGISTRATION_DISABLED',
      'REGISTRATION_REFUSED',
    ],
    redirects: { 302: 'The browser is redirected to the front end with the result in the query.' },
    sessionCookie: 'set',
    summary: 'Complete a sign-in with a provider',
    description:
      'Called by the browser when it returns from the provider. Redirects to the front end with the session in the ' +
      'cookie. With `format=json` in this request or in the request that started the sign-in, the response contains ' +
      'the session.',
    tag,
  },
  {
    params,
    querystring: Type.Object({
      code: text(4096, 'from the provider'),
      state: text(200, 'from the provider'),
      error: text(2000, 'error code from the provider, sent instead of `code`'),
      iss: text(2000, 'from the provider'),
      format: json,
    }),
  },
  SocialSignIn,
)

export const FormCallbackRoute = {
  summary:
    'Complete a sign-in with Apple, which posts a form. Redirects to the GET route, because the browser sends its ' +
    'cookie only there',
  params,
  body: Type.Object({
    code: text(4096, 'from the provider'),
    state: text(200, 'from the provider'),
    error: text(2000, 'error code from the provider, sent instead of `code`'),
  }),
}

export const AppLoginRoute = describe(
  {
    operationId: 'signInWithProviderToken',
    errors: [
      'ACCOUNT_BLOCKED',
      'ACCOUNT_EXISTS',
      'EMAIL_NOT_VERIFIED',
      'INVALID_CREDENTIALS',
      'INVALID_PROVIDER_TOKEN',
      'INVALID_TOKEN',
      'NOT_CONFIGURED',
      'NOT_FOUND',
      'REGISTRATION_DISABLED',
      'REGISTRATION_REFUSED',
    ],
    sessionCookie: 'set',
    summary: 'Sign in with a provider token from an app',
    description:
      'Send exactly one of `id_token`, `access_token` and `code`. An ID token can be used once. Access tokens are ' +
      'accepted from providers that report their audience: google, github, facebook and discord.',
    tag,
  },
  {
    params,
    body: Type.Object(
      {
        id_token: credential(10_000, 'ID token issued to this service or one of its apps'),
        access_token: credential(4096, 'access token issued to this service or one of its apps'),
        code: credential(4096, 'authorization code received by the app'),
        code_verifier: text(128, 'PKCE verifier from the authorization request'),
        redirect_uri: text(2048, 'redirect URI from the authorization request'),
        nonce: text(255, 'required if the ID token contains a nonce'),
        device_id: text(128, 'device name chosen by the client'),
      },
      { examples: [{ id_token: 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiIxMDY5In0.c2lnbmF0dXJl' }] },
    ),
  },
  SocialSignIn,
)

export const LinkedAccount = namedSchema(
  'LinkedProvider',
  Type.Object({
    provider: Type.String(),
    provider_user_id: Type.String(),
    email: Type.String({
      description: 'email address reported by the provider; it can differ from the login email address',
    }),
    name: Type.String(),
    picture: Type.String(),
    is_primary: Type.Boolean({ description: 'true for the oldest linked identity' }),
    linked_at: Timestamp,
    last_used_at: Timestamp,
  }),
)

export const AccountsRoute = describe(
  {
    operationId: 'listLinkedProviders',
    summary: 'List your linked identities',
    description:
      "Contains the identities that can sign in to the caller's account, with the email address that each " +
      'provider reported.',
    tag,
  },
  {},
  success({ accounts: Type.Array(LinkedAccount) }),
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
    summary: 'Unlink a provider from your account',
    description:
      'Ends all other sessions. The only sign-in method cannot be unlinked. Requires a sign-in within REAUTH_WINDOW ' +
      'or `current_password`.',
    tag,
  },
  {
    params,
    body: CurrentPasswordBody,
  },
  Done,
)
