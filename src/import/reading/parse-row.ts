import { parseJson, readText } from '../../http/parsing/json-body.ts'
import { repeatedName, scanJson } from '../../http/parsing/json-scan.ts'
import { AppError } from '../../lib/errors.ts'
import { hasLongNumber, parseExact } from '../../lib/exact-json.ts'
import { isIndispensable } from '../optional-values.ts'
import { isRow, type Row } from '../sources/read-row.ts'
import { maxLineBytes } from './read-lines.ts'

/** `lost`: the members that exceed a limit for JSON, such as the one on its depth. */
export type ParsedRow = { value: unknown; lost?: readonly string[] } | { problem: string }

/** `memberOf` returns the member of a record that a column contains. */
export function parseRow(bytes: Buffer, memberOf: (column: string) => string): ParsedRow {
  try {
    const value = parseJson(bytes, maxLineBytes)
    return { value: hasLongNumber(bytes.toString('latin1')) ? parseExact(readText(bytes)) : value }
  } catch (error) {
    if (!(error instanceof AppError && error.details)) throw error
    const problem = error.details
      .map(({ field, message }) => `${field === 'body' ? 'the line' : field} ${message}`)
      .join('; ')
    return withoutInvalid(bytes, memberOf) ?? { problem }
  }
}

/** `JSON.stringify` calls itself for each level. */
const maxDepth = 1_000

/** Returns undefined if the row cannot be read without its invalid members. */
function withoutInvalid(bytes: Buffer, memberOf: (column: string) => string): ParsedRow | undefined {
  const row = rowIn(bytes)
  if (!row) return undefined
  const kept: [string, unknown][] = []
  const lost: string[] = []
  for (const [name, value] of Object.entries(row)) {
    const problem = problemOf({ [name]: value })
    if (problem === undefined) kept.push([name, value])
    else if (name === '__proto__' || isIndispensable(memberOf(name))) return undefined
    else lost.push(`${name.slice(0, 64).toWellFormed()} (${problem})`)
  }
  return { value: Object.fromEntries(kept), lost }
}

function rowIn(bytes: Buffer): Row | undefined {
  try {
    const text = readText(bytes)
    if (repeatedName(text) !== undefined || scanJson(text).depth > maxDepth) return undefined
    const row = parseExact(text)
    return isRow(row) ? row : undefined
  } catch {
    return undefined
  }
}

function problemOf(members: Row): string | undefined {
  try {
    parseJson(Buffer.from(JSON.stringify(members)), maxLineBytes)
    return undefined
  } catch (error) {
    if (!(error instanceof AppError && error.details)) throw error
    return error.details[0]?.message ?? ''
  }
}
