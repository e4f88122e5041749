import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { answer } from '../process/calls.ts'

/** A reply of the service, byte for byte, without what node:http adds by itself. */
export interface FixedReply {
  /** Names and values in turn. */
  headers: string[]
  body: string
}

let reply: FixedReply = { headers: [], body: '' }

// What the same bytes cost with nothing but node:http: read the request to its end, send what is always the same.
const server = createServer({ keepAliveTimeout: 72_000 }, (request, response) => {
  request.on('data', () => {})
  request.on('end', () => {
    response.writeHead(200, reply.headers)
    response.end(reply.body)
  })
})

answer('listen', (fixed: FixedReply) => {
  reply = fixed
  return new Promise<number>((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port))
  })
})
