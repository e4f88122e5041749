import { invalidField } from './errors.ts'

// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches control characters.
const controls = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/

export function plainText(field: string, text: string, most: number): string {
  const normal = text.normalize('NFC')
  if (!normal.isWellFormed()) throw invalidField(field, 'must be well-formed Unicode')
  if (controls.test(normal)) throw invalidField(field, 'must not contain control characters')
  if (normal.length > most && [...normal].length > most)
    throw invalidField(field, `must have at most ${most} characters`)
  return normal
}

export function plainLine(field: string, text: string, most: number): string {
  const line = plainText(field, text, most)
  if (/[\r\n\u2028\u2029]/.test(line)) throw invalidField(field, 'must not contain line breaks')
  return line
}
