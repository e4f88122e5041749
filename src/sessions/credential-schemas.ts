import Type from 'typebox'
import { type CredentialKind, credentialKinds } from '../context/credentials.ts'
import { Id, NullableTimestamp, Timestamp } from '../http/responses/schemas.ts'
import { BridgeUser } from '../users/schemas.ts'
import { BridgeSession } from './bridge-session-schemas.ts'

const Kind = Type.Unsafe<CredentialKind>({ type: 'string', enum: [...credentialKinds] })

const nullable = <Schema extends object>(schema: Schema, description: string) => ({
  anyOf: [schema, { type: 'null' }],
  description,
})

const Scopes = (description: string) =>
  Type.Array(Type.String({ maxLength: 100, pattern: '^[a-z][a-z0-9_:-]*$' }), {
    maxItems: 200,
    keepNull: true,
    description,
  })

/** Members of the body of POST /auth/bridge/validate. */
export const credentialMembers = {
  credential: Type.Optional(
    Type.String({
      maxLength: 8192,
      description: 'a session token, an API key or an access token, instead of session_id',
    }),
  ),
  credentials: Type.Optional(
    Type.Array(Type.String({ maxLength: 8192 }), { maxItems: 500, description: 'several, instead of credential' }),
  ),
  accept: Type.Optional(
    Type.Array(Kind, {
      minItems: 1,
      maxItems: credentialKinds.length,
      keepNull: true,
      description: 'only with credential or credentials: the kinds that are accepted; default: all',
    }),
  ),
  scopes: Type.Optional(
    Scopes('only with credential or credentials: the scopes that an API key or access token must have, all of them'),
  ),
  resource: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 2048,
      keepNull: true,
      description:
        'only with credential or credentials: the identifier of the API for which an access token must have been issued; ' +
        'required for access tokens',
    }),
  ),
}

export const ValidatedCredential = Type.Object(
  {
    success: Type.Literal(true),
    kind: Kind,
    user: Type.Unsafe<object | null>(nullable(BridgeUser, 'null for service accounts')),
    session: Type.Unsafe<object | null>(nullable(BridgeSession, 'null unless `kind` is `session`')),
    service_account: Type.Unsafe<object | null>(
      nullable(Type.Object({ id: Id, name: Type.String() }), 'null for credentials of users'),
    ),
    key: Type.Unsafe<object | null>(
      nullable(
        Type.Object({
          id: Id,
          name: Type.String(),
          kind: Type.Unsafe<'personal' | 'service'>({ type: 'string', enum: ['personal', 'service'] }),
          last_used_at: NullableTimestamp,
          ip_ranges: Type.Array(Type.String()),
        }),
        'null unless `kind` is `api_key`',
      ),
    ),
    client: Type.Unsafe<object | null>(
      nullable(
        Type.Object({ id: Type.String(), name: Type.String(), type: Type.String() }),
        'the OAuth client of an access token; otherwise null',
      ),
    ),
    roles: Type.Array(Type.String()),
    permissions: Type.Array(Type.String(), {
      description: 'for API keys and access tokens: those among the scopes that applications have declared',
    }),
    scopes: Type.Array(Type.String(), {
      description: 'the scopes that the credential has at present; none for sessions',
    }),
    resource: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'the API for which an access token was issued; otherwise null',
    }),
    expires_at: NullableTimestamp,
    authenticated_at: Type.Unsafe<string | null>({ ...NullableTimestamp, description: 'null for API keys' }),
    methods: Type.Array(Type.String(), { description: 'as for sessions; none for API keys' }),
    owners: Type.Array(Type.String(), {
      description: 'for clients with a cache: the ids of the owners whose `revoked` events invalidate this credential',
    }),
    cached: Type.Boolean({ description: 'false if the credential was read from the database' }),
    cacheSource: Type.Union([Type.Literal('memory'), Type.Literal('redis'), Type.Literal('database')]),
    timestamp: Timestamp,
  },
  { title: 'ValidatedCredential' },
)
