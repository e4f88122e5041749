// Setup: alone
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openStream } from '../support/event-stream.ts'
import { storedCode } from '../support/handover.ts'
import {
  bridgeSecret,
  call,
  type Nodes,
  needsBoth,
  needsPostgres,
  newAddress,
  redisUrl,
  registerAt,
  startNodes,
  validateAt,
} from './nodes.ts'

const address = 'https://shop.example.com'
/** In milliseconds. */
const bound = 1_000
/** How often a change is repeated on a quiet machine. */
const rounds = Number(process.env.RACE_ROUNDS ?? 4)

describe('applications on two nodes', needsPostgres, () => {
  let nodes: Nodes
  let one: string
  let headers: Record<string, string>
  before(async () => {
    nodes = await startNodes(2, {
      RATE_LIMIT_ADMIN: '100000/1h',
      RATE_LIMIT_READ: '1000000/1m',
      RATE_LIMIT_BRIDGE_FAIL: '1000000/1m',
    })
    const admin = await registerAt(nodes.urls[0]!)
    await nodes.database.query(`UPDATE users SET user_type = 'superadmin' WHERE id = $1`, [admin.id])
    headers = { 'x-session-id': admin.sessionToken }
    const body = { key: 'shop', name: 'Shop', kind: 'website', return_addresses: [address], origins: [address] }
    const created = await call(`${nodes.urls[0]}/auth/admin/applications`, { body, headers })
    one = `/auth/admin/applications/${created.json.data.id}`
  })
  after(() => nodes?.stop())

  const isAccepted = async (url: string): Promise<boolean> => {
    const forwarded = { 'x-forwarded-for': newAddress() }
    const [page, preflight] = await Promise.all([
      fetch(`${url}/login?return_to=${encodeURIComponent(address)}`, { headers: forwarded }),
      fetch(`${url}/auth/login`, { method: 'OPTIONS', headers: { ...forwarded, origin: address } }),
    ])
    await Promise.all([page.body?.cancel(), preflight.body?.cancel()])
    const [mayReturn, mayCall] = [page.status !== 400, preflight.headers.get('access-control-allow-methods') !== null]
    assert.equal(mayReturn, mayCall)
    return mayReturn
  }
  /** Returns the milliseconds until the node behaves like this. */
  const delayUntil = (url: string, expected: boolean, started: number) =>
    delayOf(() => isAccepted(url).catch(() => !expected), expected, started)
  async function delayOf(isAllowed: () => Promise<boolean>, expected: boolean, started: number): Promise<number> {
    while ((await isAllowed()) !== expected) {
      assert.ok(performance.now() - started < 10 * bound, 'the node has not noticed the change')
      await sleep(5)
    }
    return performance.now() - started
  }

  test('a change takes effect at once where it was made, and within a second on the other node', async (t) => {
    const [first, other] = nodes.urls as [string, string]
    const delays: number[] = []
    for (let round = 0; round < rounds; round++) {
      for (const [action, expected] of [
        ['disable', false],
        ['enable', true],
      ] as const) {
        const { status } = await call(`${first}${one}/${action}`, { method: 'POST', headers })
        const committedAt = performance.now()
        assert.equal(status, 200)
        assert.equal(await isAccepted(first), expected)
        delays.push(await delayUntil(other, expected, committedAt))
      }
    }
    t.diagnostic(`at most ${Math.max(...delays).toFixed(0)} ms`)
    assert.ok(Math.max(...delays) <= bound, `${delays.map(Math.round)}`)
  })

  test('a change that no node announces takes effect within a second on all of them', async (t) => {
    const delays: number[] = []
    for (let round = 0; round < rounds; round++) {
      for (const expected of [false, true]) {
        await nodes.database.query('UPDATE applications SET is_enabled = $1', [expected])
        const committedAt = performance.now()
        delays.push(...(await Promise.all(nodes.urls.map((url) => delayUntil(url, expected, committedAt)))))
      }
    }
    t.diagnostic(`at most ${Math.max(...delays).toFixed(0)} ms`)
    assert.ok(Math.max(...delays) <= bound, `${delays.map(Math.round)}`)
  })

  test('a revoked secret of an application is rejected, and its stream ends, within a second on all nodes', async (t) => {
    const secrets = `${nodes.urls[0]}${one}/secrets`
    const validate = async (url: string, secret: string) =>
      (await call(`${url}/auth/bridge/validate`, { body: {}, headers: { 'x-bridge-secret': secret } })).status !== 401
    const delays: number[] = []
    for (const revoke of [
      (id: string) => call(`${secrets}/${id}`, { method: 'DELETE', headers }),
      (id: string) => nodes.database.query('DELETE FROM application_secrets WHERE id = $1', [id]),
    ]) {
      const { application_secret, secret } = (await call(secrets, { body: {}, headers })).json.data
      const createdAt = performance.now()
      await Promise.all(nodes.urls.map((url) => delayOf(() => validate(url, secret), true, createdAt)))
      const ends: Promise<number>[] = []
      for (const url of nodes.urls) {
        const stream = await openStream(Number(new URL(url).port), { 'x-bridge-secret': secret })
        t.after(stream.close)
        assert.equal(stream.reply.statusCode, 200)
        ends.push(new Promise((resolve) => stream.reply.resume().once('close', () => resolve(performance.now()))))
      }
      await revoke(application_secret.id)
      const revokedAt = performance.now()
      delays.push(
        ...(await Promise.all(nodes.urls.map((url) => delayOf(() => validate(url, secret), false, revokedAt)))),
        ...(await Promise.all(ends)).map((endedAt) => endedAt - revokedAt),
      )
    }
    t.diagnostic(`at most ${Math.max(...delays).toFixed(0)} ms`)
    assert.ok(Math.max(...delays) <= bound, `${delays.map(Math.round)}`)
  })
})

