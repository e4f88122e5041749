import Type, { type Static } from 'typebox'
import { withExample } from '../../../http/responses/examples.ts'
import { describe, namedSchema } from '../../../http/responses/schemas.ts'
import { clientMembers, oauthTag } from '../client-authentication/schemas.ts'

const parameter = (description: string, maxLength: number, example: string) =>
  Type.Optional(Type.String({ maxLength, description, examples: [example] }))

const TokenBody = Type.Object(
  {
    ...clientMembers,
    grant_type: parameter('`client_credentials`', 100, 'client_credentials'),
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
  }),
)

export const TokenRoute = describe(
  {
    operationId: 'issueToken',
    summary: 'Get an access token',
    description:
      'RFC 6749, with client credentials (4.4). The request is a form. Resources determine whether the token is a JWT ' +
      '(RFC 9068) or opaque. A client that is disabled, or whose service account is, gets none, and its tokens end.',
    tag: oauthTag,
    errors: [
      'invalid_request',
      'invalid_client',
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
