import { closeSync, fsyncSync, mkdirSync, openSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'

/** Resolves when the content is on disk. The name is durable only after `syncPath` is called on the directory. */
export async function writeThrough(path: string, content: string | Uint8Array): Promise<void> {
  const handle = await open(path, 'wx', 0o600)
  try {
    await handle.writeFile(content)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Syncing a file makes its content durable. Syncing a directory makes the names in it durable (fsync(2)). */
export function syncPath(path: string): void {
  const descriptor = openSync(path, 'r')
  try {
    fsyncSync(descriptor)
  } catch (error) {
    // Some file systems cannot sync directories.
    if (!(error instanceof Error && 'code' in error && error.code === 'EINVAL')) throw error
  } finally {
    closeSync(descriptor)
  }
}

/** Creates the directory and its parents durably. */
export function makeDirectory(path: string): void {
  const first = mkdirSync(resolve(path), { recursive: true, mode: 0o700 })
  if (first === undefined) return
  for (let created = resolve(path); created.length >= first.length; created = dirname(created))
    syncPath(dirname(created))
}
