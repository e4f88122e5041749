import { createHash, type Hash } from 'node:crypto'
import { readRows, type TableShape } from '../db/bulk/tables.ts'
import type { Db } from '../db/tables.ts'
import type { BackupSource } from './backup-source.ts'
import { describeBackup } from './describe-backup.ts'
import { type BackupEnd, entryNames, type PartSum, partOfTable, picturesName } from './format.ts'
import { type PictureNames, pictureNames, readPictures } from './picture-names.ts'
import { tarEnd, tarEntry } from './tar.ts'

export type OnProgress = (part: string, count: number) => void

/** Yields the bytes of the archive. Needs memory for only about one batch of rows or one picture. */
export async function* writeBackup(source: BackupSource, onProgress: OnProgress): AsyncGenerator<Buffer> {
  const archive = archiveWriter(source.now)
  const { header, tables } = await describeBackup(source)
  yield archive.entry(entryNames.header, toJson(header))
  const names = pictureNames()
  const parts: PartSum[] = []
  for (const table of tables) parts.push(yield* writeTable(source.tx, table, { archive, names, onProgress }))
  let missing = 0
  if (header.pictures === 'included') {
    const { part, missing: gone } = yield* writePictures(source, names, { archive, onProgress })
    parts.push(part)
    missing = gone
  }
  if (source.secrets) {
    const part = partSum('secrets')
    part.add(1, source.secrets)
    yield archive.entry(entryNames.secrets, source.secrets)
    parts.push(part.end())
  }
  const end: BackupEnd = { parts, missing_pictures: missing, sha256: archive.sum() }
  yield archive.entry(entryNames.end, toJson(end))
  source.onEnd?.(end)
  yield tarEnd()
}

interface Writing {
  archive: ReturnType<typeof archiveWriter>
  onProgress: OnProgress
}

async function* writeTable(
  tx: Db,
  table: TableShape,
  { archive, names, onProgress }: Writing & { names: PictureNames },
): AsyncGenerator<Buffer, PartSum> {
  const part = partSum(partOfTable(table.name))
  let number = 0
  for await (const lines of readRows(tx, table)) {
    const text = `${lines.join('\n')}\n`
    const content = Buffer.from(text)
    names.find(text, table.name)
    part.add(lines.length, content)
    number++
    yield archive.entry(`${partOfTable(table.name)}/${String(number).padStart(8, '0')}.jsonl`, content)
    onProgress(table.name, part.count())
  }
  return part.end()
}

/** Pictures are read after the snapshot, so some may have been deleted by then. */
async function* writePictures(
  { tx, files }: BackupSource,
  names: PictureNames,
  { archive, onProgress }: Writing,
): AsyncGenerator<Buffer, { part: PartSum; missing: number }> {
  const part = partSum(picturesName)
  let missing = 0
  const onMissing = () => missing++
  for await (const { name, content } of readPictures({ tx, files, names, onMissing })) {
    part.add(1, content)
    yield archive.entry(`${picturesName}/${name}`, content)
    onProgress('pictures', part.count())
  }
  return { part: part.end(), missing }
}

function partSum(part: string) {
  const hash: Hash = createHash('sha256')
  const sum = { count: 0, bytes: 0 }
  return {
    add: (count: number, content: Buffer) => {
      hash.update(content)
      sum.count += count
      sum.bytes += content.length
    },
    count: () => sum.count,
    end: (): PartSum => ({ part, ...sum, sha256: hash.digest('hex') }),
  }
}

function archiveWriter(now: Date) {
  const hash = createHash('sha256')
  return {
    entry: (name: string, content: Buffer): Buffer => {
      const bytes = tarEntry({ name, content }, now)
      hash.update(bytes)
      return bytes
    },
    sum: (): string => hash.copy().digest('hex'),
  }
}

const toJson = (value: unknown): Buffer => Buffer.from(`${JSON.stringify(value, null, 2)}\n`)
