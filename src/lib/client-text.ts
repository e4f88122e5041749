import { invalidField } from './errors.ts'

// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches control characters.
const controls = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/

export function plainText(field: string, text: string, max: number): string {
  const normal = text.normalize('NFC')
  if (!normal.isWellFormed()) throw invalidField(field, 'must be well-formed Unicode')
  if (controls.test(normal)) throw invalidField(field, 'must not contain control characters')
  if (normal.length > max && [...normal].length > max) throw invalidField(field, `must have at most ${max} characters`)
  return normal
}

export function plainLine(field: string, text: string, max: number): string {
  const line = plainText(field, text, max)
  if (/[\r\n\u2028\u2029]/.test(line)) throw invalidField(field, 'must not contain line breaks')
  return line
}

export function webAddress(field: string, text: string, max = 2048): string {
  const url = text.length <= max && URL.canParse(text) ? new URL(text) : undefined
  if (url && /^https?:$/.test(url.protocol) && !url.username && !url.password) return url.href
  throw invalidField(field, `must be an http or https URL of at most ${max} characters`)
}

/**
 * Detects encoded dots, slashes and control characters, and dots with parameters (`..;`), which servers may interpret
 * differently. For example, some end a segment at a null byte, so that `..%00` becomes `..`.
 */
export const hasDisguisedSegment = (path: string): boolean =>
  /%(?:25)*(?:2e|2f|5c|[01][\da-f]|7f)|\/\.{1,2};/i.test(path)
