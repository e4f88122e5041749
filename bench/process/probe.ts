import { type ELDHistogram, monitorEventLoopDelay } from 'node:perf_hooks'
import { answer } from './calls.ts'

// Loaded into every measured process with `--import`, so that the service contains no benchmark code.

/** CPU microseconds of this process, including all its threads. */
answer('cpu', () => {
  const { user, system } = process.cpuUsage()
  return user + system
})

const resolution = 5
let delay: ELDHistogram | undefined

answer('watch delay', () => {
  delay = monitorEventLoopDelay({ resolution })
  delay.enable()
})

/** In milliseconds. The histogram contains the times between two timer ticks, so the resolution is subtracted. */
answer('longest delay', () => {
  delay?.disable()
  return delay ? Math.max(0, delay.max / 1e6 - resolution) : 0
})
