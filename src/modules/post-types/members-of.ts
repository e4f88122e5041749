import { respell, spellingsOf } from '../../http/parsing/spelling.ts'
import { AppError, invalidField } from '../../lib/errors.ts'

/** Reads the named members of an object in a request body. Null counts as absent; other members are ignored. */
export function definitionMembersOf(path: string, input: unknown, names: readonly string[]): Record<string, unknown> {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) throw invalidField(path, 'must be an object')
  const properties = Object.fromEntries(names.map((name) => [name, {}]))
  try {
    return respell(input, spellingsOf({ properties } as never)) as Record<string, unknown>
  } catch (error) {
    if (!(error instanceof AppError) || !error.details) throw error
    const details = error.details.map(({ field, message }) => ({ field: `${path}.${field}`, message }))
    throw new AppError('VALIDATION_ERROR', { details })
  }
}
