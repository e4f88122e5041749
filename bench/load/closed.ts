import type { Connection } from './connection.ts'
import { withConnections } from './connections.ts'
import { requestsNamed } from './requests.ts'
import { countStatus, type Statuses, statusOf } from './status.ts'

/** Sends the next request on a connection as soon as the previous response arrives. Picks requests at random. */
export interface ClosedLoad {
  requests: string
  port: number
  connections: number
  milliseconds: number
}

export interface ClosedResult {
  replies: number
  seconds: number
  /** The number of responses that the service served from memory. */
  fromMemory: number
  statuses: Statuses
}

const memoryMark = '"cacheSource":"memory"'

export function loadClosed({ requests, port, connections, milliseconds }: ClosedLoad): Promise<ClosedResult> {
  const choice = requestsNamed(requests)
  const oneOf = () => choice[Math.floor(Math.random() * choice.length)] as Buffer
  const result: ClosedResult = { replies: 0, seconds: 0, fromMemory: 0, statuses: {} }
  return withConnections(port, connections, (all, finish) => {
    let running = all.length
    const started = performance.now()
    const next = (connection: Connection) =>
      connection.send(oneOf(), (reply) => {
        result.replies++
        countStatus(result.statuses, statusOf(reply))
        if (reply.indexOf(memoryMark, -100) !== -1) result.fromMemory++
        const elapsed = performance.now() - started
        if (elapsed < milliseconds) return next(connection)
        running--
        if (running === 0) finish({ ...result, seconds: elapsed / 1000 })
      })
    for (const connection of all) next(connection)
  })
}
