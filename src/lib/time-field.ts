import { invalidField } from './errors.ts'
import { parseTime } from './time.ts'

export function timeField(field: string, text: string | undefined): Date | undefined {
  if (text === undefined) return undefined
  const time = parseTime(text)
  if (time === undefined) throw invalidField(field, 'must be a time such as 2026-11-20T17:48:31Z')
  return new Date(time)
}
