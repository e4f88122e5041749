import Type, { type TSchema } from 'typebox'
import { type ClientAuthMethod, type SigningAlg, signingAlgs } from '../rows.ts'
import { maxAddressLength } from './address-problem.ts'
import { maxAddressesOfClient, maxAllowedTypes } from './sign-in-input.ts'

const nullable = <Value>(schema: object, description: string) =>
  Type.Unsafe<Value | null>({ ...schema, keepNull: true, description })
const seconds = (description: string) => nullable<number>({ type: ['integer', 'null'] }, description)
const list = (description: string, itemLength: number, example: string, maxItems: number) =>
  Type.Array(Type.String({ maxLength: itemLength }), { maxItems, description, examples: [[example]] })
// The longest address is one character shorter, so that the message of the use case names the reason.
const addresses = (description: string, example: string) =>
  list(description, maxAddressLength + 1, example, maxAddressesOfClient)

export const AuthMethod = Type.Unsafe<ClientAuthMethod>({
  type: 'string',
  enum: ['client_secret', 'none'],
  description: '`none` for `spa` and `native`, which cannot keep a secret',
})

/** The members of clients that sign users in. Those of other clients have no effect. */
export const signInShown = {
  redirect_uris: addresses('addresses to which users return, compared exactly', 'https://app.example.com/callback'),
  post_logout_uris: addresses('addresses to which users return after a sign-out', 'https://app.example.com/'),
  allowed_origins: addresses('origins whose pages may call the token endpoint; only `spa`', 'https://app.example.com'),
  require_pkce: Type.Boolean({ description: 'only `web` can do without PKCE' }),
  trusted: Type.Boolean({ description: 'users are not asked for their consent; only `web` and `spa`' }),
  id_token_alg: nullable<SigningAlg>(
    { type: ['string', 'null'], enum: [...signingAlgs, null] },
    'the algorithm of ID tokens; null: RS256',
  ),
  id_token_claims: Type.Boolean({ description: 'ID tokens also contain the claims of the UserInfo endpoint' }),
  groups_claim: Type.Boolean({ description: 'the claim `groups` repeats `roles`' }),
  offline_default: Type.Boolean({
    description: 'access lasts after the sign-out, even without the scope `offline_access`; only `web` and `native`',
  }),
  refresh_idle_ttl: seconds('in seconds, from 3600 to 31536000; null: OAUTH_REFRESH_IDLE_TTL'),
  refresh_absolute_ttl: seconds('in seconds, from 3600 to 31536000; null: OAUTH_REFRESH_ABSOLUTE_TTL'),
  allowed_types: list('the types of users who may sign in; empty: all', 100, 'customer', maxAllowedTypes),
  required_permission: nullable<string>(
    { type: ['string', 'null'], maxLength: 80 },
    'a permission of the application that users need to sign in',
  ),
  backchannel_uri: nullable<string>(
    { type: ['string', 'null'], maxLength: maxAddressLength + 1 },
    'is called when a session ends (OpenID Connect Back-Channel Logout 1.0); only `web` and `spa`',
  ),
}

type OptionalMembers<Members extends Record<string, TSchema>> = {
  [Name in keyof Members]: ReturnType<typeof Type.Optional<Members[Name]>>
}

export const signInChangeable = Object.fromEntries(
  Object.entries(signInShown).map(([name, schema]) => [name, Type.Optional(schema)]),
) as unknown as OptionalMembers<typeof signInShown>

/** Of a machine. */
export const noSignIn = {
  ...{ redirect_uris: [], post_logout_uris: [], allowed_origins: [], require_pkce: true, trusted: false },
  ...{ id_token_alg: null, id_token_claims: false, groups_claim: false, offline_default: false },
  ...{ refresh_idle_ttl: null, refresh_absolute_ttl: null },
  ...{ allowed_types: [], required_permission: null, backchannel_uri: null },
}
