/**
 * These functions read members of unvalidated JSON. A value of the wrong type is treated as absent. Numbers count as
 * text, because some systems write ids as numbers in one table and as text in another.
 */
type Unknown = Record<string, unknown>

export const isObject = (value: unknown): value is Unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const textValue = (value: unknown): string =>
  typeof value === 'string' ? value : Number.isFinite(value) ? String(value) : ''

/** Databases without a boolean type export 1 or '1'. */
export const isTrue = (value: unknown): boolean => [true, 1, '1', 'true'].includes(value as never)

/** The names of the members that contain something and are not in `known`. */
export const unknownMembersOf = (row: Unknown, known: ReadonlySet<string>): string[] =>
  Object.entries(row).flatMap(([name, value]) => (known.has(name) || !hasContent(value) ? [] : [name]))

const hasContent = (value: unknown): boolean =>
  typeof value === 'object' && value !== null ? Object.keys(value).length > 0 : Boolean(value) && value !== '0'

export const listValue = (value: unknown): Unknown[] => (Array.isArray(value) ? value.filter(isObject) : [])

export const objectValue = (value: unknown): Unknown => (isObject(value) ? value : {})

export function timeValue(value: unknown): Date | undefined {
  const time = typeof value === 'string' || typeof value === 'number' ? new Date(value) : undefined
  const isInRange = time !== undefined && time.getTime() > 0 && time.getUTCFullYear() < 10_000
  return isInRange ? time : undefined
}

/** Returns `value` if it is one of the words, or else `other`. */
export const wordValue = <const Word extends string>(
  value: unknown,
  words: readonly [...Word[], Word],
  other: Word,
): Word => words.find((word) => word === value) ?? other
