import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { finished } from 'node:stream/promises'

/** Writes a new file, and removes it if the work fails. */
export async function intoFile(
  file: string,
  work: (write: (text: string) => Promise<void>) => Promise<void>,
): Promise<void> {
  const { createFile } = await import('../lib/create-file.ts')
  const stream = await createFile(file)
  const done = finished(stream)
  done.catch(() => {})
  try {
    await work(async (text) => {
      if (!stream.write(text)) await Promise.race([once(stream, 'drain'), done])
    })
    stream.end()
    await done
  } catch (error) {
    stream.destroy()
    await rm(file, { force: true })
    throw error
  }
}
