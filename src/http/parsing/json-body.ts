import { isUtf8 } from 'node:buffer'
import { invalidField } from '../../lib/errors.ts'
import type { DeclareRoutes, HttpServer } from '../server/types.ts'
import { repeatedName, scanJson } from './json-scan.ts'

const limits = { depth: 20, array: 1_000 }

export const textLimits = { usual: 10_000, large: 1024 * 1024 }

/** An empty body is treated as `{}`, because published clients send a JSON content type without a body. */
export function parseJsonBody(bytes: Buffer, maxLength = textLimits.usual): unknown {
  if (bytes.length === 0) return {}
  const value = parseJson(bytes, maxLength)
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalidField('body', 'must be a JSON object')
  return value
}

export function parseJson(bytes: Buffer, maxLength = textLimits.usual): unknown {
  // RFC 8259, section 8.1, permits parsers to ignore a byte order mark, which some clients send.
  const text = withoutMark(readText(bytes))
  const { depth, members } = scanJson(text)
  if (depth > limits.depth) throw invalidField('body', `must not be nested deeper than ${limits.depth} levels`)
  const value = parse(text)
  // JSON.parse drops duplicate members, in which case the result has fewer members than the text.
  if (countChecked(value, '', maxLength) !== members)
    throw invalidField(shownName(repeatedName(text) ?? ''), 'is given twice')
  return value
}

const withoutMark = (text: string): string => (text.charCodeAt(0) === 0xfeff ? text.slice(1) : text)

/** Decoding would replace all invalid bytes with the same character, so different passwords could become identical. */
export function readText(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw invalidField('body', 'must be UTF-8')
  return bytes.toString('utf8')
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw invalidField('body', 'must be valid JSON with ASCII quotes and spaces')
  }
}

/** The depth has already been checked, so the recursion is bounded. */
function countChecked(value: unknown, path: string, maxLength: number): number {
  if (typeof value === 'string') assertString(value, path, maxLength)
  // 1e400 is valid JSON but would be stored as null.
  if (typeof value === 'number' && !Number.isFinite(value))
    throw invalidField(shownName(path), 'must be a number in range')
  if (typeof value !== 'object' || value === null) return 0
  let members = 0
  if (Array.isArray(value)) {
    if (value.length > limits.array) throw invalidField(shownName(path), `must have at most ${limits.array} items`)
    for (let index = 0; index < value.length; index++)
      members += countChecked(value[index], joined(path, index), maxLength)
    return members
  }
  for (const name in value) {
    if (name === '__proto__') throw invalidField(shownName(path), 'must not have a member named __proto__')
    assertString(name, path)
    members += 1 + countChecked((value as Record<string, unknown>)[name], joined(path, name), maxLength)
  }
  return members
}

const joined = (path: string, name: string | number): string => (path === '' ? String(name) : `${path}.${name}`)

export function assertString(text: string, field: string, maxLength = textLimits.usual): void {
  if (text.length > maxLength) throw invalidField(shownName(field), `must have at most ${maxLength} characters`)
  if (text.includes('\0')) throw invalidField(shownName(field), 'must not contain the character U+0000')
  if (!text.isWellFormed()) throw invalidField(shownName(field), 'must be well-formed Unicode')
}

/** Makes a client-supplied field name safe to display. */
export const shownName = (field: string): string => field.slice(0, 100).replaceAll('\0', '').toWellFormed() || 'body'

/** Accepts any content type as JSON because published clients send various content types. */
export function takeAnyAsJson(http: HttpServer, routes: DeclareRoutes): void {
  http.register(async (scope) => {
    scope.addHook('onRequest', async ({ headers }) => {
      headers['content-type'] = 'application/json'
    })
    routes(scope)
  })
}
