import Type from 'typebox'
import { exampleValues, withExample } from '../../../http/responses/examples.ts'
import { describe, NullableTimestamp, namedSchema, success, Timestamp } from '../../../http/responses/schemas.ts'
import { type SigningAlg, signingAlgs } from '../rows.ts'
import type { RotatedKey } from './rotate-keys.ts'

const tag = 'OAuth'

export const jwksPath = '/oauth/jwks'

const Alg = Type.Unsafe<SigningAlg>({ type: 'string', enum: signingAlgs, description: 'the algorithm (RFC 7518)' })
const Kid = Type.String({ description: 'the thumbprint of the public key (RFC 7638)' })

const exampleKid = 'nH4Eyl0JGyx5fMuR7i0UOcQjkZmFqz3L8PTE_bzVXkA'

const PublicKey = namedSchema(
  'JsonWebKey',
  Type.Object({
    kty: Type.String(),
    kid: Kid,
    alg: Alg,
    use: Type.Literal('sig'),
    crv: Type.Optional(Type.String()),
    x: Type.Optional(Type.String()),
    y: Type.Optional(Type.String()),
    n: Type.Optional(Type.String()),
    e: Type.Optional(Type.String()),
  }),
)

export const JwksRoute = describe(
  {
    operationId: 'getSigningKeys',
    summary: 'Get the public keys that verify tokens (JWKS)',
    description:
      'The keys of RFC 7517. Cache them for an hour, and read them again if a token names an unknown `kid`, but at most ' +
      'once a minute. A key is published before it signs, and for two hours after it has signed.',
    tag,
  },
  {},
  withExample(Type.Object({ keys: Type.Array(PublicKey) }), {
    keys: [
      {
        ...{ kty: 'EC', kid: exampleKid, alg: 'ES256', use: 'sig', crv: 'P-256' },
        x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
        y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
      },
    ],
  }),
)

const ListedKey = namedSchema(
  'SigningKey',
  Type.Object({
    kid: Kid,
    alg: Alg,
    status: Type.Unsafe<'next' | 'current' | 'retired' | 'removed'>({
      type: 'string',
      enum: ['next', 'current', 'retired', 'removed'],
      description:
        '`next`: published, but does not sign yet; `current`: signs; `retired`: no longer signs; `removed`: neither ' +
        'signs nor verifies, because it was compromised or came from a backup',
    }),
    published: Type.Boolean({ description: 'whether the key is in the JWKS' }),
    created_at: Timestamp,
    active_from: Type.Unsafe<string>({ ...Timestamp, description: 'when the key began or will begin to sign' }),
    retired_at: NullableTimestamp,
    published_until: NullableTimestamp,
  }),
)

const listedExample = {
  ...{ kid: exampleKid, alg: 'ES256', status: 'current', published: true },
  ...{ created_at: exampleValues.time, active_from: exampleValues.time, retired_at: null, published_until: null },
}

export const ListKeysRoute = describe(
  {
    operationId: 'listSigningKeys',
    summary: 'List the keys that sign tokens',
    description: 'Never returns the keys themselves.',
    tag,
  },
  {},
  withExample(success({ data: Type.Object({ keys: Type.Array(ListedKey) }) }), {
    success: true,
    data: { keys: [listedExample] },
  }),
)

const outcomes = ['activated', 'published', 'replaced'] as const satisfies readonly RotatedKey['outcome'][]

export const RotateKeysRoute = describe(
  {
    operationId: 'rotateSigningKeys',
    summary: 'Replace the keys that sign tokens',
    description:
      'The next key signs from now on, and the former one verifies until its tokens have ended. Without a next key, one ' +
      'is published, and signs after OAUTH_KEY_PUBLISH_AHEAD. With `compromised`, a new key signs at once, and all other ' +
      'keys of the algorithm are removed, so that the tokens that they signed are rejected within a second. All ' +
      'superadmins are then sent an email. Requires a sign-in or reauthentication within REAUTH_WINDOW.',
    tag,
    errors: ['REAUTH_REQUIRED', 'OAUTH_KEY_BUSY'],
  },
  {
    body: Type.Object(
      {
        alg: Type.Optional(
          Type.Unsafe<SigningAlg>({
            type: 'string',
            enum: signingAlgs,
            description: 'default: all algorithms that have keys',
          }),
        ),
        compromised: Type.Optional(Type.Boolean({ description: 'whether others may know the private key' })),
      },
      { examples: [{ alg: 'ES256' }] },
    ),
  },
  withExample(
    success({
      data: Type.Object({
        keys: Type.Array(
          Type.Object({
            alg: Alg,
            kid: Kid,
            outcome: Type.Unsafe<RotatedKey['outcome']>({
              type: 'string',
              enum: outcomes,
              description:
                '`activated`: the next key signs now; `published`: a new key will sign at `active_from`; `replaced`: a ' +
                'new key signs now, and the others were removed',
            }),
            active_from: Timestamp,
          }),
        ),
      }),
    }),
    {
      success: true,
      data: {
        keys: [{ alg: 'ES256', kid: exampleKid, outcome: 'activated', active_from: exampleValues.time }],
      },
    },
  ),
)
