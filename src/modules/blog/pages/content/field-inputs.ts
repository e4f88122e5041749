import type { Field } from '../../../../ui/fields/field.ts'
import type { EditorField } from '../../post-type-provider.ts'
import { fromLocalInput, toLocalInput } from './local-time.ts'

export type EditorValues = Readonly<Record<string, string | undefined>>

const nameOf = ({ name }: EditorField): string => `field_${name}`
const optionOf = (field: EditorField, option: number): string => `${nameOf(field)}.${option}`

export function fieldText(field: EditorField, value: unknown, timeZone: string | null): [string, string][] {
  const { type, options = [] } = field
  if (value === undefined || value === null) return []
  if (type === 'boolean') return value === true ? [[nameOf(field), 'on']] : []
  if (type === 'multiselect')
    return options.flatMap((option, at): [string, string][] =>
      Array.isArray(value) && value.includes(option) ? [[optionOf(field, at), 'on']] : [],
    )
  const text = type === 'datetime' ? toLocalInput(String(value), timeZone) : value
  return [[nameOf(field), typeof text === 'string' ? text : JSON.stringify(text, null, 2)]]
}

/** Returns the value for the API. Text that is invalid for the field is passed on so that the API reports it. */
export function fieldValue(field: EditorField, values: EditorValues, timeZone: string | null): unknown {
  const { type, options = [] } = field
  const text = values[nameOf(field)] ?? ''
  if (type === 'boolean') return text === 'on'
  if (type === 'multiselect') return options.filter((_option, at) => values[optionOf(field, at)] === 'on')
  if (text === '') return null
  if (type === 'number' || type === 'integer') return Number.isNaN(Number(text)) ? text : Number(text)
  if (type === 'datetime') return fromLocalInput(text, timeZone)
  return type === 'json' ? parsed(text) : text
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

const inputTypes: Record<string, string> = {
  number: 'text',
  integer: 'number',
  date: 'date',
  datetime: 'datetime-local',
  email: 'email',
  url: 'url',
  image: 'url',
  file: 'url',
}

const kinds: Record<string, Field['kind']> = {
  textarea: 'textarea',
  richtext: 'textarea',
  json: 'textarea',
  boolean: 'checkbox',
  select: 'select',
  multiselect: 'checkboxes',
}

export function fieldInput(field: EditorField, values: EditorValues, problem: string | undefined): Field {
  const { label, type, options = [], max_length: maxLength, placeholder } = field
  return {
    kind: kinds[type] ?? 'input',
    name: nameOf(field),
    label,
    value: values[nameOf(field)] ?? '',
    isOn: values[nameOf(field)] === 'on',
    type: inputTypes[type] ?? 'text',
    maxlength: maxLength,
    placeholder,
    problem,
    options: options.map((option, at) => ({
      option,
      name: optionOf(field, at),
      isOn: values[optionOf(field, at)] === 'on',
    })),
    choices: [{ value: '', label: '' }, ...options.map((option) => ({ value: option, label: option }))],
  }
}
