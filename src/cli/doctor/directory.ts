import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { Config } from '../../config/load.ts'
import { freeBytes } from '../../lib/free-space.ts'
import { type DoctorFinding, notice, ok, problem } from './finding.ts'

const megabyte = 1024 * 1024
/** Below this amount of free space, the embedded database postpones its maintenance. */
const leastSpace = 64 * megabyte
const comfortableSpace = 1024 * megabyte

export function examineDirectory({ DATA_DIR, DATABASE_URL, STORAGE_URL }: Config): DoctorFinding {
  const about = 'Data directory'
  const isNeeded = DATABASE_URL === undefined || STORAGE_URL.kind === 'local'
  const place = nearestExisting(resolve(DATA_DIR))
  if (isNeeded && !isWritable(place)) return problem(about, `this user cannot write to ${place}`)
  if (!existsSync(DATA_DIR)) return ok(about, `${DATA_DIR} does not exist yet: the service creates it if needed`)
  if (process.platform === 'win32') return ok(about, DATA_DIR)
  const secrets = join(DATA_DIR, 'secrets.json')
  if (existsSync(secrets) && isOpen(secrets)) return problem(about, `others can read ${secrets}: chmod 600 ${secrets}`)
  if (isOpen(DATA_DIR)) return notice(about, `others can read ${DATA_DIR}: chmod 700 ${DATA_DIR}`)
  const { uid } = statSync(DATA_DIR)
  if (uid !== process.getuid?.()) return notice(about, `${DATA_DIR} belongs to another user (${uid})`)
  return ok(about, `${DATA_DIR}, accessible only to this user`)
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK | constants.X_OK)
    return true
  } catch {
    return false
  }
}

const isOpen = (path: string): boolean => (statSync(path).mode & 0o077) !== 0

export async function examineSpace({ DATA_DIR }: Config): Promise<DoctorFinding> {
  const free = await freeBytes(nearestExisting(resolve(DATA_DIR)))
  const text = `${free >= comfortableSpace ? `${(free / 1024 / megabyte).toFixed(1)} GB` : `${Math.floor(free / megabyte)} MB`} free`
  if (free < leastSpace) return problem('Disk space', `${text}: not enough for the service to write`)
  return free < comfortableSpace ? notice('Disk space', `${text}: running low`) : ok('Disk space', text)
}

const nearestExisting = (path: string): string => (existsSync(path) ? path : nearestExisting(dirname(path)))
