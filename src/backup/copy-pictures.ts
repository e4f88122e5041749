import { opendir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FileStore } from '../adapters/files/port.ts'
import { looksLikePictureFile } from '../users/picture-address.ts'

/** Copies the pictures of a data directory. Returns their number. */
export async function copyPictures(dataDir: string, to: FileStore): Promise<number> {
  const directory = join(dataDir, 'files')
  let count = 0
  for await (const { name } of await opendir(directory)) {
    if (!looksLikePictureFile(name)) continue
    await to.put(name, await readFile(join(directory, name)), 'image/webp')
    count++
  }
  return count
}
