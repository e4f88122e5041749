import assert from 'node:assert/strict'
import { test } from 'node:test'
import { registered, withSession } from '../support/people.ts'
import { bridgeSecret, startTestApp, type TestApp } from '../support/test-app.ts'

const bridge = (app: TestApp, session_id: string) =>
  app.post('/auth/bridge/validate', { session_id }, { headers: { 'x-bridge-secret': bridgeSecret } })

/** Responses of each kind: from Fastify, prepared, cached, rejected, not found. */
async function responseObjects(app: TestApp) {
  const ada = await registered(app)
  const replies = [
    await app.get('/health'),
    await app.get('/auth/me', withSession(ada.sessionToken)),
    await bridge(app, ada.sessionToken),
    await bridge(app, ada.sessionToken),
    await bridge(app, 'ses_unknown'),
    await app.get('/auth/me'),
    await app.get('/auth/nowhere'),
    await app.get('/openapi.json'),
  ]
  assert.deepEqual(
    replies.map(({ status }) => status),
    [200, 200, 200, 200, 401, 401, 404, 200],
  )
  return replies
}

test('in development JSON ends with one newline, which its length counts', async (t) => {
  const app = await startTestApp({ env: { NODE_ENV: 'development' } })
  t.after(() => app.stop())
  for (const { text, headers, json } of await responseObjects(app)) {
    assert.match(text, /}\n$/)
    assert.equal(typeof json, 'object')
    assert.equal(Number(headers['content-length']), Buffer.byteLength(text))
  }
  const head = await app.call('HEAD', '/health')
  assert.deepEqual(
    [head.text, head.headers['content-length']],
    ['', (await app.get('/health')).headers['content-length']],
  )
  const page = await app.get('/login', { headers: { accept: 'text/html' } })
  assert.equal(Number(page.headers['content-length']), Buffer.byteLength(page.text))
})

test('elsewhere JSON ends with its last brace', async (t) => {
  const app = await startTestApp()
  t.after(() => app.stop())
  for (const { text, headers } of await responseObjects(app)) {
    assert.match(text, /}$/)
    assert.equal(Number(headers['content-length']), Buffer.byteLength(text))
  }
})
