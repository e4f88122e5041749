import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { sendResponse, WardenryError } from '../../../packages/server/src/index.ts'

test('an error has the members by which frameworks recognize errors of `http-errors`', () => {
  const [refused, outage] = [new WardenryError('INVALID_SESSION'), new WardenryError('UNAVAILABLE', 'a reason')]
  assert.deepEqual([refused.status, refused.statusCode, refused.expose], [401, 401, true])
  assert.deepEqual([outage.status, outage.statusCode, outage.expose], [503, 503, false])
  assert.deepEqual([refused.headers, outage.headers], [{}, { 'retry-after': '1' }])
  assert.equal(outage.getResponse().headers.get('retry-after'), '1')
})

test('a Response is written to a response of Node.js, with all of its cookies', async (t) => {
  const server = createServer((_request, reply) => {
    reply.setHeader('set-cookie', 'own=1')
    const headers = [
      ['set-cookie', 'a=1'],
      ['set-cookie', 'b=2'],
      ['x-name', 'value'],
    ] as [string, string][]
    sendResponse(new Response('text', { status: 418, headers }), reply)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const reply = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  assert.deepEqual([reply.status, await reply.text(), reply.headers.get('x-name')], [418, 'text', 'value'])
  assert.deepEqual(reply.headers.getSetCookie(), ['own=1', 'a=1', 'b=2'])
})
