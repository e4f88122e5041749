import { open } from 'node:fs/promises'

export interface Line {
  number: number
  /** Without the line break. Undefined if the line is longer than the limit. */
  bytes: Buffer | undefined
}

export const maxLineBytes = 1024 * 1024

const lineFeed = 10
const otherFormats: readonly [start: string, name: string][] = [
  ['fffe', 'encoded in UTF-16'],
  ['feff', 'encoded in UTF-16'],
  ['1f8b', 'compressed'],
  ['504b', 'compressed'],
]
const byteOrderMark = Buffer.from('efbbbf', 'hex')

/** Never keeps an entire overlong line in memory. */
export async function* readLines(path: string): AsyncGenerator<Line> {
  let parts: Buffer[] = []
  let [length, number] = [0, 1]
  const add = (part: Buffer) => {
    length += part.length
    if (length <= maxLineBytes) parts.push(part)
    else parts = []
  }
  const take = (): Line => {
    const bytes = length > maxLineBytes ? undefined : Buffer.concat(parts)
    ;[parts, length] = [[], 0]
    return { number: number++, bytes }
  }
  for await (const chunk of readChunks(path)) {
    let from = 0
    for (let at = chunk.indexOf(lineFeed); at >= 0; at = chunk.indexOf(lineFeed, from)) {
      add(chunk.subarray(from, at))
      yield take()
      from = at + 1
    }
    // A copy, because the rest of the line is in the next chunk, which overwrites this one.
    add(Buffer.from(chunk.subarray(from)))
  }
  if (length > 0) yield take()
}

/**
 * Throws if the file is compressed or encoded in UTF-16. Removes the byte order mark that some programs write. The next
 * chunk overwrites the previous one, so that reading a large file does not fill the memory.
 */
export async function* readChunks(path: string): AsyncGenerator<Buffer> {
  const file = await open(path)
  try {
    const buffer = Buffer.allocUnsafe(chunkBytes)
    for (let isFirst = true; ; isFirst = false) {
      const { bytesRead } = await file.read(buffer)
      if (bytesRead === 0) return
      const chunk = buffer.subarray(0, bytesRead)
      yield isFirst ? withoutMark(path, chunk) : chunk
    }
  } finally {
    await file.close()
  }
}

const chunkBytes = 256 * 1024

function withoutMark(path: string, chunk: Buffer): Buffer {
  const start = chunk.subarray(0, 2).toString('hex')
  const [, name] = otherFormats.find(([bytes]) => bytes === start) ?? []
  if (name) throw new Error(`${path} is ${name}: convert it to a plain UTF-8 file`)
  return chunk.subarray(0, 3).equals(byteOrderMark) ? chunk.subarray(3) : chunk
}
