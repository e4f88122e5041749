import { readdirSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { Config } from '../../config/load.ts'
import { type DoctorFinding, notice } from './finding.ts'

const others = 0o002
const sticky = 0o1000

/** The code in these folders runs in the service, with access to all of its secrets. */
export function examineModulePaths({ MODULE_PATHS }: Pick<Config, 'MODULE_PATHS'>): DoctorFinding[] {
  if (process.platform === 'win32') return []
  return MODULE_PATHS.flatMap((path) => {
    const open = [...parentsOf(resolve(path)), ...contentOf(resolve(path))].find(isOpen)
    if (!open) return []
    return notice('Module code', `every user of this machine can change the code in ${path}: chmod o-w ${open}`)
  })
}

/** In a directory with the sticky bit, such as /tmp, only its owner can replace a folder. */
function isOpen(path: string): boolean {
  const status = statSync(path, { throwIfNoEntry: false })
  if (!status) return false
  return (status.mode & others) !== 0 && !(status.isDirectory() && status.mode & sticky)
}

function parentsOf(path: string): string[] {
  const parent = dirname(path)
  return parent === path ? [] : [...parentsOf(parent), parent]
}

const contentOf = (path: string): string[] => [
  path,
  ...readdirSync(path, { recursive: true, encoding: 'utf8' }).map((name) => join(path, name)),
]
