import cluster, { type Worker } from 'node:cluster'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { second } from '../../lib/time.ts'

/** The metrics of one process in the library's JSON format. */
export type ProcessMetrics = readonly object[]

/**
 * A worker that is asked for metrics asks the supervisor (`gather`), which asks all workers (`read`), collects their
 * replies (`metrics`), and sends all of them back (`gathered`).
 */
type Message =
  | { kind: 'gather'; id: string }
  | { kind: 'read'; id: string }
  | { kind: 'metrics'; id: string; metrics: ProcessMetrics }
  | { kind: 'gathered'; id: string; all: ProcessMetrics[] }

/** A worker that is busy for longer than this is left out. */
const limit = 2 * second

/** Resolves with the metrics of all workers, or only with those of this process if it is not a worker. */
export function gatherMetrics(read: () => Promise<ProcessMetrics>): () => Promise<ProcessMetrics[]> {
  if (!cluster.isWorker) return async () => [await read()]
  const waiting = new Map<string, (all: ProcessMetrics[]) => void>()
  process.on('message', async (message: Message) => {
    if (message.kind === 'read') send({ kind: 'metrics', id: message.id, metrics: await read() })
    if (message.kind === 'gathered') waiting.get(message.id)?.(message.all)
  })
  const send = (message: Message) => process.connected && process.send?.(message)
  return async () => {
    const id = randomUUID()
    const gathered = new Promise<ProcessMetrics[]>((resolve) => waiting.set(id, resolve))
    send({ kind: 'gather', id })
    const all = await Promise.race([gathered, sleep(2 * limit, undefined, { ref: false })])
    waiting.delete(id)
    return all ?? [await read()]
  }
}

/** Called by the supervisor. `workers` returns those that are running. */
export function answerMetricsRequests(workers: () => Worker[]): void {
  const gatherings = new Map<string, (from: Worker, metrics: ProcessMetrics) => void>()
  cluster.on('message', async (worker, message: Message) => {
    if (message.kind === 'metrics') gatherings.get(message.id)?.(worker, message.metrics)
    if (message.kind !== 'gather') return
    const { id } = message
    const all = await gather(
      id,
      workers().filter((one) => one.isConnected()),
      gatherings,
    )
    gatherings.delete(id)
    if (worker.isConnected()) worker.send({ kind: 'gathered', id, all } satisfies Message)
  })
}

async function gather(
  id: string,
  asked: readonly Worker[],
  gatherings: Map<string, (from: Worker, metrics: ProcessMetrics) => void>,
): Promise<ProcessMetrics[]> {
  const found = new Map<Worker, ProcessMetrics>()
  const complete = new Promise<void>((resolve) => {
    gatherings.set(id, (from, metrics) => {
      found.set(from, metrics)
      if (found.size === asked.length) resolve()
    })
  })
  for (const worker of asked) worker.send({ kind: 'read', id } satisfies Message)
  await Promise.race([complete, sleep(limit, undefined, { ref: false })])
  return [...found.values()]
}
