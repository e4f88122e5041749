import { maxLineBytes, readChunks } from './read-lines.ts'

interface CsvRecord {
  /** The line on which the record begins. */
  line: number
  cells: string[]
}

/** RFC 4180. The separator is the first of comma, semicolon and tab, in this order, that the header contains. */
export async function* readCsvRecords(path: string): AsyncGenerator<CsvRecord> {
  const parser = createParser(path)
  const decoder = new TextDecoder('utf-8', { fatal: true })
  for await (const chunk of readChunks(path))
    yield* parser.read(decode(path, () => decoder.decode(chunk, { stream: true })))
  yield* parser.read(decode(path, () => decoder.decode()))
  yield* parser.end()
}

function decode(path: string, text: () => string): string {
  try {
    return text()
  } catch {
    throw new Error(`${path} is not UTF-8: convert it, for example with iconv`)
  }
}

function createParser(path: string) {
  let separator: string | undefined
  let [line, begin] = [1, 1]
  let cells: string[] = []
  let cell = ''
  let size = 0
  let state: 'start' | 'plain' | 'quoted' | 'closed' = 'start'

  const endCell = () => {
    cells.push(cell)
    ;[cell, state] = ['', 'start']
  }
  const endRecord = (): CsvRecord | undefined => {
    endCell()
    const record = { line: begin, cells }
    ;[cells, size, begin] = [[], 0, line]
    return record.cells.length === 1 && record.cells[0] === '' ? undefined : record
  }
  function* read(text: string): Generator<CsvRecord> {
    separator ??= separatorOf(text)
    for (const character of text) {
      if (character === '\n') line++
      size += character.length
      if (size > maxLineBytes)
        throw new Error(`${path}: the record on line ${begin} is too long. Perhaps a quotation mark is not closed.`)
      if (state === 'quoted') {
        if (character === '"') state = 'closed'
        else cell += character
      } else if (character === '"' && state === 'start') state = 'quoted'
      else if (character === '"' && state === 'closed') {
        cell += '"'
        state = 'quoted'
      } else if (character === separator) endCell()
      else if (character === '\n') {
        const record = endRecord()
        if (record) yield record
      } else if (character !== '\r') {
        cell += character
        state = state === 'start' ? 'plain' : state
      }
    }
  }
  function* end(): Generator<CsvRecord> {
    if (state === 'quoted') throw new Error(`${path} ends within quotation marks, which begin on line ${begin}`)
    const record = size > 0 ? endRecord() : undefined
    if (record) yield record
  }
  return { read, end }
}

function separatorOf(text: string): string | undefined {
  const header = /[^\r\n]+/.exec(text)?.[0]
  return header && ([',', ';', '\t'].find((one) => header.includes(one)) ?? ',')
}
