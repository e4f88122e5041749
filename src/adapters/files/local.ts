import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { makeDirectory, writeThrough } from '../../lib/durable-write.ts'
import { hour } from '../../lib/time.ts'
import type { FileStore } from './port.ts'
import { checkedName } from './port.ts'

const draftBegins = '.draft-'

export async function openLocalFiles(directory: string): Promise<FileStore> {
  makeDirectory(directory)
  await removeAbandonedDrafts(directory)

  return {
    kind: 'local',
    async put(name, bytes) {
      const target = join(directory, checkedName(name))
      const draft = join(directory, draftBegins + randomUUID())
      try {
        await writeThrough(draft, bytes)
        await rename(draft, target)
      } catch (error) {
        await rm(draft, { force: true })
        throw error
      }
      await syncDirectory(directory)
    },
    async get(name) {
      const handle = await openToRead(join(directory, checkedName(name)))
      if (!handle) return undefined
      try {
        return await handle.readFile()
      } finally {
        await handle.close()
      }
    },
    async remove(name) {
      await rm(join(directory, checkedName(name)), { force: true })
      // Without this sync, erased personal data could reappear after a power failure.
      await syncDirectory(directory)
    },
  }
}

/** The creation or removal of a file is durable only after the directory is synced. */
async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, constants.O_RDONLY)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function openToRead(path: string) {
  try {
    return await open(path, constants.O_RDONLY | constants.O_NOFOLLOW)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

/** Keeps drafts that are less than an hour old because other processes may still be writing them. */
async function removeAbandonedDrafts(directory: string): Promise<void> {
  const drafts = (await readdir(directory)).filter((name) => name.startsWith(draftBegins))
  for (const draft of drafts.map((name) => join(directory, name))) {
    const written = (await stat(draft).catch(() => undefined))?.mtimeMs
    if (written !== undefined && Date.now() - written > hour) await rm(draft, { force: true })
  }
}

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined)
