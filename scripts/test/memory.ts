import { readFileSync } from 'node:fs'

/** Measures the memory that the whole machine uses beyond what it used at the beginning, on Linux. */
export function watchMemory(): { peak(): number | undefined } {
  const before = usedBytes()
  let peak = 0
  if (before === undefined) return { peak: () => undefined }
  const timer = setInterval(() => {
    peak = Math.max(peak, (usedBytes() ?? 0) - before)
  }, 1000)
  timer.unref()
  return { peak: () => peak }
}

/** The bytes that programs can use without swapping. Undefined if the system does not tell. */
export const availableMemory = (): number | undefined => readMemory('MemAvailable')

function usedBytes(): number | undefined {
  const total = readMemory('MemTotal')
  const available = availableMemory()
  return total === undefined || available === undefined ? undefined : total - available
}

function readMemory(name: string): number | undefined {
  try {
    const kilobytes = new RegExp(`^${name}: +(\\d+) kB`, 'm').exec(readFileSync('/proc/meminfo', 'utf8'))?.[1]
    return kilobytes === undefined ? undefined : Number(kilobytes) * 1024
  } catch {
    return undefined
  }
}
