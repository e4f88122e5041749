import { randomBytes } from 'node:crypto'
import { link, lstat, open, rename, rm } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { Writable } from 'node:stream'
import { syncPath } from '../../lib/durable-write.ts'

export interface BackupOutput {
  stream: Writable
  /** Gives the file its final name only now, so that an incomplete backup is never mistaken for a complete one. */
  complete(): Promise<void>
  discard(): Promise<void>
}

/** Only the owner can read the file. */
export async function openOutput(path: string, replace: boolean): Promise<BackupOutput> {
  if (path === '-') return standardOutput()
  if (replace) await assertReplaceable(path)
  else await assertFree(path)
  // Random, so that two commands with the same path never write to the same file.
  const partial = `${path}.partial-${randomBytes(4).toString('hex')}`
  const handle = await open(partial, 'wx', 0o600)
  const stream = new Writable({
    write: (chunk, _encoding, done) => void handle.writeFile(chunk).then(() => done(), done),
  })
  return {
    stream,
    complete: async () => {
      await handle.sync()
      await handle.close()
      await (replace ? rename(partial, path) : renameToFree(partial, path))
      syncPath(dirname(resolve(path)))
    },
    discard: async () => {
      await handle.close().catch(() => {})
      await rm(partial, { force: true })
    },
  }
}

/** Does not replace a file that another process has created since the check. */
async function renameToFree(partial: string, path: string): Promise<void> {
  try {
    await link(partial, path)
    await rm(partial)
  } catch (error) {
    if (codeOf(error) === 'EEXIST') throw taken(path)
    // Some file systems do not support hard links.
    await assertFree(path)
    await rename(partial, path)
  }
}

async function assertFree(path: string): Promise<void> {
  if (await lookAt(path)) throw taken(path)
}

/** A device or named pipe would be replaced by a file. */
async function assertReplaceable(path: string): Promise<void> {
  const found = await lookAt(path)
  if (found && !found.isFile() && !found.isSymbolicLink())
    throw new Error(`${path} is not a file: name a file, or use - and redirect the output`)
}

const lookAt = (path: string) =>
  lstat(path).catch((error) => {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  })

const taken = (path: string): Error =>
  new Error(`${path} already exists: name a new file, or add --force to replace it`)

function standardOutput(): BackupOutput {
  if (process.stdout.isTTY) throw new Error('A backup is not text: redirect the output to a file or a program')
  return { stream: process.stdout, complete: async () => {}, discard: async () => {} }
}

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined)
