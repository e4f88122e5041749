export const hasLongNumber = (text: string): boolean => /\d{16}/.test(text)

/**
 * Parses JSON. Integers that are too long for a JavaScript number become text, because different ids of other systems
 * would otherwise be equal.
 */
export function parseExact(text: string): unknown {
  if (!hasLongNumber(text)) return JSON.parse(text)
  const exact = (_name: string, value: unknown, context?: { source?: string }) =>
    typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)
      ? (context?.source ?? value)
      : value
  return JSON.parse(text, exact as (name: string, value: unknown) => unknown)
}
