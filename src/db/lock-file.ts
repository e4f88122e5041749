import { link, mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Life, lifeOf, type Owner, removeTraces, showPresence } from './embedded-owner.ts'

/** The right to open the database of a data directory. */
export interface Lock {
  release(): Promise<void>
}

/** The data directory belongs to somebody who lives, or may live. */
export class DataDirectoryBusy extends Error {
  readonly code = 'DATA_DIRECTORY_BUSY'
}

const attempts = 10

/**
 * One process per data directory: two would both open the database and lose each other's writes without an error. The
 * owner keeps the lock as long as it lives, however old the file gets. The lock of an owner that is proved dead passes
 * to exactly one of those who ask for it.
 */
export async function takeLock(dataDir: string): Promise<Lock> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const presence = await showPresence(dataDir)
  const file = join(dataDir, 'wardenry.lock')
  try {
    await claim(file, presence.owner, dataDir)
  } catch (error) {
    await presence.end()
    throw error
  }
  return {
    release: async () => {
      const holder = await readOwner(file)
      if (holder?.token === presence.owner.token) await rm(file)
      await presence.end()
    },
  }
}

async function claim(file: string, self: Owner, dataDir: string): Promise<void> {
  for (let attempt = 0; attempt < attempts; attempt++) {
    if (await create(file, self)) return
    const holder = await readOwner(file)
    if (!holder) continue
    const life = await lifeOf(holder, dataDir)
    if (life !== 'dead') throw busy(file, holder, life)
    if (await replace(file, holder, self, dataDir)) return
  }
  throw new DataDirectoryBusy(`The lock file ${file} keeps changing hands. Try again.`)
}

/** Creates the file with its content in one step, unless it is there: nobody ever reads half an owner. */
async function create(file: string, self: Owner): Promise<boolean> {
  const draft = `${file}.${self.token}`
  await writeThrough(draft, JSON.stringify(self))
  try {
    await link(draft, file)
    return true
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error
    return false
  } finally {
    await rm(draft)
  }
}

// Without the fsync a power cut could leave an empty file, and an empty file proves nothing about its owner.
async function writeThrough(path: string, text: string): Promise<void> {
  const handle = await open(path, 'wx', 0o600)
  try {
    await handle.writeFile(text)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/**
 * Puts this process in the place of a dead one. The right to do so is itself a lock file, claimed the same way, and it
 * becomes the lock in one step. So whoever holds it and still finds the dead owner is the only one to move; whoever
 * comes too late finds somebody else, and steps back.
 */
async function replace(file: string, dead: Owner, self: Owner, dataDir: string): Promise<boolean> {
  const right = `${file}.next`
  await claim(right, self, dataDir)
  const holder = await readOwner(file)
  if (holder?.token !== dead.token) {
    await rm(right)
    return false
  }
  await rename(right, file)
  await removeTraces(dead, dataDir)
  return true
}

async function readOwner(file: string): Promise<Owner | undefined> {
  try {
    const owner = JSON.parse(await readFile(file, 'utf8'))
    if (typeof owner?.token === 'string' && typeof owner.pid === 'number') return owner
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
  }
  throw new DataDirectoryBusy(`${file} does not tell who holds the lock. If no process uses the directory, remove it.`)
}

function busy(file: string, { pid }: Owner, life: Exclude<Life, 'dead'>): DataDirectoryBusy {
  const remedies = {
    here: `Process ${pid} has it open. Stop that process first`,
    elsewhere: `Process ${pid} of another container has it open. Stop that container first`,
    unknown: `Process ${pid} of another system had it open. If that has ended for certain, remove the lock file`,
  }
  return new DataDirectoryBusy(
    `The embedded database is locked (${file}). ${remedies[life]}, or use another data directory. ` +
      'It serves one process; several need server PostgreSQL (DATABASE_URL).',
  )
}

const errorCode = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined)
