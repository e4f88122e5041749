import assert from 'node:assert/strict'
import { after, before, describe, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { SessionSource } from '../../packages/server/src/session.ts'
import { sessionSource } from '../../packages/server/src/session-source.ts'
import { eventually } from '../support/eventually.ts'
import { type FaultProxy, startFaultProxy } from '../support/fault-proxy.ts'
import { fixedWait } from '../support/fixed-wait.ts'
import { freePort } from '../support/free-port.ts'
import { findNginx, noNginx, startNginx } from '../support/proxies.ts'
import { bridgeSecret, call, type Nodes, needsPostgres, type Registered, registerAt, startNodes } from './nodes.ts'

/** In milliseconds. When a back end serves a session from memory, it knows all revocations older than this. */
const bound = 900
/** The tolerance for request time and a busy machine, in milliseconds. */
const tolerance = 50

const sourceAt = (t: TestContext, internalUrl: string): SessionSource => {
  const source = sessionSource({ internalUrl, bridgeSecret, fetch, maxSessions: 1_000 })
  t.after(() => source.close())
  return source
}

/** Resolves once the session is served from memory. */
async function untilCached(source: SessionSource, { sessionToken }: Registered): Promise<void> {
  await eventually(async () => {
    if (source.peek(sessionToken) !== 'ask') return true
    await source.validate(sessionToken).catch(() => {})
    return false
  }, 15_000)
}

/** How long the session is served from memory after the call, in milliseconds. */
async function servedFor(source: SessionSource, { sessionToken }: Registered, watchedMs = 3_000): Promise<number> {
  const begun = performance.now()
  let last = 0
  for (; performance.now() - begun < watchedMs; await sleep(2)) {
    const asked = performance.now() - begun
    if (source.peek(sessionToken) !== 'ask') last = asked
  }
  return last
}

const logOut = (url: string, { sessionToken }: Registered) =>
  call(`${url}/auth/logout`, { method: 'POST', headers: { 'x-session-id': sessionToken } })

describe('a back end that keeps sessions in its memory', needsPostgres, () => {
  let nodes: Nodes
  let proxy: FaultProxy
  let [one, two] = ['', '']
  before(async () => {
    nodes = await startNodes(2)
    ;[one, two] = nodes.urls as [string, string]
    proxy = await startFaultProxy(Number(new URL(one).port))
  })
  after(async () => {
    await proxy?.stop()
    await nodes?.stop()
  })

  test('answers from it for as long as they are used, and not for longer', async (t) => {
    const source = sourceAt(t, one)
    const ada = await registerAt(one, 'ada')
    await untilCached(source, ada)
    const outcomes = { memory: 0, asked: 0 }
    for (const end = performance.now() + 8_000; performance.now() < end; await sleep(20)) {
      outcomes[source.peek(ada.sessionToken) === 'ask' ? 'asked' : 'memory']++
      assert.equal((await source.validate(ada.sessionToken))?.user.id, ada.id)
    }
    assert.ok(outcomes.memory > outcomes.asked * 20, JSON.stringify(outcomes))
    await fixedWait(5_200, 'a copy that is not used lasts five seconds of real time')
    assert.equal(source.peek(ada.sessionToken), 'ask')
  })

  test('gives what nobody can change for others', async (t) => {
    const source = sourceAt(t, one)
    const ada = await registerAt(one, 'ada')
    const session = await source.validate(ada.sessionToken)
    assert.throws(() => {
      session!.user.user_type = 'superadmin'
    }, TypeError)
  })

  test('refuses an ended session within milliseconds, and what never was one', async (t) => {
    const source = sourceAt(t, one)
    const people = await Promise.all(Array.from({ length: 20 }, () => registerAt(one)))
    for (const user of people) await untilCached(source, user)
    const delays: number[] = []
    for (const user of people) {
      await untilCached(source, user)
      await logOut(one, user)
      const repliedAt = performance.now()
      while ((await source.validate(user.sessionToken)) !== undefined) await sleep(1)
      delays.push(performance.now() - repliedAt)
    }
    t.diagnostic(`at most ${Math.round(Math.max(...delays))} ms`)
    assert.ok(Math.max(...delays) <= 1_000)
    for (const value of ['', 'x', 'é', 'ses_', 'x'.repeat(10_000)])
      assert.equal(await source.validate(value), undefined)
  })

  test('refuses a session that was ended on another node within a second, without Redis', async (t) => {
    const source = sourceAt(t, one)
    const ada = await registerAt(one, 'ada')
    await untilCached(source, ada)
    await logOut(two, ada)
    const repliedAt = performance.now()
    while ((await source.validate(ada.sessionToken)) !== undefined) await sleep(1)
    const delay = performance.now() - repliedAt
    t.diagnostic(`${Math.round(delay)} ms`)
    assert.ok(delay <= 1_000)
  })

  test('forgets all sessions of a user whose password changes', async (t) => {
    const source = sourceAt(t, one)
    const ada = await registerAt(one, 'ada')
    const { json } = await call(`${one}/auth/login`, { body: { email: ada.email, password: ada.password } })
    await untilCached(source, ada)
    await untilCached(source, { ...ada, sessionToken: json.sessionId })
    const changed = await call(`${one}/auth/password-change/self`, {
      headers: { 'x-session-id': json.sessionId },
      body: { current_password: ada.password, new_password: 'moths around the relay' },
    })
    assert.equal(changed.status, 200)
    await eventually(async () => (await source.validate(ada.sessionToken)) === undefined, 1_000)
  })

  const faults: [string, () => void, () => void][] = [
    [
      'the service stands still',
      () => process.kill(nodes.services[0]!.pid, 'SIGSTOP'),
      () => process.kill(nodes.services[0]!.pid, 'SIGCONT'),
    ],
    ['the connection is half open', () => proxy.blackhole(), () => proxy.heal()],
    ['the connection is lost', () => proxy.cut(), () => proxy.heal()],
    ['everything arrives late', () => proxy.latency(2_000), () => proxy.heal()],
  ]
  for (const [name, begin, end] of faults) {
    test(`serves nothing beyond the bound when ${name}, and then says that it does not know`, async (t) => {
      const source = sourceAt(t, proxy.through(one).replace(/\/$/, ''))
      const ada = await registerAt(one, 'ada')
      await untilCached(source, ada)
      begin()
      try {
        const served = await servedFor(source, ada)
        t.diagnostic(`served for ${Math.round(served)} ms`)
        assert.ok(served <= bound + tolerance, `${served} ms`)
        if (name !== 'everything arrives late') {
          await assert.rejects(source.validate(ada.sessionToken), { code: 'UNAVAILABLE' })
        }
      } finally {
        end()
      }
      await untilCached(source, ada)
    })
  }

  test('serves nothing that a slow connection keeps proving too late', async (t) => {
    proxy.latency(1_000)
    t.after(() => proxy.heal())
    const source = sourceAt(t, proxy.through(one).replace(/\/$/, ''))
    const ada = await registerAt(one, 'ada')
    for (const end = performance.now() + 6_000; performance.now() < end; await sleep(100)) {
      assert.equal(source.peek(ada.sessionToken), 'ask')
      assert.equal((await source.validate(ada.sessionToken))?.user.id, ada.id)
    }
  })

  const proxied = { skip: needsPostgres.skip || (!findNginx() && noNginx) }
  const nginxTo = (port: number, more: string) => () =>
    `server { listen 127.0.0.1:${port}; location / { proxy_pass ${one}; proxy_http_version 1.1; proxy_set_header Connection ""; ${more} } }`

  test('answers from memory behind nginx, which does not buffer what says so', proxied, async (t) => {
    const port = await freePort()
    const nginx = await startNginx(port, nginxTo(port, 'proxy_buffering on;'))
    t.after(() => nginx.stop())
    const source = sourceAt(t, `http://127.0.0.1:${port}`)
    const ada = await registerAt(one, 'ada')
    await untilCached(source, ada)
  })

  test('asks the service behind a proxy that buffers', proxied, async (t) => {
    const port = await freePort()
    const nginx = await startNginx(port, nginxTo(port, 'proxy_buffering on; proxy_ignore_headers X-Accel-Buffering;'))
    t.after(() => nginx.stop())
    const source = sourceAt(t, `http://127.0.0.1:${port}`)
    const ada = await registerAt(one, 'ada')
    for (const end = performance.now() + 5_000; performance.now() < end; await sleep(100)) {
      assert.equal((await source.validate(ada.sessionToken))?.user.id, ada.id)
    }
    await logOut(two, ada)
    await fixedWait(1_000, 'a sign-out reaches every back end within a second')
    assert.equal(source.peek(ada.sessionToken), 'ask')
    assert.equal(await source.validate(ada.sessionToken), undefined)
  })

  test('goes on with another node when its own stops, which is not delayed by the stream', async (t) => {
    const port = await freePort()
    const nginx = await startNginx(port, (): string => {
      const servers = [one, two].map((url) => `server ${new URL(url).host} max_fails=0;`).join(' ')
      return `upstream nodes { ${servers} } server { listen 127.0.0.1:${port}; location / { proxy_pass http://nodes; proxy_http_version 1.1; proxy_set_header Connection ""; proxy_next_upstream error timeout http_503 non_idempotent; } }`
    })
    t.after(() => nginx.stop())
    const source = sourceAt(t, `http://127.0.0.1:${port}`)
    const ada = await registerAt(one, 'ada')
    await untilCached(source, ada)
    const begun = performance.now()
    assert.equal(await nodes.services[0]!.stop(), 0)
    t.diagnostic(`stopped after ${Math.round(performance.now() - begun)} ms`)
    assert.ok(performance.now() - begun < 5_000)
    await untilCached(source, ada)
    await logOut(two, ada)
    await fixedWait(1_000, 'a sign-out reaches every back end within a second')
    assert.equal(await source.validate(ada.sessionToken), undefined)
  })
})
