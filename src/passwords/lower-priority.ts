import { readdirSync, readFileSync } from 'node:fs'
import { setPriority } from 'node:os'

const niceness = 15

/**
 * Lets replies go before hashes where both want one core: threads of libuv's pool, on which hashes run, give way to the
 * event loop. Linux alone gives threads priorities of their own (setpriority(2), BUGS); elsewhere nothing changes.
 */
export function lowerPriority(): void {
  if (process.platform !== 'linux') return
  try {
    for (const thread of readdirSync('/proc/self/task')) {
      const name = readFileSync(`/proc/self/task/${thread}/comm`, 'utf8').trim()
      if (name === 'libuv-worker') setPriority(Number(thread), niceness)
    }
  } catch {
    // Where this is forbidden, hashes are as urgent as everything else.
  }
}
