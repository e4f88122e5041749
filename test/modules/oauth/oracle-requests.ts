import fc from 'fast-check'

type Pairs = [name: string, value: string][]

/** A request, with names in place of the values that differ between servers. */
export interface OracleRequest {
  endpoint: 'token' | 'introspect' | 'revoke' | 'metadata'
  /** The client that sends it, and how it proves who it is. */
  who: 'machine' | 'stranger' | 'server'
  proof: (typeof proofs)[number]
  method: 'client_secret_basic' | 'client_secret_post'
  parameters: Pairs
  /** The token of introspection and revocation. */
  token: TokenName | undefined
  body: 'form' | 'json' | 'none'
  /** For the metadata. */
  verb: 'GET' | 'HEAD'
  hasOrigin: boolean
}

export const proofs = [
  'right',
  'wrong secret',
  'no secret',
  'unknown client',
  'none',
  'twice',
  'no base64',
  'no colon',
  'other id in the body',
  'bearer',
] as const

export const tokens = ['live', 'revoked', 'of a stranger', 'changed', 'garbage', 'empty', 'missing'] as const
export type TokenName = (typeof tokens)[number]

const value = (name: string, ...values: (string | undefined)[]) =>
  fc.constantFrom(...values).map((one): Pairs => (one === undefined ? [] : [[name, one]]))

/** Values in braces are replaced by those of the setup. */
const tokenParameters = fc
  .tuple(
    fc.oneof(
      { weight: 6, arbitrary: fc.constant<Pairs>([['grant_type', 'client_credentials']]) },
      {
        weight: 2,
        arbitrary: value('grant_type', undefined, '', 'password', 'authorization_code', 'CLIENT_CREDENTIALS', 'x y'),
      },
    ),
    value(
      'scope',
      undefined,
      '{read}',
      '{read} {write}',
      '{read} {read}',
      'unknown',
      '{read} unknown',
      '{foreign}',
      '',
    ),
    value(
      'resource',
      undefined,
      undefined,
      '{api}',
      '{foreign api}',
      'https://unknown.example',
      'no uri',
      '{api}#x',
      '',
    ),
    fc.constantFrom<Pairs>([], [], [], [], [], [['resource', '{foreign api}']]),
    value('audience', undefined, undefined, 'https://unknown.example'),
    fc.constantFrom<Pairs>([], [], [], [['scope', '{write}']], [['grant_type', 'client_credentials']]),
  )
  .map((parts) => parts.flat())

const hint = value('token_type_hint', undefined, 'access_token', 'refresh_token', 'unknown', '')

const common = {
  verb: fc.constant('GET' as const),
  method: fc.constantFrom('client_secret_basic' as const, 'client_secret_post' as const),
  hasOrigin: fc.constant(false),
  proof: fc.oneof(
    { weight: 5, arbitrary: fc.constant('right' as const) },
    { weight: 1, arbitrary: fc.constantFrom(...proofs) },
  ),
  body: fc.oneof(
    { weight: 20, arbitrary: fc.constant('form' as const) },
    { weight: 1, arbitrary: fc.constantFrom('json' as const, 'none' as const) },
  ),
}

const metadataRequests = fc.record({
  endpoint: fc.constant('metadata' as const),
  who: fc.constant('machine' as const),
  proof: fc.constant('none' as const),
  method: fc.constant('client_secret_basic' as const),
  parameters: fc.constant<Pairs>([]),
  token: fc.constant(undefined),
  body: fc.constant('none' as const),
  verb: fc.constantFrom('GET' as const, 'HEAD' as const),
  hasOrigin: fc.boolean(),
})

export const oracleRequests: fc.Arbitrary<OracleRequest> = fc.oneof(
  { weight: 1, arbitrary: metadataRequests },
  {
    weight: 9,
    arbitrary: fc.record({
      ...common,
      endpoint: fc.constant('token' as const),
      who: fc.constantFrom('machine' as const, 'machine' as const, 'server' as const),
      parameters: tokenParameters,
      token: fc.constant(undefined),
    }),
  },
  {
    weight: 9,
    arbitrary: fc.record({
      ...common,
      endpoint: fc.constantFrom('introspect' as const, 'revoke' as const),
      who: fc.constantFrom('machine' as const, 'stranger' as const, 'server' as const),
      parameters: hint,
      token: fc.constantFrom('live' as const, 'live' as const, ...tokens),
    }),
  },
)
