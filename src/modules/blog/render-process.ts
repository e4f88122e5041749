import { Worker } from 'node:worker_threads'
import type { RenderSource } from './body-limits.ts'
import type { RenderResult } from './render-worker.ts'

/** The maximum CPU time for one body, in milliseconds. Excludes time spent waiting for the CPU. */
const time = Number(process.argv[2] ?? 3_000)
const maxMemoryMb = 384

// A worker thread renders so that this thread can measure the CPU time. If the worker runs out of memory, V8 may end
// the process.
const program = new URL(`./render-worker${import.meta.url.slice(-3)}`, import.meta.url)
const worker = new Worker(program, { env: {}, resourceLimits: { maxOldGenerationSizeMb: maxMemoryMb } })
const end = () => process.kill(process.pid, 'SIGKILL')
let watch: NodeJS.Timeout | undefined

// Supervisors and terminals signal the entire process group, but a request may still need this process.
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => {})
process.once('disconnect', end)
process.on('message', (source: RenderSource) => {
  const before = process.cpuUsage()
  watch = setInterval(() => {
    const { user, system } = process.cpuUsage(before)
    if ((user + system) / 1_000 > time) end()
  }, 50)
  worker.postMessage(source)
})
worker.on('message', (answer: RenderResult) => {
  clearInterval(watch)
  process.send?.(answer)
})
worker.once('error', end)
