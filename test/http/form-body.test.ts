import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startTestApp, type TestApp } from '../support/test-app.ts'
import { assertError, declaredRoutes } from './support.ts'

let app: TestApp
before(async () => {
  app = await startTestApp()
})
after(() => app.stop())

const form = { 'content-type': 'application/x-www-form-urlencoded' }

test('a form is read as strictly as JSON, on the routes that take one', async () => {
  const crowd = Array.from({ length: 1_100 }, (_, index) => `k${index}`).join('&')
  const wrong: Record<string, { body: string | Buffer; field: string }> = {
    'a name twice': { body: 'token=a&token=b', field: 'token' },
    'a name twice behind a crowd': { body: `token=a&${crowd}&token=b`, field: 'token' },
    'U+0000': { body: 'token=a%00b', field: 'token' },
    'a text of 10,001': { body: `page=${'x'.repeat(10_001)}`, field: 'page' },
    'bytes that are not UTF-8': { body: Buffer.from('token=\xff', 'latin1'), field: 'body' },
    'no token': { body: 'page=x&token[]=a', field: 'token' },
    nothing: { body: '', field: 'token' },
  }
  const routes = declaredRoutes(app).filter(({ rule }) => rule.form)
  assert.deepEqual(
    routes.map(({ method, url }) => `${method} ${url}`),
    ['POST /auth/token/login', 'POST /auth/token/verify'],
  )
  for (const { method, url } of routes) {
    for (const [what, { body, field }] of Object.entries(wrong)) {
      const details = assertError(await app.call(method, url, { headers: form, body }), 400, 'VALIDATION_ERROR', what)
      assert.deepEqual(
        details.map((problem) => problem.field),
        [field],
        what,
      )
    }
    assertError(await app.call(method, url, { headers: form, body: 'x'.repeat(102_401) }), 413, 'PAYLOAD_TOO_LARGE')
  }
})

test('a body that its sender breaks off is no failure of the service', async () => {
  await app.http.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.http.server.address() as AddressInfo
  const ways = ['Content-Length: 50', 'Transfer-Encoding: chunked']
  for (const headers of ways) {
    const socket = connect(port, '127.0.0.1')
    const arrived = once(app.http.server, 'request')
    socket.write(`POST /auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${headers}\r\n\r\n`)
    await arrived
    socket.destroy()
  }
  const refused = () =>
    app
      .logged()
      .split('\n')
      .filter((line) => line.includes('"route":"/auth/login"'))
  for (let wait = 0; wait < 100 && refused().length < ways.length; wait++) await sleep(20)
  assert.equal(refused().length, ways.length)
  for (const line of refused()) assert.match(line, /"status":400,"error_code":"VALIDATION_ERROR"/)
})
