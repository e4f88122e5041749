import { type ELDHistogram, monitorEventLoopDelay } from 'node:perf_hooks'
import { respond } from './calls.ts'

// Loaded into every measured process with `--import` to keep benchmark code out of the service.

/** This process's CPU time in microseconds, across all threads. */
respond('cpu', () => {
  const { user, system } = process.cpuUsage()
  return user + system
})

const resolution = 5
let delay: ELDHistogram | undefined

respond('watch delay', () => {
  delay = monitorEventLoopDelay({ resolution })
  delay.enable()
})

/** In milliseconds. The histogram records the time between timer ticks, so the resolution is subtracted. */
respond('longest delay', () => {
  delay?.disable()
  return delay ? Math.max(0, delay.max / 1e6 - resolution) : 0
})
