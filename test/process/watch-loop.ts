import { writeSync } from 'node:fs'
import { monitorEventLoopDelay, performance } from 'node:perf_hooks'
import { isMainThread } from 'node:worker_threads'

// Preloaded into the service. SIGUSR2 starts a measurement. The next SIGUSR2 ends it and prints the result.
//
// Other programs on the machine increase timer delays, but not the thread's CPU time between two turns of its event
// loop. The CPU time therefore shows how long the service blocked the event loop.
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
