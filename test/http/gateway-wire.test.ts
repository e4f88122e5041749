import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type IncomingHttpHeaders, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { registered, type SignedIn } from '../support/people.ts'
import { bridgeSecret, startTestApp, type TestApp } from '../support/test-app.ts'

// The requests that these gateways send according to their documentation.

const publicUrl = 'https://id.example.com'
const page = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
const loginFor = (address: string) => `${publicUrl}/login?return_to=${encodeURIComponent(address)}`

let app: TestApp
let port: number
let ada: SignedIn
before(async () => {
  app = await startTestApp({ env: { PUBLIC_URL: publicUrl } })
  await app.http.listen({ host: '127.0.0.1', port: 0 })
  port = (app.http.server.address() as AddressInfo).port
  ada = await registered(app)
})
after(() => app.stop())

interface SentRequest {
  method: string
  path: string
  headers: Record<string, string>
}

async function ask({ method, path, headers }: SentRequest): Promise<{ status: number; headers: IncomingHttpHeaders }> {
  const asked = request({ port, host: '127.0.0.1', method, path, headers, agent: false })
  asked.end()
  const [reply] = await once(asked, 'response')
  reply.resume()
  return { status: reply.statusCode, headers: reply.headers }
}

describe('Traefik forwardAuth', () => {
  /** Traefik sends a GET with all of the visitor's headers except those about the connection and the body. */
  const forwarded = (visitor: { method: string; uri: string; headers: Record<string, string> }): SentRequest => ({
    method: 'GET',
    path: '/auth/verify?redirect=true',
    headers: {
      'User-Agent': 'Mozilla/5.0',
      'Accept-Encoding': 'gzip',
      'X-Bridge-Secret': bridgeSecret,
      'X-Forwarded-For': '198.51.100.7',
      'X-Forwarded-Host': 'app.example.com',
      'X-Forwarded-Method': visitor.method,
      'X-Forwarded-Port': '443',
      'X-Forwarded-Proto': 'https',
      'X-Forwarded-Server': 'gateway-1',
      'X-Forwarded-Uri': visitor.uri,
      'X-Real-Ip': '198.51.100.7',
      ...visitor.headers,
    },
  })
  const cookie = () => ({ Cookie: `session_id=${ada.sessionToken}` })

  test('passes a signed-in visitor on, whatever the request is', async () => {
    const requests = [
      { method: 'GET', uri: '/', headers: { ...cookie(), Accept: page } },
      { method: 'POST', uri: '/a?b=c', headers: { ...cookie(), 'Content-Type': 'multipart/form-data; boundary=x' } },
      {
        method: 'POST',
        uri: '/',
        headers: { ...cookie(), Origin: 'https://app.example.com', 'Content-Type': 'text/csv' },
      },
      { method: 'PUT', uri: '/', headers: { ...cookie(), 'Content-Encoding': 'gzip' } },
      { method: 'GET', uri: '/ws', headers: { ...cookie(), 'Sec-Websocket-Version': '13' } },
    ]
    for (const visitor of requests) {
      const reply = await ask(forwarded(visitor))
      assert.equal(reply.status, 200, JSON.stringify(visitor))
      assert.equal(reply.headers['x-auth-user-id'], ada.id)
    }
  })

  test('hands the redirect to people and 401 to scripts', async () => {
    const uri = '/reports?year=2026&q=%C3%A9'
    const person = await ask(forwarded({ method: 'GET', uri, headers: { Accept: page } }))
    assert.deepEqual([person.status, person.headers.location], [302, loginFor(`https://app.example.com${uri}`)])
    for (const [method, accept] of [
      ['GET', 'application/json'],
      ['POST', page],
    ] as const) {
      const reply = await ask(forwarded({ method, uri, headers: { Accept: accept } }))
      assert.deepEqual([reply.status, reply.headers.location], [401, undefined])
    }
  })
})

describe('Envoy ext_authz', () => {
  /** Envoy sends the visitor's method and host, the prefixed path, `Content-Length: 0`, and the allowed headers. */
  const checked = (method: string, path: string, headers: Record<string, string>): SentRequest => ({
    method,
    path: `/auth/verify/for${path}`,
    headers: {
      Host: 'app.example.com',
      'Content-Length': '0',
      'X-Envoy-Internal': 'true',
      'X-Forwarded-Proto': 'https',
      'X-Bridge-Secret': bridgeSecret,
      'X-Auth-Redirect': 'true',
      ...headers,
    },
  })

  test('passes a signed-in visitor on by every method and path', async () => {
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      for (const path of ['/', '/a/b.c', '/a//b', '/a/../b', '/%E6%BC%A2?x=1&x=2', '/?session_id=x&redirect=maybe']) {
        const byCookie = await ask(checked(method, path, { Cookie: `session_id=${ada.sessionToken}` }))
        const byBearer = await ask(checked(method, path, { Authorization: `Bearer ${ada.sessionToken}` }))
        assert.deepEqual([byCookie.status, byBearer.status], [200, 200], `${method} ${path}`)
        assert.equal(byCookie.headers['x-auth-user-id'], ada.id)
      }
    }
  })

  test('hands the redirect to people and 401 to scripts', async () => {
    for (const path of ['/', '/reports?year=2026&year=2027', '/?session_id=ses_x']) {
      const person = await ask(checked('GET', path, { Accept: page, 'Sec-Fetch-Mode': 'navigate' }))
      assert.deepEqual([person.status, person.headers.location], [302, loginFor(`https://app.example.com${path}`)])
    }
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      const reply = await ask(checked(method, '/x', { Accept: '*/*' }))
      assert.deepEqual([reply.status, reply.headers.location], [401, undefined], method)
    }
  })

  test('lets nobody in by a path that cannot be read', async () => {
    for (const path of ['/%zz', '/%ff', `/${'x'.repeat(9_000)}`]) {
      const reply = await ask(checked('GET', path, { Cookie: `session_id=${ada.sessionToken}` }))
      assert.ok(reply.status >= 400 && reply.status < 500, `${path.slice(0, 9)} ${reply.status}`)
      assert.equal(reply.headers['x-auth-user-id'], undefined)
    }
  })
})
