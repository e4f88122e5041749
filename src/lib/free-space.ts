import { constants } from 'node:fs'
import { access, statfs } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { second } from './time.ts'

/** The size of a PostgreSQL write-ahead log file. */
const reserve = 16 * 1024 * 1024

export async function freeBytes(directory: string): Promise<number> {
  const { bavail, bsize } = await statfs(directory)
  return bavail * bsize
}

/** A file system that does not respond within a second is treated as full. */
export function spaceCheck(directory: string, minBytes = reserve): () => Promise<boolean> {
  let running: Promise<boolean> | undefined
  return () => {
    running ??= hasSpace(directory, minBytes).finally(() => {
      running = undefined
    })
    return Promise.race([running, sleep(second, false, { ref: false })])
  }
}

const hasSpace = (directory: string, minBytes: number): Promise<boolean> =>
  access(directory, constants.W_OK)
    .then(() => freeBytes(directory))
    .then(
      (free) => free >= minBytes,
      () => false,
    )
