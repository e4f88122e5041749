import cluster, { type Worker } from 'node:cluster'
import { setTimeout as sleep } from 'node:timers/promises'
import { responseMetricsRequests } from '../../adapters/metrics/worker-metrics.ts'
import { minute, second } from '../../lib/time.ts'
import type { CommandEnvironment } from '../environment.ts'
import { onHangup, onStopSignal } from '../stop-signal.ts'
import { startWorker, stopWorker, WorkerFailed } from './worker-process.ts'

const shortestDelay = second
const maxDelay = 30 * second
/** A worker that exits after running for at least this long is replaced immediately. */
const steadyAfter = 60 * second
/** A hanging worker must not block later replacements. The first worker has no limit because it may run migrations. */
const startLimit = 2 * minute
/** The supervisor exits after this many consecutive failed starts if no worker is running. */
const maxFailedStarts = 5

/** Sent to one worker, which then prints the banner and creates the link for the first superadmin. */
export const announceRequest = 'announce'

/** Each worker is a complete node. `launch` is the workers' environment without variables from a .env file. */
export async function superviseWorkers({ config, log }: CommandEnvironment, launch: NodeJS.ProcessEnv): Promise<void> {
  const running = new Set<Worker>()
  let isStopping = false
  /** True during startup, and while the workers are being replaced after SIGHUP. */
  let isReplacing = true
  let delay = 0
  /** Consecutive failed starts of all workers. */
  let failed = 0
  // Sending a message to a worker that has just exited causes an error. The 'exit' handler replaces the worker.
  cluster.on('fork', (worker) => worker.on('error', () => {}))
  responseMetricsRequests(() => [...running])
  onStopSignal(async () => {
    isStopping = true
    log.info('stopping')
    const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined)
    const codes = await Promise.all(workers.map(stopWorker))
    process.exit(codes.every((code) => code === 0) ? 0 : 1)
  })
  onHangup(() => {
    if (isReplacing || isStopping) return log.warn('SIGHUP is ignored: workers are being started or stopped')
    void replaceAll()
  })

  async function start(limit?: number): Promise<Worker> {
    if (isStopping) throw new WorkerFailed(1)
    const worker = await startWorker(launch, limit)
    const started = performance.now()
    running.add(worker)
    worker.once('exit', (code, signal) => {
      const isExpected = !running.delete(worker)
      if (isExpected || isStopping) return
      log.error({ pid: worker.process.pid, exit_code: code, signal }, 'a worker ended unexpectedly and is replaced')
      if (performance.now() - started > steadyAfter) delay = 0
      void keepTrying()
    })
    log.info({ pid: worker.process.pid, running: running.size }, 'worker started')
    return worker
  }

  /** Workers that exit soon after starting are replaced after an increasing delay, like those that cannot start. */
  async function keepTrying(): Promise<void> {
    for (;;) {
      await sleep(delay)
      delay = Math.min(maxDelay, Math.max(shortestDelay, 2 * delay))
      if (isStopping) return
      try {
        await start(startLimit)
        failed = 0
        return
      } catch (error) {
        failed += 1
        log.error({ err: error, failed }, 'a worker could not start')
        if (running.size === 0 && failed >= maxFailedStarts && !isStopping) process.exit(1)
      }
    }
  }

  /** Each worker is stopped only after its successor accepts connections. */
  async function replaceAll(): Promise<void> {
    isReplacing = true
    try {
      for (const worker of [...running]) {
        // Marks the worker's exit as expected. If the worker has already exited, its replacement is starting.
        if (!running.delete(worker)) continue
        await start(startLimit).catch((error) => {
          if (worker.isDead()) void keepTrying()
          else running.add(worker)
          throw error
        })
        await stopWorker(worker)
      }
      log.info('all workers are replaced')
    } catch (error) {
      if (!isStopping) log.error({ err: error }, 'a new worker could not start: the other workers are not replaced')
    } finally {
      isReplacing = false
    }
  }

  // Only the first worker migrates the database. If the first worker cannot start, no other worker can.
  const first = await start().catch((error: unknown) => {
    if (!isStopping) process.exit(error instanceof WorkerFailed ? error.code : 1)
  })
  first?.send(announceRequest, () => {})
  await Promise.all(Array.from({ length: config.WORKERS - 1 }, () => start(startLimit).catch(keepTrying)))
  isReplacing = false
}
