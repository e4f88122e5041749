import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { registered, withSession } from '../support/people.ts'
import { bridgeSecret, startTestApp, type TestApp } from '../support/test-app.ts'

let app: TestApp
let port: number
let session: Record<string, string>
const agent = new Agent({ keepAlive: true, maxSockets: 1 })
before(async () => {
  app = await startTestApp()
  await app.http.listen({ host: '127.0.0.1', port: 0 })
  port = (app.http.server.address() as AddressInfo).port
  session = withSession((await registered(app)).sessionToken).headers
})
after(async () => {
  agent.destroy()
  await app.stop()
})

interface SentRequest {
  method: string
  path: string
  type?: string
  body?: string | Buffer
  chunked?: boolean
}

async function send({
  method,
  path,
  type,
  body = '',
  chunked,
}: SentRequest): Promise<{ status: number; code: string }> {
  const length = chunked ? { 'transfer-encoding': 'chunked' } : { 'content-length': Buffer.byteLength(body) }
  const headers = { ...session, 'x-bridge-secret': bridgeSecret, ...length, ...(type && { 'content-type': type }) }
  const asked = request({ port, host: '127.0.0.1', method, path, headers, agent })
  asked.end(body)
  const [reply] = await once(asked, 'response')
  let text = ''
  for await (const part of reply.setEncoding('utf8')) text += part
  return { status: reply.statusCode, code: JSON.parse(text).code }
}

const large = Buffer.alloc(20 * 1024 * 1024, 'x')
const bodies: Omit<SentRequest, 'method' | 'path'>[] = [
  { type: 'application/json', body: JSON.stringify({ text: 'x'.repeat(1_000) }) },
  { type: 'application/json', body: '{"unfinished":' },
  { type: 'application/json', body: large },
  { type: 'application/json', body: large, chunked: true },
  { type: 'application/x-www-form-urlencoded', body: large },
  { type: 'multipart/form-data; boundary=x', body: 'no part' },
  { type: 'multipart/form-data; boundary=x', body: large, chunked: true },
  { type: 'text/plain', body: 'hello' },
  { type: 'text/plain', body: large },
  { type: 'not a media type;;', body: 'hello' },
  { body: 'no media type' },
]
const nameOf = ({ type, body, chunked }: (typeof bodies)[number]): string =>
  `${body?.length} bytes of ${type}${chunked ? ', chunked' : ''}`

for (const method of ['GET', 'POST']) {
  describe(`${method} /auth/verify ignores the visitor's body`, () => {
    for (const body of bodies) {
      test(nameOf(body), async () => {
        const path = '/auth/verify'
        assert.equal((await send({ method, path, ...body })).status, 200)
        assert.equal((await send({ method: 'GET', path })).status, 200, 'the next request is answered')
      })
    }
  })
}

describe('an operation with GET ignores a body', () => {
  for (const body of bodies) {
    test(nameOf(body), async () => {
      assert.equal((await send({ method: 'GET', path: '/auth/me', ...body })).status, 200)
    })
  }
})

const readable = bodies.filter(({ type, body }) => body !== large && !type?.startsWith('not'))

for (const [method, path, code] of [
  ['PUT', '/auth/login', 'METHOD_NOT_ALLOWED'],
  ['DELETE', '/auth/me', 'METHOD_NOT_ALLOWED'],
  ['POST', '/auth/unknown', 'NOT_FOUND'],
] as const) {
  test(`${method} ${path} is ${code} with any body`, async () => {
    for (const body of readable) assert.equal((await send({ method, path, ...body })).code, code, nameOf(body))
  })
}

test('another operation without a body checks the one it is sent', async () => {
  for (const [method, path] of [
    ['POST', '/auth/refresh'],
    ['DELETE', '/auth/upload/picture'],
  ] as const) {
    const codeOf = async (type: string, body: string | Buffer) => (await send({ method, path, type, body })).code
    assert.equal(await codeOf('application/json', '{"unknown": true}'), undefined)
    assert.equal(await codeOf('application/json', '{"unfinished":'), 'VALIDATION_ERROR')
    assert.equal(await codeOf('application/json', large.subarray(0, 200 * 1024)), 'PAYLOAD_TOO_LARGE')
    assert.equal(await codeOf('text/plain', 'hello'), 'UNSUPPORTED_MEDIA_TYPE')
    const { responses } = (await app.get('/openapi.json')).json.paths[path][method.toLowerCase()]
    assert.ok('413' in responses && '415' in responses, path)
  }
})
