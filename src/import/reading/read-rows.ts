import { readFile, stat } from 'node:fs/promises'
import { extname } from 'node:path'
import { readText } from '../../http/parsing/json-body.ts'
import { parseExact } from '../../lib/exact-json.ts'
import { memberIn, type SourceReading, type UserSource, type UserSourceOptions } from '../sources/source.ts'
import { type ParsedRow, parseRow } from './parse-row.ts'
import { readCsvRecords } from './read-csv.ts'
import { maxLineBytes, readLines } from './read-lines.ts'

export type ImportRow = { line: number } & ParsedRow

/** Returns the member of a record that a column contains. */
type MemberOf = (column: string) => string

const maxDocumentBytes = 256 * 1024 * 1024

/** If the file is a single JSON document, `line` is the number of the row. */
export function readImportRows(
  path: string,
  source: UserSource,
  options: UserSourceOptions,
): AsyncGenerator<ImportRow> {
  const reading = readingOf(path, source)
  const memberOf: MemberOf = (column) => memberIn(options, column)
  if (reading.kind === 'jsonl') return readJsonLines(path, memberOf)
  return reading.kind === 'csv'
    ? readCsv(path, memberOf, (names) => source.problemOfColumns?.(names, options))
    : readDocument(path, reading, memberOf, source)
}

function readingOf(path: string, { reading }: UserSource): SourceReading {
  const kind = extname(path).slice(1).toLowerCase()
  const name = kind === 'ndjson' ? 'jsonl' : kind
  return reading.find((one) => one.kind === name) ?? reading[0]
}

async function* readJsonLines(path: string, memberOf: MemberOf): AsyncGenerator<ImportRow> {
  for await (const { number: line, bytes } of readLines(path)) {
    if (!bytes) yield { line, problem: `the line has more than ${maxLineBytes} bytes` }
    else if (hasText(bytes)) yield { line, ...parseRow(bytes, memberOf) }
  }
}

/** Usually the beginning of the line is enough. */
const hasText = (line: Buffer): boolean =>
  /\S/.test(line.toString('latin1', 0, 100)) || /\S/.test(line.toString('latin1', 100))

async function* readCsv(
  path: string,
  memberOf: MemberOf,
  problemOf: (names: readonly string[]) => string | undefined,
): AsyncGenerator<ImportRow> {
  let names: string[] | undefined
  for await (const { line, cells } of readCsvRecords(path)) {
    if (!names) {
      names = headerOf(path, cells)
      const problem = problemOf(names)
      if (problem) throw new Error(`${path}: ${problem}`)
    } else if (cells.length !== names.length)
      yield { line, problem: `the row has ${cells.length} cells, but the header has ${names.length}` }
    else yield { line, ...checked(Object.fromEntries(names.map((name, at) => [name, cells[at]])), memberOf) }
  }
}

function headerOf(path: string, cells: string[]): string[] {
  const names = cells.map((cell) => cell.trim())
  const repeated = names.find((name, at) => name !== '' && names.indexOf(name) !== at)
  if (repeated !== undefined) throw new Error(`${path}: the column ${repeated} is given twice`)
  return names
}

async function* readDocument(
  path: string,
  { rowsOf, problemOf }: SourceReading & { kind: 'json' },
  memberOf: MemberOf,
  source: UserSource,
): AsyncGenerator<ImportRow> {
  if ((await stat(path)).size > maxDocumentBytes)
    throw new Error(`${path} is larger than ${maxDocumentBytes / 1024 / 1024} MB: split it`)
  const document = parseDocument(path, await readFile(path), source)
  const problem = problemOf?.(document) ?? problemOfTables(document)
  if (problem) throw new Error(`${path}: ${problem}`)
  const rows = rowsOf(document)
  let line = 0
  for (const row of rows) yield { line: ++line, ...checked(row, memberOf) }
}

/** The end of an object or list, followed by the start of another without a comma. */
const severalDocuments = /[\]}]\s*\n[[{]/

function parseDocument(path: string, bytes: Buffer, { title, jsonCommand }: UserSource): unknown {
  const how = jsonCommand ? `, for example with "${jsonCommand}"` : ''
  try {
    return parseExact(readText(bytes).replace(/^\ufeff/, ''))
  } catch {
    const other = otherForm(bytes.toString('latin1', 0, 1024).trimStart(), path)
    if (other) throw new Error(`${path} is ${other}. Export the users of ${title} as JSON instead${how}.`)
    if (severalDocuments.test(bytes.toString('latin1')))
      throw new Error(`${path} contains several JSON documents: save each export to a file of its own, and import each`)
    throw new Error(`${path} is not a complete JSON document in UTF-8`)
  }
}

function otherForm(start: string, path: string): string | undefined {
  if (/^<(\?xml|!doctype|html|rss)/i.test(start)) return 'an XML or HTML file'
  if (/^(--|\/\*|INSERT|CREATE|DROP|SET) /i.test(start)) return 'an SQL file'
  if (extname(path).toLowerCase() === '.csv' || /^[^[{\n]*,[^\n]*,/.test(start)) return 'a CSV file'
  return undefined
}

/** phpMyAdmin writes a list of a header, the database and the tables. */
function problemOfTables(document: unknown): string | undefined {
  const parts = Array.isArray(document) ? document : []
  if (parts[0]?.type !== 'header' || !parts.some((part) => part?.type === 'table')) return undefined
  return 'the file is a JSON export of phpMyAdmin. Pass only the list of rows, which is the member data of the table.'
}

/** Applies the checks for JSON Lines, such as the limits on depth and member names. */
const checked = (row: unknown, memberOf: MemberOf) => parseRow(Buffer.from(JSON.stringify(row) ?? 'null'), memberOf)
