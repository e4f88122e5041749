import Type from 'typebox'
import { exampleValues, withExample } from '../../../http/responses/examples.ts'
import {
  Done,
  describe,
  ExpectedTime,
  Id,
  NullableTimestamp,
  namedSchema,
  Pagination,
  pageMembers,
  success,
  Timestamp,
} from '../../../http/responses/schemas.ts'
import { oauthTag } from '../client-authentication/schemas.ts'
import { ApplicationOfOAuth } from '../resources/schemas.ts'
import { type ClientType, clientTypes } from '../rows.ts'
import { type ClientState, clientStates } from './queries.ts'
import { maxResources, maxScopes } from './read-input.ts'

export const needsProof = 'Requires a sign-in or reauthentication within REAUTH_WINDOW.'
const rule =
  'The scopes must be scopes of the service account. Superadmins can give all scopes. Other administrators can give only ' +
  'those that correspond to their permissions.'
export const changeErrors = ['OAUTH_CLIENT_NOT_FOUND', 'REAUTH_REQUIRED', 'FORBIDDEN'] as const

const Kind = Type.Unsafe<ClientType>({
  type: 'string',
  enum: [...clientTypes],
  description: '`machine`: gets tokens for itself. `resource_server`: an API that asks whether tokens are valid',
})
const nullableInteger = { type: ['integer', 'null'] } as const

const members = {
  client_id: Type.String(),
  type: Kind,
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
  enabled: Type.Boolean(),
  last_used_at: NullableTimestamp,
  created_at: Timestamp,
  updated_at: Timestamp,
}

const ListedOAuthClient = namedSchema('ListedOAuthClient', Type.Object(members))

const OAuthClient = namedSchema(
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

const listedExample = {
  client_id: 'billing-worker',
  type: 'machine' as const,
  name: 'Billing worker',
  application: { id: exampleValues.id, key: 'billing' },
  service_account: { id: exampleValues.id, name: 'Billing worker' },
  scopes: ['invoices:read'],
  resources: [exampleValues.id],
  access_ttl: null,
  grant_types: ['client_credentials'],
  enabled: true,
  last_used_at: null,
  created_at: exampleValues.time,
  updated_at: exampleValues.time,
}
const example = {
  ...listedExample,
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

export const idInput = Type.String({ maxLength: 100, examples: [exampleValues.id] })
export const clientParams = Type.Object({ client_id: Type.String({ maxLength: 100, examples: ['billing-worker'] }) })

const changeable = {
  name: Type.Optional(Type.String({ minLength: 1, maxLength: 320, examples: ['Billing worker'] })),
  service_account_id: Type.Optional(idInput),
  scopes: Type.Optional(
    Type.Array(Type.String({ maxLength: 80 }), { maxItems: maxScopes, examples: [['invoices:read']] }),
  ),
  resources: Type.Optional(Type.Array(idInput, { maxItems: maxResources })),
  access_ttl: Type.Optional(
    Type.Unsafe<number | null>({ ...nullableInteger, keepNull: true, description: 'in seconds' }),
  ),
  enabled: Type.Optional(Type.Boolean({ examples: [true] })),
}

const shown = withExample(success({ data: OAuthClient }), { success: true, data: example })

export const ListClientsRoute = describe(
  {
    operationId: 'listOAuthClients',
    summary: 'List OAuth clients',
    description: 'In the order of their names.',
    tag: oauthTag,
  },
  {
    querystring: Type.Object({
      q: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 100,
          description: 'part of an identifier, or of the name of a client, its application or its service account',
        }),
      ),
      state: Type.Optional(Type.Unsafe<ClientState>({ type: 'string', enum: [...clientStates] })),
      type: Type.Optional(Kind),
      resource_id: Type.Optional(Type.String({ maxLength: 100, description: 'only clients that have this resource' })),
      ...pageMembers,
    }),
  },
  withExample(success({ data: Type.Object({ clients: Type.Array(ListedOAuthClient), pagination: Pagination }) }), {
    success: true,
    data: { clients: [listedExample], pagination: { page: 1, limit: 10, total: 1, pages: 1, has_more: false } },
  }),
)

export const GetClientRoute = describe(
  {
    operationId: 'getOAuthClient',
    summary: 'Get an OAuth client',
    description: 'With its secrets, of which only hints can be read.',
    tag: oauthTag,
    errors: ['OAUTH_CLIENT_NOT_FOUND'],
  },
  { params: clientParams },
  shown,
)

export const CreateClientRoute = describe(
  {
    operationId: 'createOAuthClient',
    summary: 'Create an OAuth client',
    description:
      `A machine needs a service account. ${rule} To move a client from another authorization server, send its ` +
      `\`client_id\` and \`secret\`. ${needsProof}`,
    tag: oauthTag,
    errors: ['OAUTH_CLIENT_ID_TAKEN', 'OAUTH_SCOPE_UNKNOWN', 'KEY_SCOPE_NOT_ALLOWED', 'REAUTH_REQUIRED', 'FORBIDDEN'],
  },
  {
    body: Type.Object(
      {
        application_id: idInput,
        type: Kind,
        client_id: Type.Optional(
          Type.String({ maxLength: 100, description: 'default: a UUID', examples: ['billing-worker'] }),
        ),
        secret: Type.Optional(
          Type.String({ maxLength: 1_000, description: 'the secret that the client already has', examples: ['…'] }),
        ),
        ...changeable,
      },
      {
        examples: [
          {
            application_id: exampleValues.id,
            type: 'machine',
            name: 'Billing worker',
            service_account_id: exampleValues.id,
            scopes: ['invoices:read'],
            resources: [exampleValues.id],
          },
        ],
      },
    ),
  },
  withExample(
    success({
      data: OAuthClient,
      client_secret: Type.Optional(Type.String({ description: 'cannot be read again; absent if it was sent' })),
    }),
    { success: true, data: example, client_secret: 'wcs_…' },
  ),
)

export const UpdateClientRoute = describe(
  {
    operationId: 'updateOAuthClient',
    summary: 'Update, enable or disable an OAuth client',
    description:
      'Members that are not sent stay as they are. A disabled client gets no tokens, and those that it has are rejected ' +
      `within a second, also after it is enabled again. ${rule} ${needsProof}`,
    tag: oauthTag,
    errors: [...changeErrors, 'OAUTH_SCOPE_UNKNOWN', 'KEY_SCOPE_NOT_ALLOWED', 'EDIT_CONFLICT'],
  },
  {
    params: clientParams,
    body: Type.Object({ ...changeable, expected_updated_at: ExpectedTime }, { examples: [{ enabled: false }] }),
  },
  shown,
)

export const DeleteClientRoute = describe(
  {
    operationId: 'deleteOAuthClient',
    summary: 'Delete an OAuth client',
    description: `Its tokens end. No other client can get its identifier. ${needsProof}`,
    tag: oauthTag,
    errors: changeErrors,
  },
  { params: clientParams },
  Done,
)
