import { readFile, stat } from 'node:fs/promises'
import { extname } from 'node:path'
import { parseJson, readText } from '../../http/parsing/json-body.ts'
import { AppError } from '../../lib/errors.ts'
import type { SourceReading, UserSource, UserSourceOptions } from '../sources/source.ts'
import { readCsvRecords } from './read-csv.ts'
import { maxLineBytes, readLines } from './read-lines.ts'

export type ImportRow = { line: number; value: unknown } | { line: number; problem: string }

const maxDocumentBytes = 256 * 1024 * 1024

/** If the file is a single JSON document, `line` is the number of the row. */
export function readImportRows(
  path: string,
  source: UserSource,
  options: UserSourceOptions,
): AsyncGenerator<ImportRow> {
  const reading = readingOf(path, source)
  if (reading.kind === 'jsonl') return readJsonLines(path)
  return reading.kind === 'csv' ? readCsv(path, source, options) : readDocument(path, reading)
}

function readingOf(path: string, { reading }: UserSource): SourceReading {
  const kind = extname(path).slice(1).toLowerCase()
  const name = kind === 'ndjson' ? 'jsonl' : kind
  return reading.find((one) => one.kind === name) ?? reading[0]
}

async function* readJsonLines(path: string): AsyncGenerator<ImportRow> {
  for await (const { number: line, bytes } of readLines(path)) {
    if (!bytes) yield { line, problem: `the line has more than ${maxLineBytes} bytes` }
    else if (hasText(bytes)) yield { line, ...parsed(bytes) }
  }
}

/** Usually the beginning of the line is enough. */
const hasText = (line: Buffer): boolean =>
  /\S/.test(line.toString('latin1', 0, 100)) || /\S/.test(line.toString('latin1', 100))

async function* readCsv(path: string, source: UserSource, options: UserSourceOptions): AsyncGenerator<ImportRow> {
  let names: string[] | undefined
  for await (const { line, cells } of readCsvRecords(path)) {
    if (!names) {
      names = headerOf(path, cells)
      const problem = source.problemOfColumns?.(names, options)
      if (problem) throw new Error(`${path}: ${problem}`)
    } else if (cells.length !== names.length)
      yield { line, problem: `the row has ${cells.length} cells, but the header has ${names.length}` }
    else yield { line, ...checked(Object.fromEntries(names.map((name, at) => [name, cells[at]]))) }
  }
}

function headerOf(path: string, cells: string[]): string[] {
  const names = cells.map((cell) => cell.trim())
  const repeated = names.find((name, at) => name !== '' && names.indexOf(name) !== at)
  if (repeated !== undefined) throw new Error(`${path}: the column ${repeated} is given twice`)
  return names
}

async function* readDocument(path: string, { rowsOf }: SourceReading & { kind: 'json' }): AsyncGenerator<ImportRow> {
  if ((await stat(path)).size > maxDocumentBytes)
    throw new Error(`${path} is larger than ${maxDocumentBytes / 1024 / 1024} MB: split it`)
  const rows = rowsOf(parseDocument(path, await readFile(path)))
  let line = 0
  for (const row of rows) yield { line: ++line, ...checked(row) }
}

function parseDocument(path: string, bytes: Buffer): unknown {
  try {
    return JSON.parse(readText(bytes).replace(/^\ufeff/, ''))
  } catch {
    throw new Error(`${path} is not a complete JSON document in UTF-8`)
  }
}

/** Applies the checks for JSON Lines, such as the limits on depth and member names. */
const checked = (row: unknown) => parsed(Buffer.from(JSON.stringify(row) ?? 'null'))

function parsed(bytes: Buffer): { value: unknown } | { problem: string } {
  try {
    return { value: parseJson(bytes, maxLineBytes) }
  } catch (error) {
    if (!(error instanceof AppError && error.details)) throw error
    return {
      problem: error.details
        .map(({ field, message }) => `${field === 'body' ? 'the line' : field} ${message}`)
        .join('; '),
    }
  }
}
