import { readFileSync, renameSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { syncPath, writeThrough } from '../../lib/durable-write.ts'

/** The major version of PostgreSQL in PGlite. Different major versions have incompatible files. */
export const engineMajor = 18

/** The file that records which engine last opened the directory. The record is used only in error messages. */
const recordFile = 'wardenry.engine'

export async function otherEngine(directory: string): Promise<Error> {
  return new Error(
    `The embedded database in ${dirname(directory)} was created by ${createdBy(directory)}, but this release contains ` +
      `${await ownEngine()}. Run "wardenry backup FILE" with the release that you used before. Then move ${directory} ` +
      'away, and run "wardenry restore FILE" with this release. Nothing has been changed.',
  )
}

export async function assertSameEngine(directory: string): Promise<void> {
  if (majorOf(directory) !== engineMajor) throw await otherEngine(directory)
}

/** PostgreSQL also rejects files from a different pre-release of the same major version. */
export const rejectedByEngine = (error: unknown): boolean =>
  error instanceof Error && error.message.includes('database files are incompatible with server')

export async function recordEngine(directory: string): Promise<void> {
  const now = await ownEngine()
  if (readRecord(directory) === now) return
  const path = join(directory, recordFile)
  rmSync(`${path}.new`, { force: true })
  await writeThrough(`${path}.new`, `${now}\n`)
  renameSync(`${path}.new`, path)
  syncPath(directory)
}

function majorOf(directory: string): number {
  return Number.parseInt(readFileSync(join(directory, 'PG_VERSION'), 'utf8'), 10)
}

function createdBy(directory: string): string {
  return readRecord(directory) || `PostgreSQL ${majorOf(directory)}`
}

function readRecord(directory: string): string {
  try {
    return readFileSync(join(directory, recordFile), 'utf8').trim()
  } catch {
    return ''
  }
}

async function ownEngine(): Promise<string> {
  const manifest = new URL('../package.json', import.meta.resolve('@electric-sql/pglite'))
  const { version } = JSON.parse(await readFile(manifest, 'utf8'))
  return `PostgreSQL ${engineMajor}, PGlite ${version}`
}
