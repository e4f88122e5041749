import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { respond } from '../process/calls.ts'

// A fast back end for webhooks, which accepts every event.
let received = 0
const server = createServer((request, reply) => {
  request.resume().on('end', () => {
    received++
    reply.writeHead(204).end()
  })
})

respond('listen', async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
})
respond('received', () => received)
