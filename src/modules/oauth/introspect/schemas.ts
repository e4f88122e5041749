import Type from 'typebox'
import { withExample } from '../../../http/responses/examples.ts'
import { describe, namedSchema } from '../../../http/responses/schemas.ts'
import { clientMembers, oauthTag } from '../client-authentication/schemas.ts'

const TokenOfClient = Type.Object(
  {
    ...clientMembers,
    token: Type.Optional(Type.String({ maxLength: 10_000, description: 'required', examples: ['wat_…'] })),
    token_type_hint: Type.Optional(
      Type.String({ maxLength: 100, description: 'ignored, because tokens are told apart by their form' }),
    ),
  },
  { examples: [{ token: 'wat_…' }] },
)

const errors = ['invalid_request', 'invalid_client'] as const

const Introspection = namedSchema(
  'Introspection',
  Type.Object({
    active: Type.Boolean(),
    scope: Type.Optional(Type.String()),
    client_id: Type.Optional(Type.String()),
    username: Type.Optional(Type.String({ description: 'the user of a token or of a personal API key' })),
    token_type: Type.Optional(Type.String({ description: '`Bearer`, `refresh_token` or `api_key`' })),
    exp: Type.Optional(Type.Integer()),
    iat: Type.Optional(Type.Integer()),
    sub: Type.Optional(Type.String()),
    aud: Type.Optional(Type.String()),
    iss: Type.Optional(Type.String()),
    jti: Type.Optional(Type.String()),
    kind: Type.Optional(Type.String({ description: '`token` or `api_key`' })),
  }),
)

export const IntrospectRoute = describe(
  {
    operationId: 'introspectToken',
    summary: 'Ask whether a token or API key is valid',
    description:
      'RFC 7662. Resource servers can ask about tokens for their resources and about API keys with a permission of their ' +
      'application, and clients about their own tokens. All others are inactive. With `minimal=true`, the response ' +
      'contains only `active` and `exp`. Clients can also ask about their refresh tokens.',
    tag: oauthTag,
    errors,
  },
  {
    body: Type.Object({
      ...TokenOfClient.properties,
      minimal: Type.Optional(Type.String({ maxLength: 10, description: '`true` or `false`', examples: ['true'] })),
    }),
  },
  withExample(Introspection, {
    active: true,
    scope: 'invoices:read',
    client_id: 'billing-worker',
    token_type: 'Bearer',
    exp: 1_793_600_600,
    iat: 1_793_600_000,
    sub: 'billing-worker',
    aud: 'https://api.example.com',
    iss: 'https://id.example.com',
    kind: 'token',
  }),
)

export const RevokeRoute = describe(
  {
    operationId: 'revokeToken',
    summary: 'Revoke a token',
    description:
      'RFC 7009. The token is rejected within a second, also if it is a JWT. Tokens of other clients stay valid, and the ' +
      'response is the same. With a refresh token, the access ends as a whole.',
    tag: oauthTag,
    errors,
  },
  { body: TokenOfClient },
  withExample(Type.Object({ success: Type.Literal(true) }), { success: true }),
)
