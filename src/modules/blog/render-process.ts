import { setPriority } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { Answer, Source } from './render-worker.ts'

/** Of the processor, for one body: waiting for others on a busy machine costs nothing. In milliseconds. */
const time = Number(process.argv[2] ?? 3_000)
const maxMemoryMb = 384

// A process that renders, because V8 ends a whole process when its memory runs out, a thread's as well. The thread in it
// does the work, so that this one can see how long it takes, and that the parent is gone.
const program = new URL(`./render-worker${import.meta.url.slice(-3)}`, import.meta.url)
// Whoever waits for a reply on the same core goes first. The thread takes this over from the one that starts it.
try {
  setPriority(10)
} catch {
  // Where this is forbidden, bodies are as urgent as everything else.
}
const worker = new Worker(program, { env: {}, resourceLimits: { maxOldGenerationSizeMb: maxMemoryMb } })
const end = () => process.kill(process.pid, 'SIGKILL')
let watch: NodeJS.Timeout | undefined

// A supervisor or terminal that stops the service signals all of its processes, while a request still waits for this one.
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => {})
process.once('disconnect', end)
process.on('message', (source: Source) => {
  const before = process.cpuUsage()
  watch = setInterval(() => {
    const { user, system } = process.cpuUsage(before)
    if ((user + system) / 1_000 > time) end()
  }, 50)
  worker.postMessage(source)
})
worker.on('message', (answer: Answer) => {
  clearInterval(watch)
  process.send?.(answer)
})
worker.once('error', end)
