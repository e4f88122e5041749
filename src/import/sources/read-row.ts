export type Row = Readonly<Record<string, unknown>>

export const isRow = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Inherited members, such as `constructor`, are not part of the row. */
export const memberOf = (row: Row, name: string): unknown => (Object.hasOwn(row, name) ? row[name] : undefined)

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
  if (/^(true|t|yes|1)$/i.test(String(value ?? '').trim())) return true
  return /^(false|f|no|0)$/i.test(String(value ?? '').trim()) ? false : undefined
}

/** Returns the member as an object. In a CSV cell, the object is JSON text. */
export function objectOf(row: Row, name: string): Row {
  const value = parsed(memberOf(row, name))
  return isRow(value) ? value : {}
}

export function rowsIn(row: Row, name: string): readonly Row[] {
  const value = parsed(memberOf(row, name))
  return Array.isArray(value) ? value.filter(isRow) : []
}

export function parsed(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value
  try {
    return JSON.parse(value)
  } catch {
    return undefined
  }
}

const withoutZone = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)$/
const withZone = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d(?::\d\d(?:\.\d+)?)?) ?(Z|[+-]\d\d(?::?\d\d)?)$/
const maxSeconds = 100_000_000_000

/** Accepts ISO 8601, the text of database timestamps (in UTC if they contain no zone) and Unix times. */
export function timeOf(row: Row, ...names: string[]): string | undefined {
  const text = textMember(row, ...names)
  if (!text) return undefined
  const number = /^\d+(\.\d+)?$/.test(text) ? Number(text) : undefined
  if (number !== undefined) return isoTime(number < maxSeconds ? number * 1000 : number)
  const [, day, time, zone = 'Z'] = withZone.exec(text) ?? withoutZone.exec(text) ?? []
  if (!day || !time) return undefined
  return isoTime(Date.parse(`${day}T${time.slice(0, 12)}${/^[+-]\d\d$/.test(zone) ? `${zone}:00` : zone}`))
}

function isoTime(milliseconds: number): string | undefined {
  const time = new Date(milliseconds)
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString()
}

/** Whether a member contains anything that the import would lose. */
export const hasContent = (value: unknown): boolean => {
  const content = parsed(value)
  if (content === undefined || content === null || content === '' || content === false) return false
  return typeof content === 'object' ? Object.keys(content).length > 0 : true
}
