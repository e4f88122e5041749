import Type from 'typebox'
import { exampleValues } from '../../http/responses/examples.ts'
import { describe, success } from '../../http/responses/schemas.ts'
import { keyList } from './account-schemas.ts'

const tag = 'API keys'
const ofUser = Type.Object({ user_id: Type.String({ maxLength: 100, examples: [exampleValues.id] }) })

export const ListUserKeysRoute = describe(
  {
    operationId: 'listUserApiKeys',
    summary: "List a user's API keys",
    description: 'Never returns the keys themselves.',
    tag,
    errors: ['NOT_FOUND'],
  },
  { params: ofUser },
  keyList,
)

export const RevokeUserKeysRoute = describe(
  {
    operationId: 'revokeUserApiKeys',
    summary: "Revoke a user's API keys",
    description: 'Also requires the permission users:end_sessions.',
    tag,
    errors: ['NOT_FOUND', 'FORBIDDEN'],
  },
  {
    params: ofUser,
    body: Type.Object(
      {
        key_ids: Type.Optional(
          Type.Array(Type.String({ maxLength: 100 }), { minItems: 1, maxItems: 100, description: 'default: all keys' }),
        ),
      },
      { examples: [{}] },
    ),
  },
  success({ revoked: Type.Integer({ description: 'the number of keys that were valid before' }) }),
)
