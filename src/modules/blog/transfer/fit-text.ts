import { type ImportNote, note } from './notes.ts'
import { shortened, withoutControls } from './plain-text.ts'

export function fitText(name: string, given: string, most: number, notes: ImportNote[]): string {
  const text = shortened(given, most)
  const whole = [...withoutControls(given).normalize('NFC').trim()].length
  if (whole > most) notes.push(note(`its ${name} is shortened to ${most} characters`, `it had ${whole}`))
  if (withoutControls(given) !== given) notes.push(note(`control characters are removed from its ${name}`))
  return text
}

export function fitTitle(given: string, most: number, notes: ImportNote[]): string {
  const title = fitText('title', given.replace(/\s+/g, ' '), most, notes)
  if (title === '') notes.push(note('it has no title and is named (untitled)'))
  return title || '(untitled)'
}

export function fitBody(given: string | null, notes: ImportNote[]): string | null {
  if (given === null) return null
  const body = withoutControls(given)
  if (body !== given) notes.push(note('control characters are removed from its body'))
  return body
}
