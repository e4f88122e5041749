import { once } from 'node:events'
import { createWriteStream, type WriteStream } from 'node:fs'

/** Only the owner can read the file because it contains personal data. */
export async function createFile(path: string): Promise<WriteStream> {
  const stream = createWriteStream(path, { flags: 'wx', mode: 0o600 })
  await once(stream, 'open').catch((error) => {
    throw error.code === 'EEXIST' ? new Error(`${path} already exists: name a new file`) : error
  })
  return stream
}
