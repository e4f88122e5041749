import { createHash } from 'node:crypto'
import { BackupDamaged } from './format.ts'

/**
 * An empty gzip member (RFC 1952), which gzip programs ignore. Its comment field contains the SHA-256 of all preceding
 * bytes. A checksum of the contents would not detect every change to the compressed bytes.
 */
function memberWith(sha256: string): Buffer {
  const header = Buffer.from([0x1f, 0x8b, 8, 0x10, 0, 0, 0, 0, 0, 0xff])
  const emptyBlock = Buffer.from([3, 0])
  const sumAndSize = Buffer.alloc(8)
  return Buffer.concat([header, Buffer.from(`sha256=${sha256}\0`), emptyBlock, sumAndSize])
}

const memberBytes = memberWith('0'.repeat(64)).length

export async function* addFileSum(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256')
  for await (const bytes of source) {
    hash.update(bytes)
    yield bytes
  }
  yield memberWith(hash.digest('hex'))
}

export async function* checkFileSum(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256')
  let last = Buffer.alloc(0)
  for await (const bytes of source) {
    const all = Buffer.concat([last, bytes])
    const known = all.subarray(0, Math.max(0, all.length - memberBytes))
    last = all.subarray(known.length)
    hash.update(known)
    yield known
  }
  if (!last.equals(memberWith(hash.digest('hex')))) throw new BackupDamaged('the checksum of the file does not match')
  yield last
}
