import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Received {
  path: string
  headers: IncomingHttpHeaders
  body: string
  event: { id: string; type: string; occurred_at: string; data: Record<string, unknown> }
}

export type Behaviour = (reply: ServerResponse, received: Received) => unknown

export const respond =
  (status: number, body = '', headers: Record<string, string> = {}): Behaviour =>
  (reply) =>
    reply.writeHead(status, headers).end(body)

export interface Receiver {
  url: string
  received: Received[]
  /** How the following requests are answered. */
  behave(behaviour: Behaviour): void
  close(): Promise<void>
}

/** A back end on a loopback port. It responds with 204 until `behave` is called. */
export async function startReceiver(port = 0): Promise<Receiver> {
  let behaviour: Behaviour = respond(204)
  const received: Received[] = []
  const server = createServer(async (request, reply) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = Buffer.concat(chunks).toString()
    const one = { path: request.url ?? '', headers: request.headers, body, event: JSON.parse(body) }
    received.push(one)
    behaviour(reply, one)
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    behave(next) {
      behaviour = next
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
