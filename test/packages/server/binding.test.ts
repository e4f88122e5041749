import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { createWardenry, type RequestLike, type Wardenry } from '../../../packages/server/src/index.ts'
import { eventually } from '../../support/eventually.ts'
import { person } from '../../support/people.ts'
import { bridgeSecret, startTestApp, type TestApp } from '../../support/test-app.ts'

const home = { ip: '203.0.113.7', agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Firefox/140.0' }
const [proxy, elsewhere] = ['10.0.0.1', '198.51.100.9']

let app: TestApp
let token: string
let url: string
let asked: { session_ids: string[]; end_users: object[] }[] = []
before(async () => {
  app = await startTestApp({ env: { SESSION_BINDING: 'enforce' } })
  await app.http.listen({ host: '127.0.0.1', port: 0 })
  url = `http://127.0.0.1:${(app.http.server.address() as AddressInfo).port}`
  const call = { from: home.ip, headers: { 'user-agent': home.agent } }
  token = (await app.post('/auth/register/public', person(), call)).json.sessionId
})
after(() => app.stop())

const counted: typeof fetch = (target, init) => {
  asked.push(JSON.parse(String(init?.body)))
  return fetch(target, { ...init, headers: { ...init?.headers, connection: 'close' } })
}
async function withApplication(
  trustedProxies: string[] | undefined,
  maxSessions: number,
  use: (wardenry: Wardenry) => Promise<void>,
) {
  asked = []
  const options = { url, bridgeSecret, maxSessions, fetch: counted, ...(trustedProxies && { trustedProxies }) }
  const wardenry = createWardenry(options)
  try {
    await use(wardenry)
  } finally {
    wardenry.close()
  }
}
/** `peer` is undefined for a Fetch `Request`. */
const from = (agent: string, peer: string | undefined, forwarded?: string): RequestLike => ({
  method: 'GET',
  headers: { 'x-session-id': token, 'user-agent': agent, ...(forwarded && { 'x-forwarded-for': forwarded }) },
  ...(peer !== undefined && { socket: { remoteAddress: peer } }),
})
const isSignedIn = async (wardenry: Wardenry, request: RequestLike) => (await wardenry.userOf(request)) !== undefined

for (const maxSessions of [0, 100]) {
  const cache = maxSessions === 0 ? 'without a cache' : 'with a cache'

  test(`${cache}, a session is bound to the user agent, and to nothing that a visitor can forge`, () =>
    withApplication(undefined, maxSessions, async (wardenry) => {
      await isCachedIfPossible(wardenry, from(home.agent, home.ip), maxSessions)
      assert.equal(await isSignedIn(wardenry, from('curl/8.0', home.ip)), false)
      assert.equal(await isSignedIn(wardenry, from('curl/8.0', home.ip, home.ip)), false)
      assert.equal(await isSignedIn(wardenry, from(home.agent, elsewhere)), true)
    }))

  test(`${cache} and with trusted proxies, a session is bound to the address, too`, () =>
    withApplication(['10.0.0.0/8'], maxSessions, async (wardenry) => {
      await isCachedIfPossible(wardenry, from(home.agent, proxy, home.ip), maxSessions)
      const cases: [peer: string | undefined, forwarded: string | undefined, expected: boolean][] = [
        [home.ip, undefined, true],
        [`::ffff:${home.ip}`, undefined, true],
        [elsewhere, undefined, false],
        [elsewhere, home.ip, false],
        [proxy, `${home.ip}, ${elsewhere}`, false],
        [proxy, `${elsewhere}, ${home.ip}`, true],
        [proxy, `${home.ip}, 10.0.0.2`, true],
        [proxy, undefined, false],
        [proxy, 'unknown', false],
        [undefined, home.ip, true],
        [undefined, undefined, false],
        ['', home.ip, false],
      ]
      for (const [peer, forwarded, expected] of cases)
        assert.equal(await isSignedIn(wardenry, from(home.agent, peer, forwarded)), expected, `${peer} ${forwarded}`)
    }))
}

test('without proxies, a forwarded address is not believed even if the connection is unknown', () =>
  withApplication([], 0, async (wardenry) => {
    assert.equal(await isSignedIn(wardenry, from(home.agent, home.ip, elsewhere)), true)
    assert.equal(await isSignedIn(wardenry, from(home.agent, undefined, home.ip)), false)
  }))

/** With a cache, waits until a request is served from it. */
async function isCachedIfPossible(wardenry: Wardenry, request: RequestLike, maxSessions: number) {
  assert.equal(await isSignedIn(wardenry, request), true)
  if (maxSessions === 0) return
  await eventually(async () => {
    const before = asked.length
    assert.equal(await isSignedIn(wardenry, request), true)
    return asked.length === before
  })
}

test('a stranger with a cached session is refused, and the rejection is recorded', () =>
  withApplication(undefined, 100, async (wardenry) => {
    await isCachedIfPossible(wardenry, from(home.agent, undefined), 100)
    const agent = `curl/${Date.now()}`
    assert.equal(await isSignedIn(wardenry, from(agent, undefined)), false)
    const { rows } = await sql`SELECT 1 FROM audit_events WHERE event = 'session_context_changed'
      AND user_agent = ${agent}`.execute(app.ctx.db)
    assert.equal(rows.length, 1)
    assert.equal(await isSignedIn(wardenry, from(home.agent, undefined)), true)
  }))

test('two visitors who ask for one session at the same time are told apart', () =>
  withApplication(undefined, 0, async (wardenry) => {
    const agents = ['curl/8.0', home.agent, 'curl/8.1', home.agent]
    const answers = agents.map((agent) => isSignedIn(wardenry, from(agent, undefined)))
    assert.deepEqual(await Promise.all(answers), [false, true, false, true])
    assert.deepEqual(
      asked.map(({ session_ids }) => session_ids.length),
      [3],
    )
  }))

test('a session in use is revalidated for its visitor', () =>
  withApplication(undefined, 100, async (wardenry) => {
    const request = from(home.agent, undefined)
    await isCachedIfPossible(wardenry, request, 100)
    await eventually(async () => {
      const before = asked.length
      assert.equal(await isSignedIn(wardenry, request), true)
      // Served from the cache, and then queried in the background.
      if (asked.length !== before) return false
      return asked.length > 3 && asked.every(({ end_users }) => JSON.stringify(end_users).includes('Firefox'))
    })
  }))

test('proxies that are not addresses or ranges are refused', () => {
  for (const range of ['10.0.0.0/33', 'proxy', '10.0.0.0/8/9', '::1/129'])
    assert.throws(
      () => createWardenry({ url, bridgeSecret, trustedProxies: [range] }),
      /trustedProxies must contain IP addresses and CIDR ranges/,
    )
})
