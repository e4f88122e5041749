import Type, { type Static } from 'typebox'
import { withExample } from '../../../http/responses/examples.ts'
import { describe, namedSchema } from '../../../http/responses/schemas.ts'
import { clientMembers, oauthTag } from '../client-authentication/schemas.ts'

const parameter = (description: string, maxLength: number, example: string) =>
  Type.Optional(Type.String({ maxLength, description, examples: [example] }))

const TokenBody = Type.Object(
  {
    ...clientMembers,
    grant_type: parameter('`client_credentials`, `authorization_code` or `refresh_token`', 100, 'client_credentials'),
    code: parameter('for `authorization_code`: the code', 200, 'wac_…'),
    redirect_uri: parameter(
      'for `authorization_code`: as in the request for authorization',
      2_048,
      'https://app.example.com/callback',
    ),
    code_verifier: parameter('for `authorization_code`: the verifier of the challenge (PKCE)', 200, 'dBjftJeZ…'),
    refresh_token: parameter('for `refresh_token`', 200, 'wrt_…'),
    scope: parameter(
      'the scopes, separated by spaces; by default, all that the client has at the resource',
      20_000,
      'invoices:read',
    ),
    resource: parameter(
      'the identifier of the API for which the token is (RFC 8707); by default, the one that has the scopes',
      2_048,
      'https://api.example.com',
    ),
  },
  {
    examples: [{ grant_type: 'client_credentials', scope: 'invoices:read', resource: 'https://api.example.com' }],
  },
)

export type TokenInput = Static<typeof TokenBody>

const IssuedAccessToken = namedSchema(
  'IssuedAccessToken',
  Type.Object({
    access_token: Type.String(),
    token_type: Type.Literal('Bearer'),
    expires_in: Type.Integer({ description: 'the lifetime in seconds' }),
    scope: Type.Optional(Type.String({ description: 'absent if the token has no scopes' })),
    refresh_token: Type.Optional(Type.String({ description: 'replaces the one that was sent' })),
    id_token: Type.Optional(Type.String({ description: 'with the scope `openid` (OpenID Connect Core, 2)' })),
  }),
)

export const TokenRoute = describe(
  {
    operationId: 'issueToken',
    summary: 'Get an access token',
    description:
      'RFC 6749, with client credentials (4.4), authorization codes (4.1.3) and refresh tokens (6). The request is a form. ' +
      'Resources determine whether the token is a JWT (RFC 9068) or opaque. Each use of a refresh token yields a new one; ' +
      'one that was replaced must not be used again. A client that is disabled gets no tokens, and those that it has end.',
    tag: oauthTag,
    errors: [
      'invalid_request',
      'invalid_client',
      'invalid_grant',
      'unsupported_grant_type',
      'unauthorized_client',
      'invalid_scope',
      'invalid_target',
    ],
  },
  { body: TokenBody },
  withExample(IssuedAccessToken, {
    access_token: 'wat_…',
    token_type: 'Bearer',
    expires_in: 600,
    scope: 'invoices:read',
  }),
)
