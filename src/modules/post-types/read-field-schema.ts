import { plainLine } from '../../lib/client-text.ts'
import { invalidField } from '../../lib/errors.ts'
import { readAll } from '../../lib/read-all.ts'
import { type FieldKind, fieldKinds, isFieldKind } from './field-kinds.ts'
import { definitionMembersOf } from './json-value.ts'
import type { FieldDefinition } from './rows.ts'

const limits = { fields: 60, label: 80, placeholder: 200, options: 100, option: 100, length: 100_000 }

/** Reserved names: the members of posts, which would be ambiguous, and names with a special meaning in JavaScript. */
const postMembers = new Set([
  ...['id', 'slug', 'title', 'lang', 'body', 'body_format', 'body_html', 'excerpt', 'featured_image', 'status'],
  ...['visibility', 'password', 'password_protected', 'user_id', 'author', 'category_ids', 'categories', 'tag_ids'],
  ...['tags', 'comments_enabled', 'reactions_enabled', 'scheduled_at', 'published_at', 'created_at', 'updated_at'],
  ...['deleted_at', 'metadata', 'post_type', 'fields', 'counts', 'viewer', 'translations', 'seo'],
  ...['expected_updated_at', 'constructor', 'prototype'],
])

export function readFieldSchema(input: readonly unknown[]): FieldDefinition[] {
  if (input.length > limits.fields) throw invalidField('field_schema', `must have at most ${limits.fields} fields`)
  const fields = readAll((attempt) =>
    input.map((one, index) => attempt(() => readField(`field_schema.${index}`, one))),
  ) as FieldDefinition[]
  const names = fields.map(({ name }) => name)
  const repeated = names.findIndex((name, index) => names.indexOf(name) < index)
  if (repeated >= 0) throw invalidField(`field_schema.${repeated}.name`, 'is already the name of another field')
  return fields
}

/** Rules with these names are rejected because they would be executed on field values. */
const rulesThatRun = ['pattern', 'regex', 'regexp', 'validate', 'validator', 'expression', 'script', 'code']

function readField(path: string, input: unknown): FieldDefinition {
  const members = definitionMembersOf(path, input, [
    'name',
    'label',
    'type',
    'required',
    'options',
    'max_length',
    'placeholder',
  ])
  const refused = definitionMembersOf(path, input, rulesThatRun)
  return readAll((attempt) => {
    const at = (name: string) => `${path}.${name}`
    for (const [name, value] of Object.entries(refused)) if (value !== undefined) attempt(() => rejectRule(at(name)))
    const type = attempt(() => kindName(at('type'), members.type)) ?? 'text'
    const kind: FieldKind = fieldKinds[type]
    const options = attempt(() => optionList(at('options'), members.options, kind))
    const max_length = attempt(() => length(at('max_length'), members.max_length, kind))
    const placeholder = attempt(() => optionalText(at('placeholder'), members.placeholder, limits.placeholder))
    return {
      name: attempt(() => fieldName(at('name'), members.name)) ?? '',
      label: attempt(() => requiredText(at('label'), members.label, limits.label)) ?? '',
      type,
      required: attempt(() => flag(at('required'), members.required)) ?? false,
      ...(options && { options }),
      ...(max_length !== undefined && { max_length }),
      ...(placeholder !== undefined && { placeholder }),
    }
  })
}

function rejectRule(path: string): never {
  throw invalidField(path, 'is not supported: use max_length and options to limit values')
}

function fieldName(path: string, name: unknown): string {
  if (typeof name !== 'string' || !/^[a-z][a-z0-9_]{0,39}$/.test(name))
    throw invalidField(path, 'must be 1 to 40 characters of a-z, 0-9 and underscores, and begin with a letter')
  if (postMembers.has(name)) throw invalidField(path, 'is reserved: posts have a member with this name')
  return name
}

function kindName(path: string, type: unknown): keyof typeof fieldKinds {
  if (isFieldKind(type)) return type
  throw invalidField(path, `must be one of ${Object.keys(fieldKinds).join(', ')}`)
}

function requiredText(path: string, text: unknown, maxLength: number): string {
  if (text === undefined) throw invalidField(path, 'is required')
  if (typeof text !== 'string') throw invalidField(path, 'must be a string')
  const line = plainLine(path, text.trim(), maxLength)
  if (line === '') throw invalidField(path, 'must not be empty')
  return line
}

const optionalText = (path: string, text: unknown, maxLength: number): string | undefined =>
  text === undefined || text === '' ? undefined : requiredText(path, text, maxLength)

function flag(path: string, value: unknown): boolean {
  if (value === undefined) return false
  if (typeof value !== 'boolean') throw invalidField(path, 'must be true or false')
  return value
}

function optionList(path: string, options: unknown, { hasOptions }: FieldKind): string[] | undefined {
  if (!hasOptions) {
    if (options === undefined) return undefined
    throw invalidField(path, 'is only allowed for fields of type select and multiselect')
  }
  if (!Array.isArray(options) || options.length === 0 || options.length > limits.options)
    throw invalidField(path, `must be a list of 1 to ${limits.options} strings`)
  const texts = readAll((attempt) =>
    options.map((one, index) => attempt(() => requiredText(`${path}.${index}`, one, limits.option))),
  ) as string[]
  if (new Set(texts).size < texts.length) throw invalidField(path, 'must not contain duplicates')
  return texts
}

function length(path: string, value: unknown, { maxLength }: FieldKind): number | undefined {
  if (value === undefined) return undefined
  if (maxLength === undefined) throw invalidField(path, 'is only allowed for text fields')
  if (!Number.isInteger(value) || Number(value) < 1 || Number(value) > limits.length)
    throw invalidField(path, `must be a whole number from 1 to ${limits.length}`)
  return Number(value)
}
