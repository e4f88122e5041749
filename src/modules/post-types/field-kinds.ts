import { plainLine, plainText, webAddress } from '../../lib/client-text.ts'
import { invalidField } from '../../lib/errors.ts'
import { isDay, iso, parseTime } from '../../lib/time.ts'
import { canonicalEmail } from '../../users/fields.ts'
import { readJsonValue } from './json-value.ts'
import type { FieldDefinition } from './rows.ts'

export interface FieldKind {
  /** The default maximum text length. Absent for kinds without a length. */
  maxLength?: number
  hasOptions?: true
  /** Returns the value to store, or null for an empty string. Throws VALIDATION_ERROR for the field `path`. */
  read(path: string, input: unknown, field: FieldDefinition): unknown
  /** Returns undefined if the value is invalid because the field's kind has changed since it was stored. */
  show(stored: unknown, field: FieldDefinition): unknown
}

type TextReader = (path: string, text: string, max: number) => string

const text = (maxLength: number, read: TextReader, empty: 'is a text' | 'clears' = 'clears'): FieldKind => ({
  maxLength,
  read(path, input, { max_length = maxLength }) {
    if (typeof input !== 'string') throw invalidField(path, 'must be a string')
    return input === '' && empty === 'clears' ? null : read(path, input, max_length)
  },
  show: (stored, { max_length = maxLength }) =>
    typeof stored === 'string' && isRead(() => read('', stored, max_length)) ? stored : undefined,
})

/** Checks whether a stored value is still valid under the current rules. */
function isRead(read: () => unknown): boolean {
  try {
    read()
    return true
  } catch {
    return false
  }
}

const plain = (isOne: (value: unknown, field: FieldDefinition) => boolean, must: string): FieldKind => ({
  read(path, input, field) {
    if (isOne(input, field)) return input === 0 ? 0 : input
    throw invalidField(path, `must be ${must}`)
  },
  show: (stored, field) => (isOne(stored, field) ? stored : undefined),
})

const formed = (isOne: (text: string, field: FieldDefinition) => boolean, must: string): FieldKind => {
  const kind = plain((value, field) => typeof value === 'string' && isOne(value, field), must)
  return { ...kind, read: (path, input, field) => (input === '' ? null : kind.read(path, input, field)) }
}

/** Stores the value in a member named after the kind so that a change of kind cannot turn stored text into HTML. */
const wrapped = (name: string, kind: Pick<FieldKind, 'maxLength' | 'read'>): FieldKind => ({
  ...kind,
  read: (path, input, field) => ({ [name]: kind.read(path, input, field) }),
  show: (stored) =>
    typeof stored === 'object' && stored !== null && Object.hasOwn(stored, name)
      ? (stored as Record<string, unknown>)[name]
      : undefined,
})

const readEmail: TextReader = (path, input, max) => {
  const email = canonicalEmail(input)
  if (!email) throw invalidField(path, 'must be one email address such as ada@example.com')
  const address = input.trim()
  const local = address.slice(0, address.lastIndexOf('@'))
  return plainLine(path, local + email.slice(email.lastIndexOf('@')), max)
}

const datetime: FieldKind = {
  read(path, input) {
    if (input === '') return null
    const time = typeof input === 'string' && input.includes('T') ? parseTime(input) : undefined
    if (time === undefined) throw invalidField(path, 'must be a time with its zone, such as 2030-01-31T09:00:00Z')
    return iso(time)
  },
  show: (stored) =>
    typeof stored === 'string' && stored.includes('T') && parseTime(stored) !== undefined ? stored : undefined,
}

const isOption = (value: unknown, { options = [] }: FieldDefinition): boolean => options.includes(value as string)
const areOptions = (value: unknown, field: FieldDefinition): boolean =>
  Array.isArray(value) && value.every((one) => isOption(one, field)) && new Set(value).size === value.length

const address = text(2048, webAddress)
const finite = (value: unknown): boolean => typeof value === 'number' && Number.isFinite(value)

export const fieldKinds = {
  text: text(1000, plainLine, 'is a text'),
  textarea: text(20_000, plainText, 'is a text'),
  richtext: wrapped('html', text(100_000, plainText, 'is a text')),
  number: plain(finite, 'a number'),
  integer: plain(Number.isSafeInteger, 'a whole number of at most 2^53 - 1'),
  boolean: plain((value) => typeof value === 'boolean', 'true or false'),
  date: formed(isDay, 'a date such as 2030-01-31'),
  datetime,
  email: text(254, readEmail),
  url: address,
  image: address,
  file: address,
  select: { ...formed(isOption, 'one of the options'), hasOptions: true },
  multiselect: { ...plain(areOptions, 'a list of options without duplicates'), hasOptions: true },
  color: formed((value) => /^#([0-9a-f]{3}|[0-9a-f]{6})$/i.test(value), 'a color such as #fa0 or #ffaa00'),
  json: wrapped('json', { read: (path, input) => readJsonValue(path, input) }),
} satisfies Record<string, FieldKind>

export type FieldKindName = keyof typeof fieldKinds

export const isFieldKind = (name: unknown): name is FieldKindName =>
  typeof name === 'string' && Object.hasOwn(fieldKinds, name)
