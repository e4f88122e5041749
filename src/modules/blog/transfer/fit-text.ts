import { type ImportNote, note } from './notes.ts'
import { shortened, withoutControls } from './plain-text.ts'

export function fitText(name: string, input: string, max: number, notes: ImportNote[]): string {
  const text = shortened(input, max)
  const whole = [...withoutControls(input).normalize('NFC').trim()].length
  if (whole > max) notes.push(note(`its ${name} is shortened to ${max} characters`, `it had ${whole}`))
  if (withoutControls(input) !== input) notes.push(note(`control characters are removed from its ${name}`))
  return text
}

export function fitTitle(input: string, max: number, notes: ImportNote[]): string {
  const title = fitText('title', input.replace(/\s+/g, ' '), max, notes)
  if (title === '') notes.push(note('it has no title and is named (untitled)'))
  return title || '(untitled)'
}

export function fitBody(input: string | null, notes: ImportNote[]): string | null {
  if (input === null) return null
  const body = withoutControls(input)
  if (body !== input) notes.push(note('control characters are removed from its body'))
  return body
}
