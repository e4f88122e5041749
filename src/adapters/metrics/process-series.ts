import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Instruments } from './instruments.ts'

export function processSeries({ counter, gauge }: Instruments) {
  const loopDelay = monitorEventLoopDelay({ resolution: 10 })
  loopDelay.enable()
  gauge('event_loop_delay_p99_seconds', 'Delay of the event loop since the last scrape, 99th percentile', {
    aggregator: 'max',
    collect(delay) {
      delay.set(loopDelay.percentile(99) / 1e9)
      loopDelay.reset()
    },
  })
  gauge('memory_bytes', 'Memory of the process', {
    labels: ['kind'],
    collect(memory) {
      const { rss, heapUsed, external } = process.memoryUsage()
      memory.set({ kind: 'resident' }, rss)
      memory.set({ kind: 'heap' }, heapUsed)
      memory.set({ kind: 'external' }, external)
    },
  })
  const dropped = counter('log_lines_dropped_total', 'Log lines dropped because standard output was blocked')
  return {
    logLineDropped: () => dropped.inc(),
    close: () => loopDelay.disable(),
  }
}
