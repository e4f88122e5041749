import { BackupDamaged } from './format.ts'

// POSIX ustar (IEEE 1003.1, pax).
const blockSize = 512
const maxEntryBytes = 512 * 1024 * 1024

export interface TarEntry {
  name: string
  content: Buffer
}

export function tarEntry({ name, content }: TarEntry, time: Date): Buffer {
  if (content.length > maxEntryBytes)
    throw new Error(`A row or file is too large for a backup: ${name}. No backup was written.`)
  const padding = Buffer.alloc((blockSize - (content.length % blockSize)) % blockSize)
  return Buffer.concat([tarHeader(name, content.length, time), content, padding])
}

export const tarEnd = (): Buffer => Buffer.alloc(2 * blockSize)

function tarHeader(path: string, size: number, time: Date): Buffer {
  const at = path.lastIndexOf('/')
  const header = Buffer.alloc(blockSize)
  header.write(path.slice(at + 1), 0, 100, 'latin1')
  header.write('0000600\x000000000\x000000000\x00', 100, 'latin1')
  header.write(`${octal(size, 11)}\x00${octal(Math.floor(time.getTime() / 1000), 11)}\x00`, 124, 'latin1')
  header.write('0', 156, 'latin1')
  header.write('ustar\x0000', 257, 'latin1')
  if (at > 0) header.write(path.slice(0, at), 345, 155, 'latin1')
  header.write(`${octal(checksumOf(header), 6)}\x00 `, 148, 'latin1')
  return header
}

const octal = (value: number, digits: number): string => value.toString(8).padStart(digits, '0')

/** The checksum is calculated as if its own field contained spaces. */
function checksumOf(header: Buffer): number {
  let sum = 8 * 0x20
  for (const [index, byte] of header.entries()) if (index < 148 || index >= 156) sum += byte
  return sum
}

/** Reads only archives written by `tarEntry`. `raw` contains the entry's bytes in the archive. */
export async function* readTar(source: AsyncIterable<Uint8Array>): AsyncGenerator<TarEntry & { raw: Buffer[] }> {
  const bytes = byteReader(source)
  for (;;) {
    const header = await bytes.read(blockSize)
    if (header.every((byte) => byte === 0)) break
    const { name, size } = parseHeader(header)
    const body = await bytes.read(Math.ceil(size / blockSize) * blockSize)
    yield { name, content: body.subarray(0, size), raw: [header, body] }
  }
  const last = await bytes.rest()
  if (last.length !== blockSize || last.some((byte) => byte !== 0)) throw new BackupDamaged('it has an unknown end')
}

function parseHeader(header: Buffer): { name: string; size: number } {
  const text = (from: number, length: number) => header.toString('latin1', from, from + length).replace(/\0.*$/s, '')
  if (Number.parseInt(text(148, 8), 8) !== checksumOf(header)) throw new BackupDamaged('a checksum does not match')
  const size = Number.parseInt(text(124, 12), 8)
  if (!(size >= 0 && size <= maxEntryBytes)) throw new BackupDamaged('an entry has an impossible size')
  const prefix = text(345, 155)
  return { name: prefix ? `${prefix}/${text(0, 100)}` : text(0, 100), size }
}

function byteReader(source: AsyncIterable<Uint8Array>) {
  const chunks = source[Symbol.asyncIterator]()
  let waiting: Uint8Array[] = []
  let length = 0
  const more = async (): Promise<boolean> => {
    const { done, value } = await chunks.next()
    if (done) return false
    waiting.push(value)
    length += value.length
    return true
  }
  const take = (size: number): Buffer => {
    const [first] = waiting
    const all =
      waiting.length === 1 && first ? Buffer.from(first.buffer, first.byteOffset, first.length) : Buffer.concat(waiting)
    waiting = [all.subarray(size)]
    length -= size
    return all.subarray(0, size)
  }
  return {
    async read(size: number): Promise<Buffer> {
      while (length < size) if (!(await more())) throw new BackupDamaged('its end is missing')
      return take(size)
    },
    async rest(): Promise<Buffer> {
      while (length <= 2 * blockSize && (await more()));
      return take(length)
    },
  }
}
