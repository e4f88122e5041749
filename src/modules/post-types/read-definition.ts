import { plainText } from '../../lib/client-text.ts'
import { invalidField } from '../../lib/errors.ts'
import { readPresent } from '../../lib/read-all.ts'
import { lineField } from '../../users/fields.ts'
import type { DefinitionBody } from './definition-schemas.ts'
import { type BehaviorChanges, type KnownUserTypes, readBehaviors } from './read-behaviors.ts'
import { readFieldSchema } from './read-field-schema.ts'
import type { FieldDefinition } from './rows.ts'

export interface DefinitionMembers {
  type_name: string | undefined
  description?: string | undefined
  slug_prefix: string | undefined
  field_schema: FieldDefinition[] | undefined
  behaviors: BehaviorChanges | undefined
  icon: string | undefined
  color: string | undefined
  is_active: boolean | undefined
  sort_order: number | undefined
}

export const readDefinition = (input: Partial<DefinitionBody>, userTypes: KnownUserTypes): DefinitionMembers =>
  readPresent((read) => ({
    type_name: read(input.type_name, nameField),
    description: read(input.description, (text) => plainText('description', text.trim(), 500)),
    slug_prefix: read(input.slug_prefix, (text) =>
      formField('slug_prefix', text, /^[a-z0-9-]{0,40}$/, 'at most 40 characters of a-z, 0-9 and hyphens'),
    ),
    field_schema: read(input.field_schema, readFieldSchema),
    behaviors: read(input.behaviors, (value) => readBehaviors(value, userTypes)),
    icon: read(input.icon, (text) =>
      formField('icon', text, /^[A-Za-z0-9_:-]{0,64}$/, 'a plain name of at most 64 characters'),
    ),
    color: read(input.color, (text) =>
      formField('color', text, /^(#([0-9a-f]{3}|[0-9a-f]{6}))?$/i, 'a color such as #fa0 or #ffaa00'),
    ),
    is_active: input.is_active,
    sort_order: input.sort_order,
  }))

const reservedKeys = new Set([
  ...['reorder', 'schema', 'posts', 'validate', 'activate', 'deactivate', 'id', 'admin'],
  ...['constructor', 'prototype'],
])

export function keyField(text: string): string {
  if (/^[a-z][a-z0-9_-]{1,39}$/.test(text) && !reservedKeys.has(text)) return text
  const form =
    'must be 2 to 40 characters of a-z, 0-9, hyphens and underscores, begin with a letter, and not be reserved'
  throw invalidField('type_key', form)
}

function nameField(text: string): string {
  const name = lineField('type_name', text, 80)
  if (name === '') throw invalidField('type_name', 'must not be empty')
  return name
}

function formField(field: string, text: string, form: RegExp, must: string): string {
  if (!form.test(text)) throw invalidField(field, `must be ${must}`)
  return text
}
