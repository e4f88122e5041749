import { normalizeMembers, spellingsOf } from '../../http/parsing/normalize-members.ts'
import { plainText } from '../../lib/client-text.ts'
import { AppError, invalidField } from '../../lib/errors.ts'

const maxLength = 16 * 1024
const maxDepth = 10
const special = ['__proto__', 'constructor', 'prototype']

export function readJsonValue(path: string, input: unknown): unknown {
  const value = normal(path, input, 0)
  if (Buffer.byteLength(JSON.stringify(value)) > maxLength)
    throw invalidField(path, `must have at most ${maxLength} bytes as JSON`)
  return value
}

function normal(path: string, value: unknown, depth: number): unknown {
  if (typeof value === 'string') return plainText(path, value, maxLength)
  if (typeof value === 'number' && !Number.isFinite(value)) throw invalidField(path, 'must contain finite numbers only')
  if (typeof value !== 'object' || value === null) return value
  if (depth === maxDepth) throw invalidField(path, `must not be nested deeper than ${maxDepth} levels`)
  if (Array.isArray(value)) return value.map((one) => normal(path, one, depth + 1))
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      if (special.includes(name)) throw invalidField(path, `must not have a member named ${name}`)
      return [plainText(path, name, maxLength), normal(path, inner, depth + 1)]
    }),
  )
}

/** Reads the named members of an object in a request body. Null is treated as absent. Other members are ignored. */
export function definitionMembersOf(path: string, input: unknown, names: readonly string[]): Record<string, unknown> {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) throw invalidField(path, 'must be an object')
  const properties = Object.fromEntries(names.map((name) => [name, {}]))
  try {
    return normalizeMembers(input, spellingsOf({ properties } as never)) as Record<string, unknown>
  } catch (error) {
    if (!(error instanceof AppError) || !error.details) throw error
    const details = error.details.map(({ field, message }) => ({ field: `${path}.${field}`, message }))
    throw new AppError('VALIDATION_ERROR', { details })
  }
}
