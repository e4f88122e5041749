import { plainText } from '../../lib/client-text.ts'
import { invalidField } from '../../lib/errors.ts'
import { readAll } from '../../lib/read-all.ts'
import {
  bodyFormats,
  filledBehaviors,
  namedBehaviors,
  type PostTypeBehaviors,
  postVisibilities,
  restrictions,
  switches,
  userTypesOfList,
} from './behaviors.ts'
import { definitionMembersOf } from './json-value.ts'
import type { StoredBehaviors } from './rows.ts'

/** The behaviors that a request changes. Null removes a behavior. */
export type BehaviorChanges = Record<string, StoredBehaviors[string] | null>

/** The user types allowed in restrictions. Undefined if restrictions have no effect. */
export type KnownUserTypes = readonly string[] | undefined

const limits = { further: 20, text: 500, perAuthor: 1_000_000 }

export function readBehaviors(input: Record<string, unknown>, userTypes: KnownUserTypes): BehaviorChanges {
  const named = definitionMembersOf('behaviors', input, namedBehaviors)
  const further = Object.entries(input).filter(([name, value]) => !isNamed(name) && value !== null)
  return readAll((attempt) => {
    const entries = [
      ...Object.entries(named).map(([name, value]) => [name, attempt(() => readNamed(name, value))]),
      ...further.map(([name, value]) => [name, attempt(() => readFurther(name, value, userTypes))]),
    ]
    return Object.fromEntries(entries)
  })
}

export function mergedBehaviors(typeKey: string, stored: StoredBehaviors, changes: BehaviorChanges): StoredBehaviors {
  const entries = Object.entries({ ...stored, ...changes }).filter(([, value]) => value !== null)
  const merged = Object.fromEntries(entries) as StoredBehaviors
  if (entries.filter(([name]) => !isNamed(name)).length > limits.further)
    throw invalidField('behaviors', `must have at most ${limits.further} additional keys`)
  const { default_visibility, allows_password_visibility }: PostTypeBehaviors = filledBehaviors(typeKey, merged)
  if (default_visibility === 'password' && !allows_password_visibility)
    throw invalidField('behaviors.default_visibility', 'must not be password, because password is not allowed')
  return merged
}

const inSnakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
const isNamed = (name: string): boolean => namedBehaviors.includes(inSnakeCase(name))

function readNamed(name: string, value: unknown): StoredBehaviors[string] | null {
  const path = `behaviors.${name}`
  if ((switches as readonly string[]).includes(name)) {
    if (typeof value !== 'boolean') throw invalidField(path, 'must be true or false')
    return value
  }
  if (name === 'max_per_author') {
    if (!Number.isInteger(value) || Number(value) < 0 || Number(value) > limits.perAuthor)
      throw invalidField(path, `must be a whole number from 0 (no limit) to ${limits.perAuthor}`)
    return Number(value)
  }
  if (name === 'allowed_body_formats') return readFormats(path, value)
  if (value === '') return null
  if (typeof value !== 'string' || !postVisibilities.includes(value))
    throw invalidField(path, `must be one of ${postVisibilities.join(', ')}`)
  return value
}

function readFormats(path: string, value: unknown): string[] {
  const isList = Array.isArray(value) && value.length > 0 && value.every((one) => bodyFormats.includes(one))
  if (!isList || new Set(value).size < value.length)
    throw invalidField(path, `must be a list without duplicates of ${bodyFormats.join(', ')}`)
  return value
}

function readFurther(name: string, value: unknown, userTypes: KnownUserTypes): string | null {
  const path = `behaviors.${name.slice(0, 100)}`
  if (!/^[a-z][a-z0-9_]{0,39}$/.test(name) || name === 'constructor' || name === 'prototype')
    throw invalidField(
      path,
      'must have a name of 1 to 40 characters of a-z, 0-9 and underscores that begins with a letter',
    )
  if (typeof value !== 'string') throw invalidField(path, 'must be a string')
  if (value === '') return null
  const text = plainText(path, value, limits.text)
  const isRestriction = (restrictions as readonly string[]).includes(name)
  const unknown = isRestriction && userTypes && userTypesOfList(text)?.find((type) => !userTypes.includes(type))
  if (unknown) throw invalidField(path, `must only contain the user types ${userTypes.join(', ')}`)
  return text
}
