import { createHash } from 'node:crypto'
import type { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type { Database } from '../db/connect.ts'
import type { BackupSource } from './backup-source.ts'
import { encrypt } from './encryption.ts'
import { addFileSum } from './file-sum.ts'
import { type BackupEnd, countInPart, picturesName } from './format.ts'
import { readTables } from './read-tables.ts'
import { type OnProgress, writeBackup } from './write-backup.ts'

interface Options extends Omit<BackupSource, 'tx' | 'kind' | 'onEnd'> {
  /** Undefined if the backup is not encrypted. */
  passphrase: string | undefined
  signal?: AbortSignal
  onProgress: OnProgress
}

export interface WrittenBackup {
  bytes: number
  sha256: string
  pictures: number
  missingPictures: number
}

/** Writes a backup from a single snapshot. The database can be in use. */
export async function streamBackup(
  { kind, alone }: Database,
  output: Writable,
  { passphrase, signal, onProgress, ...source }: Options,
): Promise<WrittenBackup> {
  const hash = createHash('sha256')
  let bytes = 0
  const found = { pictures: 0, missingPictures: 0 }
  const onEnd = (end: BackupEnd) => {
    found.pictures = countInPart(end, picturesName)
    found.missingPictures = end.missing_pictures
  }
  const sum = async function* (chunks: AsyncIterable<Uint8Array>) {
    for await (const chunk of chunks) {
      hash.update(chunk)
      bytes += chunk.length
      yield chunk
    }
  }
  const sealed = (chunks: AsyncIterable<Uint8Array>) =>
    passphrase === undefined ? chunks : encrypt(chunks, passphrase)
  await alone((db) =>
    readTables(db, source.modules, (tx) =>
      pipeline(writeBackup({ ...source, tx, kind, onEnd }, onProgress), createGzip(), addFileSum, sealed, sum, output, {
        signal,
      }),
    ),
  )
  return { bytes, sha256: hash.digest('hex'), ...found }
}
