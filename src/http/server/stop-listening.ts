import { Server } from 'node:net'
import { performance } from 'node:perf_hooks'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { second } from '../../lib/time.ts'
import type { HttpServer } from './types.ts'

export interface ShutdownTimes {
  /** How long the port stays open while readiness checks fail, which lets load balancers stop sending requests. */
  noticeMs: number
  /** How long open connections may send requests after the port has been closed. */
  lingerMs: number
}

export const shutdownTimes = ({
  isProduction,
  SHUTDOWN_TIMEOUT,
}: {
  isProduction: boolean
  SHUTDOWN_TIMEOUT: number
}): ShutdownTimes => {
  if (!isProduction) return { noticeMs: 0, lingerMs: 50 }
  const step = Math.min(2 * second, SHUTDOWN_TIMEOUT / 4)
  return { noticeMs: step, lingerMs: step }
}

/** Each response closes its connection, because a new request could be lost if the server closed an idle connection. */
export async function stopListening(
  { server, shutdown }: HttpServer,
  { noticeMs, lingerMs }: ShutdownTimes,
): Promise<void> {
  shutdown.hasBegun = true
  if (!server.listening) return
  await sleep(noticeMs)
  await quietTurn()
  // `server.close()` would also close connections on which no request has been received yet.
  Server.prototype.close.call(server)
  await noConnections(server, lingerMs)
  await quietTurn()
  server.closeIdleConnections()
  // Closes the connections of responses that began before the shutdown.
  setInterval(() => server.closeIdleConnections(), second / 10).unref()
}

const maxTurns = 1_000

/** Waits until all queued connections have been accepted, because closing the port would reset them. */
async function quietTurn(): Promise<void> {
  const eventCount = () => performance.nodeTiming.uvMetricsInfo.events
  for (let turn = 0, before = -1; turn < maxTurns && eventCount() !== before; turn++) {
    before = eventCount()
    await nextTurn()
  }
}

async function noConnections(server: Server, timeoutMs: number): Promise<void> {
  const end = performance.now() + timeoutMs
  while (performance.now() < end && (await connectionCount(server)) > 0) await sleep(Math.min(20, timeoutMs))
}

const connectionCount = (server: Server): Promise<number> =>
  new Promise((resolve, reject) => {
    server.getConnections((error, count) => (error ? reject(error) : resolve(count)))
  })
