import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'

const outOfMemory = ', perhaps because it exceeded the memory limit,'

/** The worker exited before accepting connections. It has already printed the reason. */
export class WorkerFailed extends Error {
  /** The worker's exit code, at least 1. */
  readonly code: number
  constructor(code: number, signal: string | null = null) {
    const end = signal ? `was ended by ${signal}${signal === 'SIGKILL' ? outOfMemory : ''}` : `ended with code ${code}`
    super(`The worker ${end} before it was ready`)
    this.code = code
  }
}

/** Resolves when the worker accepts connections. A worker that takes longer than `limit` is killed. */
export async function startWorker(environment: NodeJS.ProcessEnv, limit?: number): Promise<Worker> {
  const worker = cluster.fork(environment)
  const waiting = new AbortController()
  const { signal } = waiting
  const kill = () => void worker.process.kill('SIGKILL')
  const timer = limit === undefined ? undefined : setTimeout(kill, limit)
  try {
    const exit = await Promise.race([
      once(worker, 'listening', { signal }).then(() => undefined),
      once(worker, 'exit', { signal }) as Promise<[code: number | null, signal: string | null]>,
    ])
    if (exit) throw new WorkerFailed(exit[0] || 1, exit[1])
    return worker
  } finally {
    clearTimeout(timer)
    waiting.abort()
  }
}

export async function stopWorker(worker: Worker): Promise<number> {
  if (worker.isDead()) return worker.process.exitCode ?? 1
  const ended = once(worker, 'exit')
  worker.process.kill('SIGTERM')
  const [code, signal] = await ended
  // A worker that is still starting has no signal handler, so SIGTERM kills it.
  return code ?? (signal === 'SIGTERM' ? 0 : 1)
}
