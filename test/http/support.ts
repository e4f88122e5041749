import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { routesOf } from '../../src/http/server/create-server.ts'
import type { KnownRoute } from '../../src/http/server/route-table.ts'
import { signedInAs } from '../support/people.ts'
import { bridgeSecret, type Reply, type TestApp } from '../support/test-app.ts'

/** The running server's routes, without the HEAD routes that GET routes add. */
export const declaredRoutes = (app: TestApp): KnownRoute[] =>
  routesOf(app.http).filter(({ method }) => method !== 'HEAD')

/** Without gateway routes, whose input is the visitor's request, and routes with the errors of another protocol. */
export const ownRoutes = (app: TestApp): KnownRoute[] =>
  declaredRoutes(app).filter(({ rule }) => !rule.forGateways && rule.errors === 'own')

/** Headers that give access to every route: the bridge secret and a superadmin's full session. */
export async function everyCredential(app: TestApp): Promise<Record<string, string>> {
  const { sessionToken } = await signedInAs(app, 'superadmin')
  return { 'x-bridge-secret': bridgeSecret, 'x-session-id': sessionToken }
}

interface Problem {
  field: string
  message: string
}

/** Asserts that this is an error response with this code, and returns its details. */
export function assertError(reply: Reply, status: number, code: string, about = ''): Problem[] {
  assert.equal(reply.status, status, `${about} ${reply.text}`)
  const { success, error, code: given, details, request_id, ...rest } = reply.json
  assert.equal(success, false, about)
  assert.equal(given, code, about)
  assert.equal(typeof error, 'string', about)
  assert.equal(request_id, reply.headers['x-request-id'], about)
  assert.deepEqual(rest, {}, about)
  return details ?? []
}

/**
 * Starts listening on loopback. Returns a function that sends raw bytes and reads the response until the connection
 * closes.
 */
export async function listen(app: TestApp): Promise<(bytes: string) => Promise<string>> {
  if (!app.http.server.listening) await app.http.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.http.server.address() as AddressInfo
  return async (bytes) => {
    const socket = connect(port, '127.0.0.1')
    let answer = ''
    socket.setEncoding('latin1').on('data', (chunk) => {
      answer += chunk
    })
    socket.on('error', () => {})
    socket.write(bytes, 'latin1')
    await once(socket, 'close')
    return answer
  }
}

/** Different spellings of the same media type. */
export const formTypes = [
  'application/x-www-form-urlencoded',
  'Application/X-WWW-Form-Urlencoded',
  'APPLICATION/X-WWW-FORM-URLENCODED; charset=utf-8',
  'application/x-www-form-urlencoded;charset=x',
  'Application/x-www-form-urlencoded ;charset=x',
  'application/x-www-form-URLENCODED\t;',
  '\u00a0application/x-www-form-urlencoded',
]
