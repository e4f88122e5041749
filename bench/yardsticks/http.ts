import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { respond } from '../process/calls.ts'

/** A service response without the headers that node:http adds. */
export interface FixedResponse {
  /** Alternating names and values. */
  headers: string[]
  body: string
}

let reply: FixedResponse = { headers: [], body: '' }

// The yardstick for HTTP requests: a node:http server that reads each request and always sends the same response.
const server = createServer({ keepAliveTimeout: 72_000 }, (request, response) => {
  request.on('data', () => {})
  request.on('end', () => {
    response.writeHead(200, reply.headers)
    response.end(reply.body)
  })
})

respond('listen', (fixed: FixedResponse) => {
  reply = fixed
  return new Promise<number>((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port))
  })
})
