import { bodyFormats, filledBehaviors, restrictions } from '../behaviors.ts'
import type { ShownDefinition } from '../definition-schemas.ts'
import { type DesignerValues, type FieldRow, rowsOf, shownSwitches } from './designer-values.ts'

/**
 * Returns the body of the API request. A missing checkbox counts as false, because browsers omit unchecked checkboxes.
 * Only behaviors that the user has changed are sent, because the API stores every behavior that it receives, and a
 * stored behavior no longer follows the default.
 */
export function definitionBody(values: DesignerValues, type: ShownDefinition | undefined): Record<string, unknown> {
  const { type_key = '', type_name = '', description = '', slug_prefix = '', icon = '', color = '' } = values
  return {
    ...(type === undefined && { type_key: type_key.trim() }),
    ...{ type_name, description, icon: icon.trim(), color: color.trim(), slug_prefix: slug_prefix.trim() },
    // The type `post` cannot be deactivated, so its form has no `is_active` checkbox.
    ...(type?.type_key !== 'post' && { is_active: values.is_active === 'on' }),
    field_schema: rowsOf(values).map(fieldOf),
    behaviors: behaviorsOf(values, type?.behaviors ?? filledBehaviors('', {})),
  }
}

function fieldOf({ name, label, type, required, options, max_length, placeholder }: FieldRow) {
  const lines = options
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  return {
    ...{ name: name.trim(), label, type, required: required === 'on' },
    ...(lines.length > 0 && { options: lines }),
    ...(max_length.trim() !== '' && { max_length: numberIn(max_length) }),
    ...(placeholder !== '' && { placeholder }),
  }
}

function behaviorsOf(values: DesignerValues, shown: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const wanted: Record<string, unknown> = {
    ...Object.fromEntries(shownSwitches.map((name) => [name, values[`behavior_${name}`] === 'on'])),
    default_visibility: values.behavior_default_visibility ?? '',
    max_per_author: numberIn(values.behavior_max_per_author ?? '0'),
    allowed_body_formats: formatsIn(values, shown.allowed_body_formats),
    // The form has these fields only if the extension that applies the restrictions is installed.
    ...Object.fromEntries(
      restrictions.flatMap((name) => {
        const value = values[`behavior_${name}`]
        return value === undefined ? [] : [[name, value]]
      }),
    ),
  }
  const differs = ([name, value]: [string, unknown]) => JSON.stringify(value) !== JSON.stringify(shown[name] ?? '')
  return Object.fromEntries(Object.entries(wanted).filter(differs))
}

/** The first format is the default, so the stored order is kept. */
function formatsIn(values: DesignerValues, shown: unknown): string[] {
  const before = Array.isArray(shown) ? (shown as string[]) : []
  const order = [...before, ...bodyFormats.filter((one) => !before.includes(one))]
  return order.filter((one) => values[`format_${one}`] === 'on')
}

/** Text that is not a number is passed on, so that the API reports it. */
const numberIn = (text: string): number | string => (/^\s*\d+\s*$/.test(text) ? Number(text) : text)
