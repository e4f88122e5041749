import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { syncPath } from '../../lib/durable-write.ts'

const blockSize = 512

export const holdsDatabase = (directory: string): boolean => existsSync(join(directory, 'PG_VERSION'))

/** Databases are created atomically, so a directory that contains files but no `PG_VERSION` is damaged. */
export function assertNotDamaged(directory: string): void {
  if (!existsSync(directory) || holdsDatabase(directory) || readdirSync(directory).length === 0) return
  throw new Error(
    `${directory} contains files but no database: PG_VERSION is missing. Restore the whole data directory from your ` +
      `backup. If you do not need the contents of ${directory}, move it away, and the next start creates a new database.`,
  )
}

/** If another user created files here, the owner could not open them, and the service would no longer start. */
export function assertOwner(directory: string): void {
  const uid = statSync(directory, { throwIfNoEntry: false })?.uid
  if (uid === undefined || !process.geteuid || process.geteuid() === uid) return
  throw new Error(`Run this command as the user that runs the service (user id ${uid}), who owns ${directory}.`)
}

/** The final rename makes unpacking atomic, even if the power fails. Loading a dump would be slower and not atomic. */
export function unpackArchive(archive: Uint8Array, directory: string): void {
  const unfinished = `${directory}.unpacking`
  rmSync(unfinished, { recursive: true, force: true })
  mkdirSync(unfinished, { mode: 0o700 })
  for (const entry of tarEntries(gunzipSync(archive))) writeEntry(unfinished, entry)
  for (const name of readdirSync(unfinished, { recursive: true, encoding: 'utf8' })) syncPath(join(unfinished, name))
  syncPath(unfinished)
  renameSync(unfinished, directory)
  syncPath(dirname(directory))
}

export function removeUnfinished(directory: string): void {
  rmSync(`${directory}.unpacking`, { recursive: true, force: true })
}

interface Entry {
  name: string
  isDirectory: boolean
  content: Buffer
}

// The POSIX ustar format (IEEE 1003.1, pax). PostgreSQL's file names are short enough for the name field alone.
function* tarEntries(tar: Buffer): Generator<Entry> {
  for (let at = 0; at + blockSize <= tar.length; ) {
    const text = (from: number, length: number) => tar.toString('utf8', at + from, at + from + length).split('\0')[0]!
    if (text(0, 100) === '') return
    const size = Number.parseInt(text(124, 12), 8) || 0
    const start = at + blockSize
    yield {
      name: text(0, 100),
      isDirectory: text(156, 1) === '5',
      content: tar.subarray(start, start + size),
    }
    at = start + Math.ceil(size / blockSize) * blockSize
  }
}

function writeEntry(root: string, { name, isDirectory, content }: Entry): void {
  const path = join(root, name)
  if (!path.startsWith(`${root}/`)) throw new Error(`The archive contains a path outside of its directory: ${name}`)
  if (isDirectory) {
    mkdirSync(path, { recursive: true, mode: 0o700 })
    return
  }
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  writeFileSync(path, content, { mode: 0o600 })
}
