import { chmodSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { availableMemory } from './memory.ts'

const shared = '/dev/shm'
/** Bytes. A run of everything needs less than half of this. */
const enough = 8e9

/**
 * Makes the tests' temporary files live in memory, if there is plenty: they create and sync many small files, which takes
 * a third of the CPU time of some parts on a disk. Set TMPDIR to use a disk. Returns a function that removes the files.
 */
export function useMemoryDirectory(): () => void {
  if (process.env.TMPDIR || !isSuitable()) return () => {}
  const directory = mkdtempSync(`${shared}/wardenry-tests-`)
  // Servers run as other users.
  chmodSync(directory, 0o1777)
  process.env.TMPDIR = directory
  return () => {
    rmSync(directory, { recursive: true, force: true })
    delete process.env.TMPDIR
  }
}

/** Whether programs can be started there, and there is enough space and memory. */
function isSuitable(): boolean {
  try {
    const mount = readFileSync('/proc/mounts', 'utf8')
      .split('\n')
      .find((line) => line.split(' ')[1] === shared)
    const [, , type, options = ''] = mount?.split(' ') ?? []
    const { bavail, bsize } = statfsSync(shared)
    return type === 'tmpfs' && !/\bnoexec\b/.test(options) && Math.min(bavail * bsize, availableMemory() ?? 0) > enough
  } catch {
    return false
  }
}
