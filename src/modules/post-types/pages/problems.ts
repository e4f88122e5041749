import type { ApiRefusal } from '../../../pages/shared/call-api.ts'
import { type DesignerValues, rowMembers, rowsOf } from './designer-values.ts'

/** Returns the API's messages, keyed by input name. */
export function problemsByInput(refusal: ApiRefusal | undefined, values: DesignerValues): Record<string, string> {
  const details = refusal?.code === 'IN_USE' ? [] : (refusal?.details ?? [])
  const rows = rowsOf(values).length
  return Object.fromEntries(details.map(({ field, message }) => [inputOf(field, rows), message]))
}

function inputOf(field: string, rows: number): string {
  const [, row, member = 'name'] = /^field_schema\.(\d+)(?:\.([a-z_]+))?/.exec(field) ?? []
  if (row !== undefined && Number(row) < rows)
    return `field_${row}_${rowMembers.find((one) => one === member) ?? 'name'}`
  return field.startsWith('behaviors.') ? field.replace('behaviors.', 'behavior_') : field
}
