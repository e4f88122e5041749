import { readFileSync } from 'node:fs'

/**
 * The CPU time of this process, and on Linux of its child processes that have ended, including theirs. Other systems
 * do not make the time of child processes available to Node.js.
 */
export function cpuSeconds(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6 + childSeconds()
}

/** Clock ticks per second, which Linux fixes for all programs (USER_HZ). */
const ticks = 100

function childSeconds(): number {
  try {
    // proc(5): the fields follow the program name in parentheses. cutime and cstime are fields 16 and 17.
    const fields = readFileSync('/proc/self/stat', 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
    return (Number(fields[13]) + Number(fields[14])) / ticks
  } catch {
    return 0
  }
}
