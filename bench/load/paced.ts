import { percentile } from '../numbers.ts'
import type { ClosedLoad } from './closed.ts'
import type { Connection } from './connection.ts'
import { withConnections } from './connections.ts'
import { requestsNamed } from './requests.ts'
import { countStatus, type Statuses, statusOf } from './status.ts'

/**
 * Sends `perSecond` requests per second, no matter how long the responses take. Sends the requests in order and starts
 * over when they run out.
 */
export interface PacedLoad extends ClosedLoad {
  perSecond: number
}

export interface PacedResult {
  statuses: Statuses
  /**
   * Response times in milliseconds, measured from when each request was due so that they include the time spent waiting
   * for a blocked server.
   */
  p50: number
  p95: number
  max: number
  /** All response times, in ascending order. */
  times: number[]
}

export function loadPaced({ requests, port, connections, milliseconds, perSecond }: PacedLoad): Promise<PacedResult> {
  const choice = requestsNamed(requests)
  const total = Math.round((perSecond * milliseconds) / 1000)
  const times: number[] = []
  const statuses: Statuses = {}
  return withConnections(port, connections, (free, finish) => {
    /** The due times of the requests waiting for a free connection. */
    const due: number[] = []
    const started = performance.now()
    let [called, sent] = [0, 0]
    const send = (connection: Connection, since: number) =>
      connection.send(choice[sent++ % choice.length] as Buffer, (reply) => {
        times.push(performance.now() - since)
        countStatus(statuses, statusOf(reply))
        free.push(connection)
        sendWaiting()
        if (times.length < total) return
        clearInterval(timer)
        finish({ statuses, ...summary(times) })
      })
    const sendWaiting = () => {
      while (due.length > 0 && free.length > 0) send(free.pop() as Connection, due.shift() as number)
    }
    // A request becomes due when this timer fires, so delays in this process are not blamed on the server.
    const timer = setInterval(() => {
      const now = performance.now()
      for (; called < total && started + (called * 1000) / perSecond <= now; called++) due.push(now)
      sendWaiting()
    }, 1)
  })
}

function summary(times: number[]) {
  const sorted = times.toSorted((left, right) => left - right)
  return { p50: percentile(sorted, 0.5), p95: percentile(sorted, 0.95), max: percentile(sorted, 1), times: sorted }
}
