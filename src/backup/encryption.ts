import { createCipheriv, createDecipheriv, randomBytes, type ScryptOptions, scrypt } from 'node:crypto'
import { BackupDamaged } from './format.ts'

/**
 * The file begins with this line and a 16-byte salt. Chunks of 64 KiB follow, each encrypted with AES-256-GCM. The
 * nonce encodes the chunk number and whether the chunk is the last one (the STREAM construction), so removed, repeated
 * and reordered chunks are detected. Each file has a new salt, so a key never encrypts two chunks with the same nonce.
 */
const magic = Buffer.from('wardenry encrypted backup, format 1\n')
const saltBytes = 16
const chunkBytes = 64 * 1024
const tagBytes = 16
// OWASP recommends these scrypt parameters, which require 128 MiB of memory.
const cost: ScryptOptions = { N: 2 ** 17, r: 8, p: 1, maxmem: 256 * 1024 * 1024 }

export const isEncrypted = (beginning: Uint8Array): boolean =>
  Buffer.compare(beginning.subarray(0, magic.length), magic) === 0

export async function* encrypt(source: AsyncIterable<Uint8Array>, passphrase: string): AsyncGenerator<Buffer> {
  const salt = randomBytes(saltBytes)
  const key = await deriveKey(passphrase, salt)
  yield Buffer.concat([magic, salt])
  for await (const { number, bytes, isLast } of inChunks(source, chunkBytes)) {
    const cipher = createCipheriv('aes-256-gcm', key, nonceOf(number, isLast))
    yield Buffer.concat([cipher.update(bytes), cipher.final(), cipher.getAuthTag()])
  }
}

export async function* decrypt(source: AsyncIterable<Uint8Array>, passphrase: string): AsyncGenerator<Buffer> {
  let key: Buffer | undefined
  let beginning = Buffer.alloc(0)
  const body = async function* () {
    for await (const bytes of source) {
      if (key) yield bytes
      else beginning = Buffer.concat([beginning, bytes])
      if (key || beginning.length < magic.length + saltBytes) continue
      key = await deriveKey(passphrase, beginning.subarray(magic.length, magic.length + saltBytes))
      yield beginning.subarray(magic.length + saltBytes)
    }
  }
  for await (const { number, bytes, isLast } of inChunks(body(), chunkBytes + tagBytes)) {
    if (!key || bytes.length < tagBytes) throw new BackupDamaged('its end is missing')
    yield decryptChunk(key, number, bytes, isLast)
  }
}

function decryptChunk(key: Buffer, number: number, bytes: Buffer, isLast: boolean): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, nonceOf(number, isLast), { authTagLength: tagBytes })
  decipher.setAuthTag(bytes.subarray(-tagBytes))
  try {
    return Buffer.concat([decipher.update(bytes.subarray(0, -tagBytes)), decipher.final()])
  } catch {
    throw number === 0
      ? new Error('The passphrase is wrong, or the backup is damaged. Nothing was restored from it.')
      : new BackupDamaged('an encrypted part was changed, or the end is missing')
  }
}

function nonceOf(number: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12)
  nonce.writeUIntBE(number, 5, 6)
  nonce[11] = isLast ? 1 : 0
  return nonce
}

const deriveKey = (passphrase: string, salt: Uint8Array): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    scrypt(passphrase.normalize('NFKC'), salt, 32, cost, (error, key) => (error ? reject(error) : resolve(key)))
  })

interface Chunk {
  number: number
  bytes: Buffer
  isLast: boolean
}

/** Only the last chunk may be shorter than `size`. An empty source yields one empty chunk. */
async function* inChunks(source: AsyncIterable<Uint8Array>, size: number): AsyncGenerator<Chunk> {
  let number = 0
  let rest = Buffer.alloc(0)
  for await (const bytes of source) {
    rest = Buffer.concat([rest, bytes])
    while (rest.length > size) {
      yield { number: number++, bytes: rest.subarray(0, size), isLast: false }
      rest = rest.subarray(size)
    }
  }
  yield { number, bytes: rest, isLast: true }
}
