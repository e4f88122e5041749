import cluster, { type Worker } from 'node:cluster'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { second } from '../../lib/time.ts'
import { addUp, type ProcessMetrics } from './add-up.ts'

/**
 * A worker sends `gather`. The supervisor sends `read` to all workers, collects `metrics`, and replies with `gathered`.
 */
type Message =
  | { kind: 'gather'; id: string }
  | { kind: 'read'; id: string }
  | { kind: 'metrics'; id: string; metrics: ProcessMetrics }
  | { kind: 'gathered'; id: string; all: ProcessMetrics[] }

/** If a worker takes longer, its previous reply is used. */
const limit = 2 * second

export function gatherMetrics(read: () => Promise<ProcessMetrics>): () => Promise<ProcessMetrics[]> {
  if (!cluster.isWorker) return async () => [await read()]
  const waiting = new Map<string, (all: ProcessMetrics[]) => void>()
  process.on('message', async (message: Message) => {
    if (message.kind === 'read') send({ kind: 'metrics', id: message.id, metrics: await read() })
    if (message.kind === 'gathered') waiting.get(message.id)?.(message.all)
  })
  const send = (message: Message) => process.connected && process.send?.(message, () => {})
  return async () => {
    const id = randomUUID()
    const gathered = new Promise<ProcessMetrics[]>((resolve) => waiting.set(id, resolve))
    send({ kind: 'gather', id })
    const all = await Promise.race([gathered, sleep(2 * limit, undefined, { ref: false })])
    waiting.delete(id)
    return all ?? [await read()]
  }
}

/** Counts from ended workers are kept because Prometheus interprets a decrease in a counter as a restart. */
export function responseMetricsRequests(workers: () => Worker[]): void {
  const waiting = new Map<string, (from: Worker) => void>()
  const last = new Map<Worker, ProcessMetrics>()
  let ended: ProcessMetrics = []
  cluster.on('exit', (worker) => {
    ended = addUp(ended, last.get(worker) ?? [])
    last.delete(worker)
  })
  cluster.on('message', async (worker, message: Message) => {
    if (message.kind === 'metrics') {
      last.set(worker, message.metrics)
      waiting.get(message.id)?.(worker)
    } else if (message.kind === 'gather') {
      const { id } = message
      const asked = [...new Set([worker, ...workers()])].filter((one) => one.isConnected())
      await collect(id, asked)
      worker.send({ kind: 'gathered', id, all: [...last.values(), ended] } satisfies Message, () => {})
    }
  })

  async function collect(id: string, asked: readonly Worker[]): Promise<void> {
    const missing = new Set(asked)
    const complete = new Promise<void>((resolve) => {
      waiting.set(id, (from) => {
        missing.delete(from)
        if (missing.size === 0) resolve()
      })
    })
    for (const worker of asked) worker.send({ kind: 'read', id } satisfies Message, () => {})
    await Promise.race([complete, sleep(limit, undefined, { ref: false })])
    waiting.delete(id)
  }
}
