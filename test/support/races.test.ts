import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import { parseReply, releaseTogether } from './races.ts'

describe('requests released together', () => {
  let server: Server
  let url: string
  const arrived = new EventEmitter()
  let heads: number[] = []
  let ends: number[] = []
  before(async () => {
    server = createServer(async (request, reply) => {
      heads.push(performance.now())
      arrived.emit('head')
      const body = await text(request)
      ends.push(performance.now())
      reply.appendHeader('set-cookie', 'a=1').appendHeader('set-cookie', 'b=2')
      reply.writeHead(request.url === '/none' ? 204 : 200).end(describeRequest(request, body))
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  after(() => server.close())

  async function begun(count: number): Promise<void> {
    while (heads.length < count) await once(arrived, 'head')
  }

  test('end only when every one of them is under way', async () => {
    heads = []
    ends = []
    const requests = Array.from({ length: 32 }, (_, n) => ({ method: 'POST', url: `${url}/?n=${n}`, body: { n } }))
    const replies = await releaseTogether(requests, { ready: () => begun(requests.length) })
    assert.deepEqual(
      replies.map(({ status, body }) => [status, body]),
      requests.map(({ body }, n) => [200, `POST /?n=${n} application/json ${JSON.stringify(body)}`]),
    )
    assert.ok(Math.min(...ends) > Math.max(...heads), 'a request ended before another had begun')
  })

  test('carry any method, header and text, and keep repeated reply headers apart', async () => {
    const [plain, none, head] = await releaseTogether([
      { method: 'GET', url: `${url}/plain`, headers: { 'content-type': 'text/x' } },
      { method: 'DELETE', url: `${url}/none`, body: 'as it is' },
      { method: 'HEAD', url },
    ])
    assert.equal(plain?.body, 'GET /plain text/x ')
    assert.deepEqual(plain?.headers.getSetCookie(), ['a=1', 'b=2'])
    assert.deepEqual([none?.status, none?.body], [204, ''])
    assert.deepEqual([head?.status, head?.body], [200, ''])
  })

  test('fail when a reply breaks off', () => {
    const parse = (reply: string) => parseReply(Buffer.from(reply))
    assert.throws(() => parse('HTTP/1.1 200 OK\r\n'), /within its head/)
    assert.throws(() => parse('HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nabc'), /3 of 5 bytes/)
    assert.throws(() => parse('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n'), /within a chunk/)
  })

  test('give the body of a chunked reply in one piece, and skip what only informs', () => {
    const chunked = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\nA;x=y\r\n0123456789\r\n0\r\n\r\n'
    const reply = parseReply(Buffer.from(`HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n${chunked}`))
    assert.deepEqual([reply.status, reply.body], [200, 'abc0123456789'])
  })
})

function describeRequest({ method, url, headers }: IncomingMessage, body: string): string {
  return `${method} ${url} ${headers['content-type'] ?? ''} ${body}`
}
