import { accessSync, closeSync, constants, fsyncSync, mkdirSync, openSync } from 'node:fs'
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

/** Creates the directory and its parents durably. Throws if this user cannot write to the directory. */
export function makeDirectory(path: string): void {
  const first = makeUsable(resolve(path))
  if (first === undefined) return
  for (let created = resolve(path); created.length >= first.length; created = dirname(created))
    syncPath(dirname(created))
}

/** Returns the first directory that was created, if any. */
function makeUsable(path: string): string | undefined {
  const umask = process.umask()
  if (umask & 0o700)
    throw new Error(`The umask ${octal(umask)} denies this user access to its own new files: set it to 0077`)
  try {
    const first = mkdirSync(path, { recursive: true, mode: 0o700 })
    accessSync(path, constants.W_OK | constants.X_OK)
    return first
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    const reason = reasons[code]
    if (!reason) throw error
    throw new Error(`The directory ${path} cannot be used: ${reason} (${code})`, { cause: error })
  }
}

const octal = (umask: number): string => umask.toString(8).padStart(4, '0')

const reasons: Record<string, string> = {
  EEXIST: 'a file has this name. Choose another directory, or rename the file',
  ENOTDIR: 'a part of the path is a file. Choose another directory, or rename the file',
  EACCES: 'this user may not write to it or create it. Change its owner or permissions, or choose another directory',
  EPERM: 'this user may not write to it or create it. Change its owner or permissions, or choose another directory',
  EROFS: 'the file system is read-only. Mount it for writing, or choose another directory',
}
