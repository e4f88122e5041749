import type { TSchema } from 'typebox'
import { type FieldProblem, invalidField } from '../../lib/errors.ts'
import type { RespelledRequest } from '../server/types.ts'
import { noQuery } from './form-body.ts'
import { shownName } from './json-body.ts'

type Members = Record<string, unknown>

interface Member {
  name: string
  keepNull: boolean
}

export type SpellingLookup = (input: string) => Member | undefined

interface ObjectSchema {
  properties?: Record<string, { aliases?: string[]; keepNull?: boolean }>
  patternProperties?: Record<string, object>
  additionalProperties?: unknown
}

/** `keepNull` preserves null members. With `additionalProperties: true`, the object is accepted unchanged. */
export function spellingsOf(schema: TSchema | undefined): SpellingLookup | undefined {
  const { properties = {}, patternProperties = {}, additionalProperties } = (schema ?? {}) as ObjectSchema
  if (additionalProperties === true) return undefined
  const members = new Map<string, Member>()
  for (const [name, { aliases = [], keepNull = false }] of Object.entries(properties)) {
    for (const one of [name, ...aliases]) {
      const inCamelCase = one.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
      for (const spelling of [one, inCamelCase]) members.set(spelling, { name, keepNull })
    }
  }
  const patterns = Object.keys(patternProperties).map((pattern) => new RegExp(pattern, 'u'))
  if (patterns.length === 0) return (input) => members.get(input)
  return (input) => {
    const name = inSnakeCase(input)
    return members.get(input) ?? (patterns.some((one) => one.test(name)) ? { name, keepNull: false } : undefined)
  }
}

const inSnakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** Drops unknown and null members, and rejects two spellings of a member if their values differ. */
export function normalizeMembers(
  members: unknown,
  memberOf: SpellingLookup | undefined,
  request?: RespelledRequest,
): unknown {
  if (memberOf === undefined || typeof members !== 'object' || members === null || Array.isArray(members))
    return members
  if (members === noQuery) return members
  const known: Members = {}
  for (const spelling in members) {
    const member = memberOf(spelling)
    const value = (members as Members)[spelling]
    if (member === undefined && request && !always.has(spelling)) request.unknownMember ??= spelling
    if (member === undefined || value === undefined || (value === null && !member.keepNull)) continue
    const { name } = member
    if (known[name] !== undefined && known[name] !== value)
      throw invalidField(name, `is given twice with different values: as ${name} and in another spelling`)
    known[name] = value
    if (spelling !== name && request && (members as Members)[name] == null) noteSpelling(request, name, spelling)
  }
  return known
}

function noteSpelling(request: RespelledRequest, name: string, spelling: string): void {
  request.spellings ??= new Map()
  request.spellings.set(name, spelling)
}

export const inOwnSpelling = (problems: FieldProblem[], { spellings }: RespelledRequest): FieldProblem[] =>
  spellings
    ? problems.map(({ field, message }) => ({
        field: field.replace(/^[^.]+/, (one) => spellings.get(one) ?? one),
        message,
      }))
    : problems

/** Every query may contain the session token and the parameters that clients add to bypass caches. */
const always = new Set(['session_id', 'sessionId', '_', 't', '_t', 'ts', '_ts', 'timestamp', 'cb', '_cb', 'nocache'])

export function assertKnown(query: object, memberOf: SpellingLookup | undefined): void {
  for (const input in query) {
    if (memberOf?.(input) === undefined && !always.has(input))
      throw invalidField(shownName(input), 'is not a parameter of this route')
  }
}

/** `ignored` members have no effect. */
export function assertKnownMembers(
  body: unknown,
  memberOf: SpellingLookup | undefined,
  ignored: readonly string[],
): void {
  if (typeof body !== 'object' || body === null) return
  for (const input in body) {
    if (memberOf?.(input) === undefined && !always.has(input) && !ignored.includes(input))
      throw invalidField(shownName(input), 'is not a member of this request')
  }
}
