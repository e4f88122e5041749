import Type from 'typebox'
import { exampleValues } from '../../../http/responses/examples.ts'
import { Id, NullableTimestamp, namedSchema, Timestamp } from '../../../http/responses/schemas.ts'
import { ApplicationOfOAuth } from '../resources/schemas.ts'
import { type ClientType, clientTypes } from '../rows.ts'
import { AuthMethod, noSignIn, signInShown } from './sign-in-schemas.ts'

export const ClientKind = Type.Unsafe<ClientType>({
  type: 'string',
  enum: [...clientTypes],
  description:
    '`machine`: gets tokens for itself. `resource_server`: an API that asks whether tokens are valid. `web`: a program on ' +
    'a server, `spa`: a page in a browser, and `native`: a program on a device, which sign users in',
})
export const nullableInteger = { type: ['integer', 'null'] } as const

const members = {
  client_id: Type.String(),
  type: ClientKind,
  name: Type.String(),
  application: ApplicationOfOAuth,
  service_account: Type.Unsafe<{ id: string; name: string } | null>({
    type: ['object', 'null'],
    properties: { id: { type: 'string' }, name: { type: 'string' } },
    required: ['id', 'name'],
    description: 'the account that bounds the scopes of a machine',
  }),
  scopes: Type.Array(Type.String()),
  resources: Type.Array(Type.String(), { description: 'ids; the first one is the default of a machine' }),
  access_ttl: Type.Unsafe<number | null>({
    ...nullableInteger,
    description: 'the lifetime of its tokens in seconds; null: that of the resource',
  }),
  grant_types: Type.Array(Type.String()),
  auth_method: AuthMethod,
  enabled: Type.Boolean(),
  last_used_at: NullableTimestamp,
  created_at: Timestamp,
  updated_at: Timestamp,
  ...signInShown,
}

export const ListedOAuthClient = namedSchema('ListedOAuthClient', Type.Object(members))

export const OAuthClient = namedSchema(
  'OAuthClient',
  Type.Object({
    ...members,
    secrets: Type.Array(
      Type.Object({
        id: Id,
        hint: Type.String({ description: 'the beginning and the end of the secret' }),
        created_at: Timestamp,
        expires_at: NullableTimestamp,
        last_used_at: NullableTimestamp,
      }),
    ),
  }),
)

export const listedClientExample = {
  client_id: 'billing-worker',
  type: 'machine' as const,
  name: 'Billing worker',
  application: { id: exampleValues.id, key: 'billing' },
  service_account: { id: exampleValues.id, name: 'Billing worker' },
  scopes: ['invoices:read'],
  resources: [exampleValues.id],
  access_ttl: null,
  grant_types: ['client_credentials'],
  auth_method: 'client_secret' as const,
  enabled: true,
  last_used_at: null,
  created_at: exampleValues.time,
  updated_at: exampleValues.time,
  ...noSignIn,
}
export const clientExample = {
  ...listedClientExample,
  secrets: [
    {
      id: exampleValues.id,
      hint: 'wcs_4Tz…x8Qe',
      created_at: exampleValues.time,
      expires_at: null,
      last_used_at: null,
    },
  ],
}
