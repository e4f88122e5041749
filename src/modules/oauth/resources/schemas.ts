import Type from 'typebox'
import { exampleValues, withExample } from '../../../http/responses/examples.ts'
import { Done, describe, ExpectedTime, Id, namedSchema, success, Timestamp } from '../../../http/responses/schemas.ts'
import { oauthTag } from '../client-authentication/schemas.ts'
import { type SigningAlg, signingAlgs, type TokenFormat, tokenFormats } from '../rows.ts'
import { maxAliases, maxIdentifier } from './read-input.ts'

const needsProof = 'Requires a sign-in or reauthentication within REAUTH_WINDOW.'

const Format = Type.Unsafe<TokenFormat>({ type: 'string', enum: [...tokenFormats] })
const nullableInteger = { type: ['integer', 'null'] } as const

export const ApplicationOfOAuth = Type.Object({ id: Id, key: Type.String() })

const OAuthResource = namedSchema(
  'OAuthResource',
  Type.Object({
    id: Id,
    application: ApplicationOfOAuth,
    identifier: Type.String({ description: 'the audience of its tokens (RFC 8707)' }),
    aliases: Type.Array(Type.String(), { description: 'what clients may also send in `resource`' }),
    name: Type.String(),
    token_format: Format,
    access_ttl: Type.Unsafe<number | null>({
      ...nullableInteger,
      description: 'the lifetime of its tokens in seconds; null: OAUTH_ACCESS_TOKEN_TTL',
    }),
    alg: Type.Unsafe<SigningAlg | null>({
      type: ['string', 'null'],
      enum: [...signingAlgs, null],
      description: 'null: OAUTH_ACCESS_TOKEN_ALG',
    }),
    scopes: Type.Array(Type.String(), { description: 'the permissions that the application declares' }),
    enabled: Type.Boolean(),
    created_at: Timestamp,
    updated_at: Timestamp,
  }),
)

const example = {
  id: exampleValues.id,
  application: { id: exampleValues.id, key: 'billing' },
  identifier: 'https://api.example.com',
  aliases: [],
  name: 'Billing API',
  token_format: 'jwt' as const,
  access_ttl: null,
  alg: null,
  scopes: ['invoices:read'],
  enabled: true,
  created_at: exampleValues.time,
  updated_at: exampleValues.time,
}

const idInput = Type.String({ maxLength: 100, examples: [exampleValues.id] })
const params = Type.Object({ resource_id: idInput })
const identifier = Type.String({ minLength: 1, maxLength: 4 * maxIdentifier, examples: ['https://api.example.com'] })

const changeable = {
  aliases: Type.Optional(Type.Array(identifier, { maxItems: maxAliases })),
  name: Type.Optional(Type.String({ minLength: 1, maxLength: 320, examples: ['Billing API'] })),
  token_format: Type.Optional(Format),
  access_ttl: Type.Optional(
    Type.Unsafe<number | null>({
      ...nullableInteger,
      keepNull: true,
      description: 'in seconds; at most 3600 for JWTs',
    }),
  ),
  alg: Type.Optional(
    Type.Unsafe<SigningAlg | null>({ type: ['string', 'null'], enum: [...signingAlgs, null], keepNull: true }),
  ),
  enabled: Type.Optional(Type.Boolean({ examples: [true] })),
}

const shown = withExample(success({ data: OAuthResource }), { success: true, data: example })

export const ListResourcesRoute = describe(
  {
    operationId: 'listOAuthResources',
    summary: 'List the APIs for which tokens are issued',
    description: 'In the order of their identifiers. Their scopes are the permissions that their application declares.',
    tag: oauthTag,
  },
  {},
  withExample(success({ data: Type.Object({ resources: Type.Array(OAuthResource) }) }), {
    success: true,
    data: { resources: [example] },
  }),
)

export const GetResourceRoute = describe(
  {
    operationId: 'getOAuthResource',
    summary: 'Get an API for which tokens are issued',
    description: 'With the scopes that it has now.',
    tag: oauthTag,
    errors: ['OAUTH_RESOURCE_UNKNOWN'],
  },
  { params },
  shown,
)

export const CreateResourceRoute = describe(
  {
    operationId: 'createOAuthResource',
    summary: 'Add an API for which tokens are issued',
    description: `It belongs to an application, whose permissions are its scopes. ${needsProof}`,
    tag: oauthTag,
    errors: ['OAUTH_RESOURCE_TAKEN', 'REAUTH_REQUIRED', 'FORBIDDEN'],
  },
  {
    body: Type.Object(
      { application_id: idInput, identifier, ...changeable },
      { examples: [{ application_id: exampleValues.id, identifier: 'https://api.example.com' }] },
    ),
  },
  shown,
)

export const UpdateResourceRoute = describe(
  {
    operationId: 'updateOAuthResource',
    summary: 'Update, enable or disable an API for which tokens are issued',
    description:
      'Members that are not sent stay as they are. Tokens for a disabled API, or for an identifier that it no longer ' +
      `has, are rejected within a second. ${needsProof}`,
    tag: oauthTag,
    errors: ['OAUTH_RESOURCE_UNKNOWN', 'OAUTH_RESOURCE_TAKEN', 'EDIT_CONFLICT', 'REAUTH_REQUIRED', 'FORBIDDEN'],
  },
  {
    params,
    body: Type.Object(
      { identifier: Type.Optional(identifier), ...changeable, expected_updated_at: ExpectedTime },
      { examples: [{ enabled: false }] },
    ),
  },
  shown,
)

export const DeleteResourceRoute = describe(
  {
    operationId: 'deleteOAuthResource',
    summary: 'Remove an API for which tokens are issued',
    description: `Its tokens end, and clients lose it. ${needsProof}`,
    tag: oauthTag,
    errors: ['OAUTH_RESOURCE_UNKNOWN', 'REAUTH_REQUIRED', 'FORBIDDEN'],
  },
  { params },
  Done,
)
