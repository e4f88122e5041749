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

function usedBytes(): number | undefined {
  try {
    const text = readFileSync('/proc/meminfo', 'utf8')
    const bytes = (name: string) => Number(new RegExp(`^${name}: +(\\d+) kB`, 'm').exec(text)?.[1]) * 1024
    return bytes('MemTotal') - bytes('MemAvailable')
  } catch {
    return undefined
  }
}