for (const [name, redis, needs] of [
  ['without Redis', {}, needsPostgres],
  ['with Redis', { REDIS_URL: redisUrl }, needsBoth],
] as const)
  describe(`sessions of an application on two nodes, ${name}`, needs, () => {
    let nodes: Nodes
    before(async () => {
      nodes = await startNodes(2, { RATE_LIMIT_ADMIN: '100000/1h', ...redis })
    })
    after(() => nodes?.stop())

    /** A session that is handed over to a new application, and is in the caches of both nodes. */
    async function signedInTo(key: string) {
      const [first] = nodes.urls as [string, string]
      const admin = await registerAt(first)
      await nodes.database.query(`UPDATE users SET user_type = 'superadmin' WHERE id = $1`, [admin.id])
      const headers = { 'x-session-id': admin.sessionToken }
      const origin = `https://${key}.test`
      const body = { key, name: key, kind: 'website', return_addresses: [origin] }
      const { id } = (await call(`${first}/auth/admin/applications`, { body, headers })).json.data
      const { code, verifier, returnTo } = await storedCode(nodes.database, admin.sessionToken, `${origin}/`)
      const redeemed = await call(`${first}/auth/bridge/redeem`, {
        body: { code, code_verifier: verifier, return_to: returnTo },
        headers: { 'x-bridge-secret': bridgeSecret },
      })
      assert.equal(redeemed.status, 200)
      const { sessionId } = redeemed.json
      for (const url of [...nodes.urls, ...nodes.urls]) assert.equal((await validateAt(url, sessionId)).status, 200)
      const disable = () => call(`${first}/auth/admin/applications/${id}/disable`, { method: 'POST', headers })
      return { id, sessionId, disable }
    }
    async function delayUntilRejected(url: string, sessionToken: string, committedAt: number): Promise<number> {
      while ((await validateAt(url, sessionToken)).status !== 401) {
        assert.ok(performance.now() - committedAt < 10 * bound, `${url} has not noticed the change`)
        await sleep(5)
      }
      return performance.now() - committedAt
    }

    test('end at once on the node that disabled it, and within a second on the other', async (t) => {
      const delays: number[] = []
      for (let round = 0; round < rounds; round++) {
        const { sessionId, disable } = await signedInTo(`api-${round}`)
        assert.equal((await disable()).status, 200)
        const committedAt = performance.now()
        assert.equal((await validateAt(nodes.urls[0]!, sessionId)).status, 401)
        delays.push(await delayUntilRejected(nodes.urls[1]!, sessionId, committedAt))
      }
      t.diagnostic(`at most ${Math.max(...delays).toFixed(0)} ms`)
      assert.ok(Math.max(...delays) <= bound, `${delays.map(Math.round)}`)
    })

    test('end within a second if the application is disabled by hand, even for a moment', async (t) => {
      const delays: number[] = []
      for (let round = 0; round < rounds; round++) {
        const { id, sessionId } = await signedInTo(`hand-${round}`)
        for (const isEnabled of [false, true])
          await nodes.database.query('UPDATE applications SET is_enabled = $1 WHERE id = $2', [isEnabled, id])
        const committedAt = performance.now()
        delays.push(...(await Promise.all(nodes.urls.map((url) => delayUntilRejected(url, sessionId, committedAt)))))
      }
      t.diagnostic(`at most ${Math.max(...delays).toFixed(0)} ms`)
      assert.ok(Math.max(...delays) <= bound, `${delays.map(Math.round)}`)
    })
  })
