import { invalidField } from './errors.ts'
import { day, parseTime } from './time.ts'

export function timeField(field: string, text: string | null | undefined): Date | undefined {
  if (text === undefined || text === null) return undefined
  const time = parseTime(text)
  if (time === undefined) throw invalidField(field, 'must be a time such as 2026-11-20T17:48:31Z')
  return new Date(time)
}

/** A time from 1970 to the present, with a tolerance of one day for clock differences. */
export function pastTimeOf(field: string, text: string | null | undefined, now: number): Date | undefined {
  const time = timeField(field, text)
  if (time && (time.getTime() < 0 || time.getTime() > now + day)) throw invalidField(field, 'must be in the past')
  return time
}
