import type { ApiRejection } from '../../../ui/shared/call-api.ts'
import { restrictions, switches } from '../behaviors.ts'
import type { ShownDefinition } from '../definition-schemas.ts'
import type { FieldDefinition } from '../rows.ts'

/** The values of the form fields, by name. */
export type DesignerValues = Readonly<Record<string, string | undefined>>

/** The form values that define one field of the post type, as entered. */
export type FieldRow = Readonly<Record<(typeof rowMembers)[number], string>>

export const rowMembers = ['name', 'label', 'type', 'required', 'options', 'max_length', 'placeholder'] as const

/** The form omits `public_by_default`, which only determines the default of `default_visibility`. */
export const shownSwitches = switches.filter((name) => name !== 'public_by_default')

export const maxRows = 60

export function designerValuesOf(type: ShownDefinition): DesignerValues {
  const { behaviors } = type
  const listed = behaviors as Readonly<Record<string, unknown>>
  const texts = ['default_visibility', 'max_per_author', ...restrictions]
  return {
    type_key: type.type_key,
    type_name: type.type_name,
    description: type.description,
    slug_prefix: type.slug_prefix,
    icon: type.icon,
    color: type.color,
    is_active: type.is_active ? 'on' : undefined,
    version: type.updated_at,
    ...Object.fromEntries(shownSwitches.map((name) => [`behavior_${name}`, listed[name] === true ? 'on' : undefined])),
    ...Object.fromEntries(texts.map((name) => [`behavior_${name}`, String(listed[name] ?? '')])),
    ...Object.fromEntries(behaviors.allowed_body_formats.map((format) => [`format_${format}`, 'on'])),
    ...valuesOfRows(type.field_schema.map(rowOf)),
  }
}

const rowOf = (field: FieldDefinition): FieldRow => ({
  name: field.name,
  label: field.label,
  type: field.type,
  required: field.required ? 'on' : '',
  options: (field.options ?? []).join('\n'),
  max_length: field.max_length === undefined ? '' : String(field.max_length),
  placeholder: field.placeholder ?? '',
})

export function rowsOf(values: DesignerValues): FieldRow[] {
  const count = Math.min(maxRows, Math.max(0, Math.trunc(Number(values.rows ?? 0)) || 0))
  return Array.from({ length: count }, (_, at) => {
    const members = rowMembers.map((member) => [member, values[`field_${at}_${member}`] ?? ''])
    return Object.fromEntries(members) as FieldRow
  })
}

function valuesOfRows(rows: readonly FieldRow[]): DesignerValues {
  const members = rows.flatMap((row, at) => rowMembers.map((member) => [`field_${at}_${member}`, row[member]]))
  return { ...Object.fromEntries(members), rows: String(rows.length) }
}

const emptyRow: FieldRow = {
  name: '',
  label: '',
  type: 'text',
  required: '',
  options: '',
  max_length: '',
  placeholder: '',
}

/** Returns undefined if the action does not change the list of fields in the form. Nothing is saved. */
export function arrangeRows(values: DesignerValues): DesignerValues | undefined {
  const rows = rowsOf(values)
  const { action = '' } = values
  if (action === 'add') return withRows(values, rows.length < maxRows ? [...rows, emptyRow] : rows)
  const [, move, text] = /^(up|down|drop)_(\d{1,2})$/.exec(action) ?? []
  const at = Number(text)
  const row = rows[at]
  if (move === undefined || row === undefined) return undefined
  const others = rows.toSpliced(at, 1)
  const place = { up: at - 1, down: at + 1 }[move]
  return withRows(values, place === undefined ? others : others.toSpliced(Math.max(0, place), 0, row))
}

/** Removes all previous rows first because there can be more of them than new rows. */
function withRows(values: DesignerValues, rows: readonly FieldRow[]): DesignerValues {
  const others = Object.entries(values).filter(([name]) => !/^field_\d+_/.test(name))
  return { ...Object.fromEntries(others), ...valuesOfRows(rows) }
}

/** Returns the API's messages, keyed by input name. */
export function problemsByInput(rejection: ApiRejection | undefined, values: DesignerValues): Record<string, string> {
  const details = rejection?.code === 'IN_USE' ? [] : (rejection?.details ?? [])
  const rows = rowsOf(values).length
  return Object.fromEntries(details.map(({ field, message }) => [inputOf(field, rows), message]))
}

function inputOf(field: string, rows: number): string {
  const [, row, member = 'name'] = /^field_schema\.(\d+)(?:\.([a-z_]+))?/.exec(field) ?? []
  if (row !== undefined && Number(row) < rows)
    return `field_${row}_${rowMembers.find((one) => one === member) ?? 'name'}`
  return field.startsWith('behaviors.') ? field.replace('behaviors.', 'behavior_') : field
}
