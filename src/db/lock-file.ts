import { link, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { makeDirectory, writeThrough } from '../lib/durable-write.ts'
import { findPossibleOwners } from './embedded/liveness-socket.ts'
import { announceOwner, type LockOwner, type OwnerState, ownerStateOf, removeOwnerFiles } from './embedded/owner.ts'

export interface LockFile {
  release(): Promise<void>
}

export class DataDirectoryBusy extends Error {
  readonly code = 'DATA_DIRECTORY_BUSY'
}

const attempts = 10

type LockHolder = LockOwner | 'unreadable'

/** Two processes would overwrite each other's data. The lock of a running process is never taken. */
export async function acquireLockFile(dataDir: string): Promise<LockFile> {
  makeDirectory(dataDir)
  const presence = await announceOwner(dataDir)
  const file = join(dataDir, 'wardenry.lock')
  try {
    await claim(file, presence.owner, dataDir)
    presence.own()
  } catch (error) {
    await presence.end()
    throw error
  }
  let isReleased = false
  return {
    release: async () => {
      if (isReleased) return
      isReleased = true
      const holder = await readHolder(file)
      // An unreadable lock file belongs to this process, whose beacon prevents others from taking the lock.
      if (holder === 'unreadable' || holder?.token === presence.owner.token) await rm(file)
      await presence.end()
    },
  }
}

async function claim(file: string, self: LockOwner, dataDir: string): Promise<void> {
  for (let attempt = 0; attempt < attempts; attempt++) {
    if (await create(file, self)) return
    const holder = await readHolder(file)
    if (!holder) continue
    await assertDead(file, holder, dataDir)
    if (await replace(file, holder, self, dataDir)) return
  }
  throw new DataDirectoryBusy(`The lock file ${file} keeps changing its owner. Try again.`)
}

async function assertDead(file: string, holder: LockHolder, dataDir: string): Promise<void> {
  if (holder !== 'unreadable') {
    const life = await ownerStateOf(holder, dataDir)
    if (life !== 'dead') throw busy(file, remedies[life](holder.pid))
    return
  }
  const { isOwned, unknown } = await findPossibleOwners(dataDir)
  if (isOwned) throw busy(file, 'A running process that the file does not name has it open. Stop that process')
  if (unknown.length === 0) return
  const files = [file, ...unknown.map((name) => join(dataDir, name))].join(' ')
  throw busy(
    file,
    `The file does not name its owner, so this system cannot tell whether the owner is running. Stop it, then remove ${files}`,
  )
}

async function create(file: string, self: LockOwner): Promise<boolean> {
  const draft = `${file}.${self.token}`
  try {
    // Without fsync, a power failure could leave an empty file.
    await writeThrough(draft, JSON.stringify(self))
    await link(draft, file)
    return true
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error
    return false
  } finally {
    await rm(draft, { force: true })
  }
}

/** Only the holder of a second lock file may replace a dead owner. The second file then becomes the lock file. */
async function replace(file: string, dead: LockHolder, self: LockOwner, dataDir: string): Promise<boolean> {
  const right = `${file}.next`
  await claim(right, self, dataDir)
  if (!isSame(await readHolder(file), dead)) {
    await rm(right)
    return false
  }
  await rename(right, file)
  if (dead !== 'unreadable') await removeOwnerFiles(dead, dataDir)
  return true
}

const isSame = (present: LockHolder | undefined, dead: LockHolder): boolean =>
  dead === 'unreadable' || present === 'unreadable' ? present === dead : present?.token === dead.token

async function readHolder(file: string): Promise<LockHolder | undefined> {
  const text = await readFile(file, 'utf8').catch((error) => {
    if (errorCode(error) === 'ENOENT') return undefined
    throw error
  })
  return text === undefined ? undefined : parseOwner(text)
}

function parseOwner(text: string): LockHolder {
  try {
    const owner = JSON.parse(text)
    if (typeof owner?.token === 'string' && typeof owner.pid === 'number') return owner
  } catch {}
  return 'unreadable'
}

const remedies: Record<Exclude<OwnerState, 'dead'>, (pid: number) => string> = {
  here: (pid) => `Process ${pid} has it open. Stop that process first`,
  elsewhere: (pid) => `Process ${pid} of another container has it open. Stop that container first`,
  unknown: (pid) => `Process ${pid} of another system had it open. If it has certainly ended, remove the lock file`,
}

const busy = (file: string, remedy: string): DataDirectoryBusy =>
  new DataDirectoryBusy(
    `The embedded database is locked (${file}). ${remedy}, or use another data directory. ` +
      'It supports one process. For several processes, use a PostgreSQL server (DATABASE_URL).',
  )

const errorCode = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined)
