import cluster, { type Worker } from 'node:cluster'
import { setTimeout as sleep } from 'node:timers/promises'
import { answerMetricsRequests } from '../../adapters/metrics/worker-metrics.ts'
import type { Logger } from '../../lib/log.ts'
import { second } from '../../lib/time.ts'
import type { CommandEnvironment } from '../environment.ts'
import { onStopSignal } from '../stop-signal.ts'
import { startWorker, stopWorker, WorkerFailed } from './worker-process.ts'

const shortestDelay = second
const longestDelay = 30 * second
/** A worker that has run for this long is replaced without an increasing delay. */
const steadyAfter = 60 * second
/** Consecutive failed starts while no worker is running. */
const maxFailedStarts = 5

/** Sent to one worker, which then prints the banner and creates the link for the first superadmin. */
export const announceRequest = 'announce'

/**
 * Runs workers that share one port. Each worker is a complete node. SIGHUP replaces all workers, and SIGTERM stops
 * them. `launch` is the workers' environment, without the values that this process has read from a .env file.
 */
export async function superviseWorkers({ config, log }: CommandEnvironment, launch: NodeJS.ProcessEnv): Promise<void> {
  const running = new Set<Worker>()
  let isStopping = false
  answerMetricsRequests(() => [...running])
  onStopSignal(async () => {
    isStopping = true
    log.info('stopping')
    const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined)
    const codes = await Promise.all(workers.map(stopWorker))
    process.exit(codes.every((code) => code === 0) ? 0 : 1)
  })

  const start = async (): Promise<Worker> => {
    const worker = await startWorker(launch)
    running.add(worker)
    const started = performance.now()
    worker.once('exit', (code, signal) => {
      const isExpected = !running.delete(worker)
      if (isExpected || isStopping) return
      log.error({ pid: worker.process.pid, code, signal }, 'a worker ended unexpectedly and is replaced')
      void keepTrying(performance.now() - started)
    })
    log.info({ pid: worker.process.pid, running: running.size }, 'worker started')
    return worker
  }

  async function keepTrying(lifetime: number): Promise<void> {
    let delay = lifetime > steadyAfter ? 0 : shortestDelay
    for (let failed = 0; ; delay = Math.min(longestDelay, Math.max(shortestDelay, 2 * delay))) {
      await sleep(delay)
      if (isStopping) return
      try {
        return void (await start())
      } catch (error) {
        failed += 1
        log.error({ err: error, failed }, 'a worker could not start')
        if (running.size === 0 && failed >= maxFailedStarts) process.exit(1)
      }
    }
  }

  // The first worker migrates the database alone. If it cannot start, neither can the others.
  const first = await start().catch((error: unknown) => {
    if (!isStopping) process.exit(error instanceof WorkerFailed ? error.code : 1)
  })
  if (!first) return
  first.send(announceRequest)
  await Promise.all(Array.from({ length: config.WORKERS - 1 }, () => start().catch(() => keepTrying(0))))
  replaceOnHangup(running, { start, keepTrying, log })
}

/** Each worker is stopped only after its successor accepts connections. */
function replaceOnHangup(
  running: Set<Worker>,
  { start, keepTrying, log }: { start(): Promise<Worker>; keepTrying(lifetime: number): Promise<void>; log: Logger },
): void {
  let isReplacing = false
  process.on('SIGHUP', async () => {
    if (isReplacing) return
    isReplacing = true
    try {
      for (const worker of [...running]) {
        // Its end is expected from now on. If it has ended already, its successor is starting.
        if (!running.delete(worker)) continue
        await start().catch((error) => {
          if (worker.isDead()) void keepTrying(0)
          else running.add(worker)
          throw error
        })
        await stopWorker(worker)
      }
      log.info('all workers are replaced')
    } catch (error) {
      log.error({ err: error }, 'a new worker could not start: the remaining workers are not replaced')
    } finally {
      isReplacing = false
    }
  })
}
