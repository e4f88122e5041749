import type { FieldProblem } from '../../lib/errors.ts'
import { invalidField } from '../../lib/errors.ts'
import { readAll } from '../../lib/read-all.ts'
import { type FieldKind, fieldKinds, isFieldKind } from './field-kinds.ts'
import type { FieldDefinition } from './rows.ts'

type Values = Record<string, unknown>

export interface FieldSet {
  /** Validates the values in a request and returns the values to store. Null clears a value. */
  read(input: Values): Values
  missing(stored: Values): FieldProblem[]
  /** Returns the values of the existing fields for display. A value that does not match its field is shown as null. */
  shown(stored: Values): Values
  richtext: readonly string[]
}

interface Field {
  definition: FieldDefinition
  kind: FieldKind
}

export function compileFields(definitions: readonly FieldDefinition[]): FieldSet {
  // A map is safe for names from requests because it has no inherited properties.
  const fields = new Map<string, Field>()
  for (const definition of definitions) {
    if (isFieldKind(definition.type)) fields.set(definition.name, { definition, kind: fieldKinds[definition.type] })
  }
  const show = ({ definition, kind }: Field, stored: Values): unknown =>
    kind.show(stored[definition.name], definition) ?? null
  return {
    read: (input) =>
      readAll((attempt) =>
        Object.fromEntries(
          Object.entries(input).map(([name, value]) => [name, attempt(() => readField(fields, name, value))]),
        ),
      ),
    missing: (stored) =>
      [...fields.values()]
        .filter((field) => field.definition.required && isMissing(show(field, stored)))
        .map(({ definition }) => ({ field: pathOf(definition.name), message: 'is required' })),
    shown: (stored) =>
      Object.fromEntries(
        [...fields.values()]
          .filter(({ definition }) => Object.hasOwn(stored, definition.name))
          .map((field) => [field.definition.name, show(field, stored)]),
      ),
    richtext: definitions.filter(({ type }) => type === 'richtext').map(({ name }) => name),
  }
}

function readField(fields: Map<string, Field>, name: string, value: unknown): unknown {
  const field = fields.get(name)
  if (!field) throw invalidField(pathOf(name), 'is not a field of this post type')
  return value === null ? null : field.kind.read(pathOf(name), value, field.definition)
}

/** The client chooses the name, so its length is limited here. */
const pathOf = (name: string): string => `fields.${name.slice(0, 100)}`

const isMissing = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)
