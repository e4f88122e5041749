import Type from 'typebox'
import { exampleValues } from '../../http/responses/examples.ts'
import { Id, NullableString, NullableTimestamp, namedSchema, Timestamp } from '../../http/responses/schemas.ts'
import { maxName, maxRanges } from './read-input.ts'
import { maxScopes } from './scopes.ts'

const nullableId = Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'uuid' })

export const ApiKey = namedSchema(
  'ApiKey',
  Type.Object({
    id: Id,
    kind: Type.Unsafe<'personal' | 'service'>({ type: 'string', enum: ['personal', 'service'] }),
    name: Type.String(),
    hint: Type.String({ description: 'the beginning and the end of the key' }),
    status: Type.Unsafe<'active' | 'rotated' | 'ended'>({
      type: 'string',
      enum: ['active', 'rotated', 'ended'],
      description: '`rotated`: replaced, but valid until `ends_at`',
    }),
    scopes: Type.Array(Type.String()),
    ip_ranges: Type.Array(Type.String(), { description: 'networks from which it is accepted; empty: all networks' }),
    created_at: Timestamp,
    ends_at: NullableTimestamp,
    ended_at: NullableTimestamp,
    end_reason: NullableString,
    replaced_by: Type.Unsafe<string | null>({ ...nullableId, description: 'the key that replaces it' }),
    last_used_at: NullableTimestamp,
    last_used_ip: NullableString,
    uses_last_day: Type.Integer(),
    uses_last_month: Type.Integer(),
  }),
)

export const NewApiKey = namedSchema(
  'NewApiKey',
  Type.Object({
    id: Id,
    name: Type.String(),
    hint: Type.String(),
    scopes: Type.Array(Type.String()),
    ip_ranges: Type.Array(Type.String()),
    ends_at: NullableTimestamp,
    key: Type.String({ description: 'the key, which cannot be read again' }),
  }),
)

export const scopeExample = 'wardenry:profile:read'

export const scopesInput = Type.Array(Type.String({ minLength: 1, maxLength: 80 }), {
  minItems: 1,
  maxItems: maxScopes,
  examples: [[scopeExample]],
})
export const nameInput = Type.String({ minLength: 1, maxLength: 4 * maxName, examples: ['deploy'] })
const ipRanges = Type.Array(Type.String({ minLength: 1, maxLength: 50 }), {
  maxItems: maxRanges,
  description: 'networks from which the key is accepted, in CIDR notation; empty: all networks',
  examples: [['10.20.0.0/16']],
})
export const endInput = (description: string) =>
  Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength: 40, keepNull: true, description }))

const end = 'the time at which the key ends, within API_KEY_MAX_TTL; null: it does not end (with API_KEY_ALLOW_ENDLESS)'

export const NewKeyInput = Type.Object(
  { name: nameInput, scopes: scopesInput, ip_ranges: Type.Optional(ipRanges), ends_at: endInput(end) },
  { examples: [{ name: 'deploy', scopes: [scopeExample], ends_at: '2030-01-01T00:00:00.000Z' }] },
)

export const KeyChangesInput = Type.Object(
  {
    name: Type.Optional(nameInput),
    scopes: Type.Optional(scopesInput),
    ip_ranges: Type.Optional(ipRanges),
    ends_at: endInput(end),
  },
  { examples: [{ name: 'deploy', ip_ranges: ['10.20.0.0/16'] }] },
)

export const RotationBody = Type.Object(
  {
    overlap_until: Type.Optional(
      Type.String({
        maxLength: 40,
        description: 'the time until which the former key still works, within 7 days; default: after API_KEY_OVERLAP',
        examples: [exampleValues.time],
      }),
    ),
    ends_at: endInput('the end of the new key; default: valid for as long as the former one was'),
  },
  { examples: [{}] },
)

export const keyExample = {
  ...{ id: exampleValues.id, kind: 'personal' as const, name: 'deploy', hint: 'wkp_003aUlTJ…rrNz' },
  ...{ status: 'active' as const, scopes: [scopeExample], ip_ranges: ['10.20.0.0/16'] },
  ...{ created_at: exampleValues.time, ends_at: null, ended_at: null, end_reason: null, replaced_by: null },
  ...{ last_used_at: null, last_used_ip: null, uses_last_day: 0, uses_last_month: 0 },
}

export const newKeyExample = {
  ...{ id: exampleValues.id, name: 'deploy', hint: 'wkp_003aUlTJ…rrNz', scopes: [scopeExample] },
  ...{ ip_ranges: [], ends_at: null, key: 'wkp_003aUlTJC7tjlCTQj2uNU3MFagCXG9LRKRcwGkBIDlf3nrrNz' },
}
