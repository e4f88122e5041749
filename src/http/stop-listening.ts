import { Server } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { second } from '../lib/time.ts'
import type { Http } from './create-server.ts'

/** How long a balancer that asks every second gets to hear that this node is leaving. */
export const notice = 2 * second

/**
 * Takes no more connections. Before that comes a notice of so many milliseconds, in which readiness says no while every request is
 * still answered. Connections that were taken get a moment to speak: Node's own close would cut them off unheard.
 */
export async function stopListening({ server }: Http, lasting: number): Promise<void> {
  if (!server.listening) return
  await sleep(lasting)
  Server.prototype.close.call(server)
  await sleep(50)
}
