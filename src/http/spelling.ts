import type { TSchema } from 'typebox'
import { invalidField } from '../lib/errors.ts'

type Members = Record<string, unknown>

/** From every spelling that a route accepts to the member of its schema. */
export type Spellings = ReadonlyMap<string, { name: string; keepNull: boolean }>

interface ObjectSchema {
  properties?: Record<string, { aliases?: string[]; keepNull?: boolean }>
}

/**
 * Members are accepted in snake_case and camelCase; a schema may name further aliases with `aliases: [...]`, and say
 * with `keepNull` that null means something to it.
 */
export function spellingsOf(schema: TSchema | undefined): Spellings {
  const properties = (schema as ObjectSchema | undefined)?.properties ?? {}
  const spellings = new Map<string, { name: string; keepNull: boolean }>()
  for (const [name, { aliases = [], keepNull = false }] of Object.entries(properties)) {
    for (const one of [name, ...aliases]) {
      const inCamelCase = one.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
      for (const spelling of [one, inCamelCase]) spellings.set(spelling, { name, keepNull })
    }
  }
  return spellings
}

/**
 * The members that a route knows, in its own spelling; null counts as absent, and what the route does not know is left
 * behind. Two spellings with different values are refused: nobody can say which one was meant.
 */
export function respell(members: unknown, spellings: Spellings): unknown {
  if (typeof members !== 'object' || members === null || Array.isArray(members)) return members
  const known: Members = {}
  for (const given in members) {
    const member = spellings.get(given)
    const value = (members as Members)[given]
    if (member === undefined || value === undefined || (value === null && !member.keepNull)) continue
    const { name } = member
    if (known[name] !== undefined && known[name] !== value)
      throw invalidField(name, `is given twice, as ${name} and in another spelling, with different values`)
    known[name] = value
  }
  return known
}
