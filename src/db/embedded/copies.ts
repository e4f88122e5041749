import { randomBytes } from 'node:crypto'
import { lstat, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { minute } from '../../lib/time.ts'
import { acquireLockFile } from '../lock-file.ts'

export type MakeCopy = (directory: string) => Promise<void>

export interface ControlSocket {
  serve(makeCopy: MakeCopy): void
  close(): Promise<void>
}

const begins = 'copy-'
const form = /^copy-[0-9a-f]{12}$/
/** The command that requested a copy must lock that copy within this time. */
const lockedWithin = minute

export const newCopyDirectory = (dataDir: string): string => join(dataDir, `${begins}${randomBytes(6).toString('hex')}`)

/** The caller later deletes the directory, so a name from another process must be validated. */
export async function copyDirectory(dataDir: string, name: unknown): Promise<string> {
  if (typeof name !== 'string' || !form.test(name)) throw unknownCopy()
  const directory = join(dataDir, name)
  const [made, owned] = [await lstat(directory), await stat(dataDir)]
  if (!made.isDirectory() || made.uid !== owned.uid) throw unknownCopy()
  return directory
}

const unknownCopy = (): Error => new Error('The process that has the database open returned an unknown copy')

/** Removes the copies that killed commands left behind, because each copy contains the entire database. */
export async function removeAbandonedCopies(dataDir: string): Promise<void> {
  for (const name of (await readdir(dataDir)).filter((one) => form.test(one))) {
    const directory = join(dataDir, name)
    const made = (await stat(directory).catch(() => undefined))?.mtimeMs
    if (made === undefined || Date.now() - made < lockedWithin) continue
    const lock = await acquireLockFile(directory).catch(() => undefined)
    if (!lock) continue
    await lock.release()
    await rm(directory, { recursive: true, force: true })
  }
}

export function serveCopies(control: ControlSocket, dataDir: string, copyTo: (target: string) => Promise<void>) {
  const handlers: (() => Promise<void>)[] = []
  control.serve(async (copy) => {
    await removeAbandonedCopies(dataDir)
    for (const handle of handlers) await handle()
    await copyTo(join(copy, 'postgres'))
  })
  return (handler: () => Promise<void>) => void handlers.push(handler)
}
