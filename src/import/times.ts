import { invalidField } from '../lib/errors.ts'
import { day } from '../lib/time.ts'
import { timeField } from '../lib/time-field.ts'

export const optionalTime = (field: string, text: string | null | undefined): Date | undefined =>
  timeField(field, text ?? undefined)

/** A time from 1970 to the present, with a tolerance of one day for clock differences. */
export function pastTimeOf(field: string, text: string | null | undefined, now: number): Date | undefined {
  const time = optionalTime(field, text)
  if (time && (time.getTime() < 0 || time.getTime() > now + day)) throw invalidField(field, 'must be in the past')
  return time
}
