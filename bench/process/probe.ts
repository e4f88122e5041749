import { type ELDHistogram, monitorEventLoopDelay } from 'node:perf_hooks'
import { answer } from './calls.ts'

// Loaded into every measured process with --import: the service itself knows nothing of its being measured.

/** Microseconds of this process with all its threads. */
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

/** Milliseconds. What is recorded is the time between two ticks, which are `resolution` apart when nothing delays them. */
answer('longest delay', () => {
  delay?.disable()
  return delay ? Math.max(0, delay.max / 1e6 - resolution) : 0
})
