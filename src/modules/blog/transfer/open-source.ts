import { createReadStream } from 'node:fs'
import { open, readFile, stat } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { parseExact } from '../../../lib/exact-json.ts'
import { exportFormat, exportVersion, findingOfExport, termOf } from './from-export.ts'
import { ghostTables, openGhost } from './from-ghost.ts'
import { openWordpress } from './from-wordpress.ts'
import { type ImportFinding, type ImportSource, type SourceOptions, UnreadableFile } from './import-source.ts'
import { isObject, listValue, objectValue } from './read-value.ts'

/** JSON files from other systems are parsed in memory, so their size is limited. */
const maxWholeSize = 256 * 1024 * 1024

/** Reads the file to the end before the import starts so that nothing from a broken file is imported. */
export async function openSource(file: string, options: SourceOptions): Promise<ImportSource> {
  const start = await beginningOf(file)
  if (start.startsWith('<')) return openWordpress(() => createReadStream(file), options)
  if (isOwnExport(start)) return openExport(file, options)
  if (start.startsWith('{')) return openWhole(file, options)
  throw new UnreadableFile(
    'The file is neither XML nor JSON: it must be an export from WordPress, Ghost or this service',
  )
}

async function beginningOf(file: string): Promise<string> {
  const handle = await open(file)
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(1024), 0, 1024)
    return buffer
      .toString('utf8', 0, bytesRead)
      .replace(/^\ufeff/, '')
      .trimStart()
  } finally {
    await handle.close()
  }
}

const isOwnExport = (start: string): boolean => start.startsWith(`{"format":"${exportFormat}","version":`)

/** An export has one post per line, so the file is read as a stream. */
async function openExport(file: string, { lang }: SourceOptions): Promise<ImportSource> {
  const read = async function* (): AsyncGenerator<ImportFinding> {
    let number = 0
    let isComplete = false
    for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Infinity })) {
      number++
      if (number === 1) {
        assertVersion(line)
        continue
      }
      if (line === ']}') isComplete = true
      else if (line.trim() !== '') yield findingOfExport(parse(line.replace(/,\s*$/, ''), `Line ${number}`))
    }
    if (!isComplete) throw new UnreadableFile('The file is incomplete')
  }
  let head: unknown
  for await (const line of createInterface({ input: createReadStream(file) })) {
    head ??= parse(`${line}]}`, 'Line 1')
    break
  }
  for await (const _ of read());
  return { ...termsOf(head), format: 'Wardenry', lang, isLanguageOfAll: false, read }
}

const termsOf = (head: unknown) => ({
  categories: listValue(objectValue(head).categories).map((term) => termOf(term)),
  tags: listValue(objectValue(head).tags).map((term) => termOf(term)),
})

function assertVersion(line: string): void {
  const version = Number(/"version":(\d+)/.exec(line)?.[1])
  if (version !== exportVersion)
    throw new UnreadableFile(`The export has version ${version}, but this release reads version ${exportVersion}`)
}

async function openWhole(file: string, options: SourceOptions): Promise<ImportSource> {
  const { size } = await stat(file)
  if (size > maxWholeSize)
    throw new UnreadableFile(
      `JSON files can have at most ${maxWholeSize / 1024 / 1024} MB; this file has ${Math.ceil(size / 1024 / 1024)} MB`,
    )
  const value = parse((await readFile(file, 'utf8')).replace(/^\ufeff/, ''), 'The file')
  if (isObject(value) && value.format === exportFormat && Array.isArray(value.posts)) {
    const { posts } = value
    assertVersion(JSON.stringify({ version: value.version }))
    return {
      ...termsOf(value),
      format: 'Wardenry',
      lang: options.lang,
      isLanguageOfAll: false,
      async *read() {
        for (const post of posts) yield findingOfExport(post)
      },
    }
  }
  const tables = ghostTables(value)
  if (!tables) throw new UnreadableFile('The file is JSON, but not an export of Ghost or of this service')
  return openGhost(tables, options)
}

function parse(text: string, where: string): unknown {
  try {
    return parseExact(text)
  } catch (error) {
    throw new UnreadableFile(`${where} is not valid JSON: ${error instanceof Error ? error.message : ''}`)
  }
}
