import { existsSync, statSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { Config } from '../../config/load.ts'
import { type Finding, notice, ok, problem } from './finding.ts'

const megabyte = 1024 * 1024
/** Below this the embedded database puts its upkeep off. */
const leastSpace = 64 * megabyte
const comfortableSpace = 1024 * megabyte

/** Whether anybody else on this machine can read what the data directory keeps. */
export function examineDirectory({ DATA_DIR }: Config): Finding {
  const about = 'Data directory'
  if (!existsSync(DATA_DIR)) return ok(about, `${DATA_DIR} is not there yet: the first start makes it`)
  if (process.platform === 'win32') return ok(about, DATA_DIR)
  const secrets = join(DATA_DIR, 'secrets.json')
  if (existsSync(secrets) && isOpen(secrets)) return problem(about, `others can read ${secrets}: chmod 600 ${secrets}`)
  if (isOpen(DATA_DIR)) return notice(about, `others can look into ${DATA_DIR}: chmod 700 ${DATA_DIR}`)
  return ok(about, `${DATA_DIR}, for this user alone`)
}

const isOpen = (path: string): boolean => (statSync(path).mode & 0o077) !== 0

export async function examineSpace({ DATA_DIR }: Config): Promise<Finding> {
  const { bavail, bsize } = await statfs(nearestExisting(resolve(DATA_DIR)))
  const free = bavail * bsize
  const text = `${free >= comfortableSpace ? `${(free / 1024 / megabyte).toFixed(1)} GB` : `${Math.floor(free / megabyte)} MB`} free`
  if (free < leastSpace) return problem('Disk space', `${text}: too little for the service to write`)
  return free < comfortableSpace ? notice('Disk space', `${text}: little`) : ok('Disk space', text)
}

const nearestExisting = (path: string): string => (existsSync(path) ? path : nearestExisting(dirname(path)))
