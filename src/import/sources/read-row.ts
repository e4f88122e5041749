import { parseJson, textLimits } from '../../http/parsing/json-body.ts'
import { AppError, invalidField } from '../../lib/errors.ts'
import { isDay } from '../../lib/time.ts'

export type Row = Readonly<Record<string, unknown>>

export const isRow = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Inherited members, such as `constructor`, are not part of the row. */
export const memberOf = (row: Row, name: string): unknown => (Object.hasOwn(row, name) ? row[name] : undefined)

/** `E-Mail` and `email` are the same name, and so are `First name` and `first_name`. */
export const isSameName = (left: string, right: string): boolean =>
  left === right || plainName(left) === plainName(right)

export const plainName = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '') || name

/** The first member that is not empty. Numbers are accepted because some exports write ids as numbers. */
export function textMember(row: Row, ...names: string[]): string | undefined {
  for (const name of names) {
    const value = memberOf(row, name)
    const text = typeof value === 'string' ? value.trim() : Number.isFinite(value) ? String(value) : ''
    if (text) return text
  }
  return undefined
}

/** Also accepts the spellings used in CSV files. */
export function flagOf(row: Row, ...names: string[]): boolean | undefined {
  const value = names.map((name) => memberOf(row, name)).find((found) => found !== undefined && found !== null)
  if (typeof value === 'boolean') return value
  const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : ''
  if (/^(true|t|yes|1)$/i.test(text)) return true
  return /^(false|f|no|0)$/i.test(text) ? false : undefined
}

/** Returns the member as an object. In a CSV cell, the object is JSON text. */
export function objectOf(row: Row, name: string): Row {
  const value = parsedMember(row, name)
  return isRow(value) ? value : {}
}

export function rowsIn(row: Row, name: string): readonly Row[] {
  const value = parsedMember(row, name)
  return Array.isArray(value) ? value.filter(isRow) : []
}

/**
 * Returns the member. If it is JSON text, as in a CSV cell, returns the parsed value, or undefined if it is not valid.
 * Throws VALIDATION_ERROR if the text exceeds a limit for JSON, such as the one on its depth.
 */
export function parsedMember(row: Row, name: string): unknown {
  const value = memberOf(row, name)
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value
  try {
    return parseJson(Buffer.from(value), textLimits.large)
  } catch (error) {
    if (!isJson(value)) return undefined
    const [problem] = (error instanceof AppError && error.details) || []
    if (!problem) throw error
    throw invalidField(problem.field === 'body' ? name : `${name}.${problem.field}`, problem.message)
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

const withoutZone = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)$/
const withZone = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d(?::\d\d(?:\.\d+)?)?) ?(Z|[+-]\d\d(?::?\d\d)?)$/
/** Smaller numbers are years or days, such as 2025 or 20250101. */
const [minSeconds, maxSeconds] = [100_000_000, 100_000_000_000]

/** Accepts ISO 8601, the text of database timestamps (in UTC if they contain no zone) and Unix times. */
export function timeOf(row: Row, ...names: string[]): string | undefined {
  const text = textMember(row, ...names)
  if (!text) return undefined
  const number = /^\d+(\.\d+)?$/.test(text) ? Number(text) : undefined
  if (number !== undefined && number < minSeconds) return undefined
  if (number !== undefined) return isoTime(number < maxSeconds ? number * 1000 : number)
  const [, day, time, zone = 'Z'] = withZone.exec(text) ?? withoutZone.exec(text) ?? []
  if (!day || !time || !isDay(day)) return undefined
  return isoTime(Date.parse(`${day}T${time.slice(0, 12)}${/^[+-]\d\d$/.test(zone) ? `${zone}:00` : zone}`))
}

/** Whether there is a time that cannot be read. MySQL writes 0000-00-00 if there is none. */
export const isLostTime = (row: Row, ...names: string[]): boolean =>
  timeOf(row, ...names) === undefined && !(textMember(row, ...names) ?? '0000-00-00').startsWith('0000-00-00')

/** If the time cannot be read, returns it as it is, so that the row is refused instead of restoring a deleted user. */
export const deletionTime = (row: Row, ...names: string[]): string | undefined =>
  isLostTime(row, ...names) ? textMember(row, ...names) : timeOf(row, ...names)

function isoTime(milliseconds: number): string | undefined {
  const time = new Date(milliseconds)
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString()
}

/** Whether a member contains anything that the import would lose. */
export const hasContent = (value: unknown): boolean => {
  if (value === undefined || value === null || value === false) return false
  if (typeof value === 'string') return !/^(\{\s*\}|\[\s*\])?$/.test(value.trim())
  return typeof value === 'object' ? Object.keys(value).length > 0 : true
}
