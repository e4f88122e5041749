import { readdirSync, readFileSync } from 'node:fs'
import { setPriority } from 'node:os'

const niceness = 15

/** Hashes run on libuv's threads. Only Linux supports a priority per thread (setpriority(2), BUGS). */
export function lowerPriority(): void {
  if (process.platform !== 'linux') return
  try {
    for (const thread of readdirSync('/proc/self/task')) {
      const name = readFileSync(`/proc/self/task/${thread}/comm`, 'utf8').trim()
      if (name === 'libuv-worker') setPriority(Number(thread), niceness)
    }
  } catch {
    // If this is not permitted, hashes keep the normal priority.
  }
}
