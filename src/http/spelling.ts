import type { TSchema } from 'typebox'
import { invalidField } from '../lib/errors.ts'

type Members = Record<string, unknown>

interface Member {
  name: string
  keepNull: boolean
}

/** From any spelling that a route accepts to the member of its schema; undefined for what it does not know. */
export type Spellings = (given: string) => Member | undefined

interface ObjectSchema {
  properties?: Record<string, { aliases?: string[]; keepNull?: boolean }>
  patternProperties?: Record<string, object>
  additionalProperties?: unknown
}

/**
 * Members are accepted in snake_case and camelCase; a schema may name further aliases with `aliases: [...]`, and say
 * with `keepNull` that null means something to it. `patternProperties` are for members whose names callers choose. With
 * `additionalProperties: true` the whole object is the caller's own: it is taken as it is, and this gives undefined.
 */
export function spellingsOf(schema: TSchema | undefined): Spellings | undefined {
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
  if (patterns.length === 0) return (given) => members.get(given)
  return (given) => {
    const name = inSnakeCase(given)
    return members.get(given) ?? (patterns.some((one) => one.test(name)) ? { name, keepNull: false } : undefined)
  }
}

const inSnakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/**
 * The members that a route knows, in its own spelling; null counts as absent, and what the route does not know is left
 * behind. Two spellings with different values are refused: nobody can say which one was meant.
 */
export function respell(members: unknown, memberOf: Spellings | undefined): unknown {
  if (memberOf === undefined || typeof members !== 'object' || members === null || Array.isArray(members))
    return members
  const known: Members = {}
  for (const given in members) {
    const member = memberOf(given)
    const value = (members as Members)[given]
    if (member === undefined || value === undefined || (value === null && !member.keepNull)) continue
    const { name } = member
    if (known[name] !== undefined && known[name] !== value)
      throw invalidField(name, `is given twice, as ${name} and in another spelling, with different values`)
    known[name] = value
  }
  return known
}
