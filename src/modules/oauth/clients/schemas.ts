import Type from 'typebox'
import { exampleValues, withExample } from '../../../http/responses/examples.ts'
import { Done, describe, ExpectedTime, Pagination, pageMembers, success } from '../../../http/responses/schemas.ts'
import { oauthTag } from '../client-authentication/schemas.ts'
import { type ClientState, clientStates } from './queries.ts'
import { maxResources, maxScopes } from './read-input.ts'
import {
  ClientKind,
  clientExample,
  ListedOAuthClient,
  listedClientExample,
  nullableInteger,
  OAuthClient,
} from './shown-schemas.ts'
import { AuthMethod, signInChangeable } from './sign-in-schemas.ts'

export const needsProof = 'Requires a sign-in or reauthentication within REAUTH_WINDOW.'
const rule =
  'The scopes of a machine must be scopes of its service account. Those of `web`, `spa` and `native` are scopes of OpenID ' +
  'Connect (`openid`, `profile`, `email`, `phone`, `roles`, `offline_access`, and with the onboarding module `address` and ' +
  '`business`), and permissions of the applications of the resources. Superadmins can give all scopes. Other ' +
  'administrators can give only those that correspond to their permissions.'
const termErrors = ['OAUTH_SCOPE_UNKNOWN', 'OAUTH_REDIRECT_INVALID', 'KEY_SCOPE_NOT_ALLOWED'] as const
export const changeErrors = ['OAUTH_CLIENT_NOT_FOUND', 'REAUTH_REQUIRED', 'FORBIDDEN'] as const

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
  auth_method: Type.Optional(AuthMethod),
  ...signInChangeable,
}

const shown = withExample(success({ data: OAuthClient }), { success: true, data: clientExample })

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
      type: Type.Optional(ClientKind),
      resource_id: Type.Optional(Type.String({ maxLength: 100, description: 'only clients that have this resource' })),
      ...pageMembers,
    }),
  },
  withExample(success({ data: Type.Object({ clients: Type.Array(ListedOAuthClient), pagination: Pagination }) }), {
    success: true,
    data: { clients: [listedClientExample], pagination: { page: 1, limit: 10, total: 1, pages: 1, has_more: false } },
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
      `A machine needs a service account; \`web\`, \`spa\` and \`native\` need a redirect address. ${rule} To move a client from another authorization server, send its ` +
      `\`client_id\` and \`secret\`. ${needsProof}`,
    tag: oauthTag,
    errors: ['OAUTH_CLIENT_ID_TAKEN', ...termErrors, 'REAUTH_REQUIRED', 'FORBIDDEN'],
  },
  {
    body: Type.Object(
      {
        application_id: idInput,
        type: ClientKind,
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
      client_secret: Type.Optional(
        Type.String({ description: 'cannot be read again; absent if it was sent, and for `spa` and `native`' }),
      ),
    }),
    { success: true, data: clientExample, client_secret: 'wcs_…' },
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
    errors: [...changeErrors, ...termErrors, 'EDIT_CONFLICT'],
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
