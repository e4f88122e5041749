import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { looksLikePictureFile } from '../users/picture-address.ts'
import { assertEnd, assertHeader } from './check-header.ts'
import { decrypt, isEncrypted } from './encryption.ts'
import { checkFileSum } from './file-sum.ts'
import {
  BackupDamaged,
  type BackupEnd,
  type BackupHeader,
  entryNames,
  type PartSum,
  partOfTable,
  picturesName,
} from './format.ts'
import { readTar, type TarEntry } from './tar.ts'

export type BackupPart =
  | { kind: 'rows'; table: string; lines: string[] }
  | { kind: 'picture'; name: string; content: Buffer }
  | { kind: 'secrets'; content: Buffer }

export interface BackupReader {
  onHeader?(header: BackupHeader): Promise<void> | void
  /** Parts are passed on before the checksum of the entire archive is verified. */
  onPart?(part: BackupPart): Promise<void> | void
}

export interface BackupFile {
  path: string
  passphrase: string | undefined
}

/** Reads the entire file and verifies every checksum in it. */
export async function readBackup(
  file: BackupFile,
  reader: BackupReader,
): Promise<{ header: BackupHeader; end: BackupEnd }> {
  const decryptIfNeeded = await decryption(file)
  const source = createReadStream(file.path, { highWaterMark: 256 * 1024 })
  const gunzip = createGunzip()
  const unpacking = pipeline(source, decryptIfNeeded, checkFileSum, gunzip)
  unpacking.catch(() => {})
  try {
    const read = await readArchive(gunzip, reader, file.passphrase !== undefined)
    await unpacking
    return read
  } catch (error) {
    source.destroy()
    gunzip.destroy()
    throw isZlibError(error) ? new BackupDamaged('its compressed data cannot be read') : error
  }
}

const isZlibError = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('Z_')

async function decryption({ path, passphrase }: BackupFile) {
  const handle = await open(path)
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(64), 0, 64, 0).finally(() => handle.close())
  const beginning = buffer.subarray(0, bytesRead)
  if (!isEncrypted(beginning)) {
    if (beginning[0] !== 0x1f || beginning[1] !== 0x8b) throw new Error(`${path} is not a backup of Wardenry`)
    if (passphrase !== undefined)
      throw new Error(
        'The backup is not encrypted, so anybody could have made it. To restore it anyway, pass no passphrase, and ' +
          'remove BACKUP_PASSPHRASE. Nothing was restored.',
      )
    return async function* (source: AsyncIterable<Uint8Array>) {
      yield* source
    }
  }
  if (passphrase === undefined)
    throw new Error('The backup is encrypted: pass --passphrase-file, or set BACKUP_PASSPHRASE')
  return (source: AsyncIterable<Uint8Array>) => decrypt(source, passphrase)
}

/** Only encrypted archives may contain secrets. Otherwise, a forged archive could replace an installation's secrets. */
async function readArchive(bytes: AsyncIterable<Uint8Array>, { onHeader, onPart }: BackupReader, isSealed: boolean) {
  const whole = createHash('sha256')
  const sums = partSums()
  let header: BackupHeader | undefined
  let end: BackupEnd | undefined
  for await (const { name, content, raw } of readTar(bytes)) {
    if (end) throw new BackupDamaged('there is data after its end')
    if (name === entryNames.end) {
      end = assertEnd(content)
      if (end.sha256 !== whole.copy().digest('hex')) throw new BackupDamaged('its checksum does not match')
      sums.compareWith(end.parts)
      continue
    }
    for (const part of raw) whole.update(part)
    if (!header) {
      header = assertHeader(name, content)
      await onHeader?.(header)
      continue
    }
    const part = partOf({ name, content }, header, isSealed)
    sums.add(part, content)
    await onPart?.(part)
  }
  if (!header || !end) throw new BackupDamaged('its end is missing')
  return { header, end }
}

function partOf({ name, content }: TarEntry, { tables }: BackupHeader, isSealed: boolean): BackupPart {
  if (name === entryNames.secrets && isSealed) return { kind: 'secrets', content }
  const [folder, one = '', number] = name.split('/')
  if (folder === 'files' && number === undefined && looksLikePictureFile(one))
    return { kind: 'picture', name: one, content }
  if (folder === 'tables' && number !== undefined && tables.some((table) => table.name === one))
    return { kind: 'rows', table: one, lines: linesOf(content) }
  throw new BackupDamaged('it contains an unknown part')
}

/** A batch has about a million characters, unless it consists of a single longer row. */
const maxBatchBytes = 4 * 1024 * 1024

/** A small file can contain many short rows, which would need far more memory than their text. */
function linesOf(content: Buffer): string[] {
  if (content.length > maxBatchBytes && content.indexOf('\n') < content.length - 1)
    throw new BackupDamaged('it contains too many rows in one part')
  return content.toString().trimEnd().split('\n')
}

const nameOf = (part: BackupPart): string =>
  part.kind === 'rows' ? partOfTable(part.table) : part.kind === 'picture' ? picturesName : part.kind

function partSums() {
  const found = new Map<string, { count: number; bytes: number; hash: ReturnType<typeof createHash> }>()
  return {
    add: (part: BackupPart, content: Buffer) => {
      const name = nameOf(part)
      const sum = found.get(name) ?? { count: 0, bytes: 0, hash: createHash('sha256') }
      found.set(name, sum)
      sum.hash.update(content)
      sum.count += part.kind === 'rows' ? part.lines.length : 1
      sum.bytes += content.length
    },
    compareWith: (expected: readonly PartSum[]) => {
      for (const { part, count, bytes, sha256 } of expected) {
        const sum = found.get(part)
        found.delete(part)
        const isEqual = sum ? sum.hash.digest('hex') === sha256 : count === 0
        if (!isEqual || (sum?.count ?? 0) !== count || (sum?.bytes ?? 0) !== bytes)
          throw new BackupDamaged(`the checksum of the part "${part}" does not match`)
      }
      if (found.size > 0) throw new BackupDamaged('it contains an unlisted part')
    },
  }
}
