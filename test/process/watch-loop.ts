import { writeSync } from 'node:fs'
import { monitorEventLoopDelay, performance } from 'node:perf_hooks'
import { isMainThread } from 'node:worker_threads'

// Loaded into the service ahead of it. SIGUSR2 begins a measurement, the next one ends it and prints what was found.
//
// The delay of a timer also grows when other programs keep this machine busy. The time that the thread itself has
// computed between two turns of its loop does not: it is how long the service has blocked itself.
const period = 5

if (isMainThread) {
  const delay = monitorEventLoopDelay({ resolution: period })
  let longest = 0
  let before = process.threadCpuUsage()
  setInterval(() => {
    const used = process.threadCpuUsage(before)
    before = process.threadCpuUsage()
    longest = Math.max(longest, (used.user + used.system) / 1000)
  }, period).unref()

  let since = 0
  process.on('SIGUSR2', () => {
    if (since === 0) {
      since = performance.now()
      longest = 0
      delay.reset()
      delay.enable()
      return
    }
    const [late, latest] = [delay.percentile(99), delay.max].map((nanoseconds) => nanoseconds / 1e6)
    writeSync(1, `loop ${JSON.stringify({ computed: longest, late, latest, measured: performance.now() - since })}\n`)
    since = 0
  })
}
