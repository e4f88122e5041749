import Type from 'typebox'
import { anyone, type RouteAccess } from '../../../http/access/access.ts'
import { exampleValues, withExample } from '../../../http/responses/examples.ts'
import { describe, namedSchema } from '../../../http/responses/schemas.ts'
import { oauthTag } from '../client-authentication/schemas.ts'

export const accessTokenHolder: RouteAccess = {
  ...anyone,
  description: 'an access token with the scope `openid`, in Authorization (Bearer)',
}

const text = Type.Optional(Type.String())
const flag = Type.Optional(Type.Boolean())
const texts = Type.Optional(Type.Array(Type.String()))

const UserInfo = namedSchema(
  'UserInfo',
  Type.Object({
    sub: Type.String({ description: 'the id of the user' }),
    ...{ name: text, given_name: text, family_name: text, preferred_username: text, picture: text, gender: text },
    ...{ birthdate: text, zoneinfo: text, locale: text },
    updated_at: Type.Optional(Type.Integer({ description: 'in seconds since 1970' })),
    ...{ email: text, email_verified: flag, phone_number: text, phone_number_verified: flag },
    address: Type.Optional(
      Type.Object({ country: text, region: text, postal_code: text, formatted: text }, { additionalProperties: false }),
    ),
    business: Type.Optional(
      Type.Object({ name: text, position: text, is_business: flag }, { additionalProperties: false }),
    ),
    roles: Type.Optional(Type.Array(Type.String(), { description: 'those of the application of the client' })),
    ...{ groups: texts, user_type: text, permissions: texts },
  }),
)

const words = {
  description:
    'OpenID Connect Core, 5.3. The scopes of the token determine which claims the response contains. Claims without a value ' +
    'are absent.',
  tag: oauthTag,
  errors: ['invalid_request', 'invalid_token', 'insufficient_scope'],
} as const

const response = withExample(UserInfo, {
  ...{ sub: exampleValues.id, name: 'Ada Example', given_name: 'Ada', family_name: 'Example' },
  ...{ email: 'ada@example.com', email_verified: true },
})

export const UserInfoRoute = describe(
  { operationId: 'getUserInfo', summary: 'Get the claims of a user', ...words },
  {},
  response,
)

export const UserInfoFormRoute = describe(
  { operationId: 'getUserInfoByForm', summary: 'Get the claims of a user, with a form', ...words },
  {
    body: Type.Object(
      {
        access_token: Type.Optional(
          Type.String({ maxLength: 8_192, description: 'unless Authorization contains it', examples: ['wat_…'] }),
        ),
      },
      { examples: [{ access_token: 'wat_…' }] },
    ),
  },
  response,
)
