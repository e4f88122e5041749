import { constants } from 'node:fs'
import { copyFile, mkdir, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freeBytes } from '../../lib/free-space.ts'
import { minute } from '../../lib/time.ts'
import { PoolBusy } from '../errors.ts'
import { type EngineLease, inTurn } from './lease.ts'

const reserve = 64 * 1024 * 1024
const walFolder = 'pg_wal'
const leaseTimeoutMs = minute
/** Not copied with the other files: the engine's lock file and the file that describes the last checkpoint. */
const later = new Set(['postmaster.pid', join('global', 'pg_control')])

interface Options {
  directory: string
  target: string
  takeLease(): Promise<EngineLease>
  /** Checkpoints during the copy would remove the WAL that the copy needs. */
  withoutUpkeep<Result>(work: () => Promise<Result>): Promise<Result>
}

/**
 * Like `pg_basebackup`. Files may change while they are copied, so the copy also contains the write-ahead log since the
 * preceding checkpoint. The log is copied last: it describes every change in the other files because PostgreSQL writes
 * a change to the log first.
 */
export async function copyWhileOpen({ directory, target, takeLease, withoutUpkeep }: Options): Promise<void> {
  await assertSpace(directory, target)
  await withoutUpkeep(async () => {
    const before = await inTurn(takeLease(), async (lease) => {
      await lease.query('CHECKPOINT')
      return lastCheckpoint(lease)
    })
    await copyTree(directory, target, (path) => path !== walFolder && !later.has(path))
    await copyTree(join(directory, walFolder), join(target, walFolder), () => true)
    await copyFile(join(directory, 'global', 'pg_control'), join(target, 'global', 'pg_control'))
    if ((await inTurn(retryLease(takeLease), lastCheckpoint)) !== before)
      throw new Error('The database was reopened while it was copied. Try again.')
  })
}

/** Retries under load because a failure at this point would waste the entire copy. */
async function retryLease(takeLease: () => Promise<EngineLease>): Promise<EngineLease> {
  const deadline = performance.now() + leaseTimeoutMs
  for (;;) {
    try {
      return await takeLease()
    } catch (error) {
      if (!(error instanceof PoolBusy) || performance.now() > deadline) throw error
      await sleep(100)
    }
  }
}

async function lastCheckpoint(lease: EngineLease): Promise<string> {
  const { rows } = await lease.query('SELECT redo_lsn::text AS redo FROM pg_control_checkpoint()')
  return String(rows[0]?.redo)
}

/** A full disk would stop the service, so no copy is made unless there is enough space. */
async function assertSpace(directory: string, target: string): Promise<void> {
  await mkdir(target, { recursive: true, mode: 0o700 })
  const needed = (await sizeOf(directory)) + reserve
  const free = await freeBytes(target)
  if (free >= needed) return
  const megabytes = (bytes: number) => Math.ceil(bytes / 1e6)
  throw new Error(
    `A backup while the service is running needs ${megabytes(needed)} MB of free space in the data directory for a ` +
      `copy of the database. Only ${megabytes(free)} MB are free. Free some space, or stop the service first.`,
  )
}

async function sizeOf(directory: string): Promise<number> {
  let bytes = 0
  for (const name of await readdir(directory, { recursive: true }))
    bytes += (await stat(join(directory, name)).catch(() => undefined))?.size ?? 0
  return bytes
}

async function copyTree(from: string, to: string, isWanted: (path: string) => boolean, path = ''): Promise<void> {
  await mkdir(join(to, path), { recursive: true, mode: 0o700 })
  for (const entry of await readdir(join(from, path), { withFileTypes: true })) {
    const name = join(path, entry.name)
    if (!isWanted(name)) {
      if (entry.isDirectory()) await mkdir(join(to, name), { recursive: true, mode: 0o700 })
    } else if (entry.isDirectory()) await copyTree(from, to, isWanted, name)
    else await copyFile(join(from, name), join(to, name), constants.COPYFILE_FICLONE).catch(unlessDropped)
  }
}

/** A table may be dropped during the copy. Recovery repeats the drop in the copy. */
function unlessDropped(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error
}
