import { parseSync } from 'rolldown/utils'
import type { Profile } from './read-profiles.ts'

export interface UnreachedLine {
  /** The first line is 1. */
  number: number
  /** Trimmed. */
  text: string
}

/** The lines with code that ran in none of the processes. */
export function unreachedLines(file: string, text: string, profiles: Profile[]): UnreachedLine[] {
  const reached = new Uint8Array(text.length)
  for (const profile of profiles) addReached(reached, profile)
  const code = codeIn(file, text)
  const unreached = code.map((character, offset) => (reached[offset] ? ' ' : character)).join('')
  let end = -1
  return text.split('\n').flatMap((line, index) => {
    const start = end + 1
    end = start + line.length
    return isCode.test(unreached.slice(start, end).replace(withoutEffect, ''))
      ? [{ number: index + 1, text: line.trim() }]
      : []
  })
}

/** V8 also counts the brackets that follow a `return` or `throw` as unreached. */
const isCode = /[^\s{}()[\];,]/

/** Functions that do nothing, and defaults that the compiler demands for values that are always present. */
const withoutEffect = /\(\) => \{\}|\?\? (''|0n?|null|undefined|\[\]|\{\}|Buffer\.alloc\(0\))/g

/** The innermost range that contains an offset has the count of the code at this offset. */
function addReached(reached: Uint8Array, profile: Profile): void {
  const isReached = new Uint8Array(reached.length)
  const ranges = profile.flatMap((one) => one.ranges)
  ranges.sort((a, b) => a.startOffset - b.startOffset || b.endOffset - a.endOffset)
  for (const { startOffset, endOffset, count } of ranges) isReached.fill(Math.min(count, 1), startOffset, endOffset)
  for (const [offset, value] of isReached.entries()) if (value > 0) reached[offset] = 1
}

/** The characters of the text, with spaces instead of comments and types. */
function codeIn(file: string, text: string): string[] {
  const { program, comments } = parseSync(file, text)
  const characters = text.split('')
  for (const { start, end } of [...comments, ...typesIn(program)]) characters.fill(' ', start, end)
  return characters
}

interface Node {
  type: string
  start: number
  end: number
}

function typesIn(value: unknown): Node[] {
  if (typeof value !== 'object' || value === null) return []
  return isType(value) ? [value] : Object.values(value).flatMap(typesIn)
}

/** `TSAsExpression` and the like contain a value in addition to its type. */
const isType = (value: object): value is Node => 'type' in value && /^TS(?!.*Expression$)/.test(String(value.type))
