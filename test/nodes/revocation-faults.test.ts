import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type FaultProxy, startFaultProxy } from '../support/fault-proxy.ts'
import { person } from '../support/people.ts'
import { type RedisServer, startRedis } from '../support/redis.ts'
import { call, loginAt, type Nodes, needsBoth, type Registered, registerAt, startNodes, validateAt } from './nodes.ts'

/** The maximum age of a cached session, in milliseconds. After this time, lost commands have no effect. */
const lifetime = 5_000
/** In milliseconds, counted from the response of the node that ended the session. */
const maxDelay = 1_000

/** A request that ends a session, sent with that session or with another of the same user's sessions. */
interface Way {
  name: string
  end(url: string, user: Registered, other: string): ReturnType<typeof call>
}

const withSession = (sessionToken: string) => ({ 'x-session-id': sessionToken })
const ways: Way[] = [
  {
    name: 'logout',
    end: (url, { sessionToken }) => call(`${url}/auth/logout`, { method: 'POST', headers: withSession(sessionToken) }),
  },
  {
    name: 'a new password',
    end: (url, { password }, other) =>
      call(`${url}/auth/password-change/self`, {
        headers: withSession(other),
        body: { current_password: password, new_password: person('grace').password },
      }),
  },
  {
    name: 'the end of all other sessions',
    end: (url, _user, other) => call(`${url}/auth/sessions`, { method: 'DELETE', headers: withSession(other) }),
  },
  {
    name: 'deletion of the user',
    end: (url, { password }, other) =>
      call(`${url}/auth/user/me`, {
        method: 'DELETE',
        headers: withSession(other),
        body: { current_password: password },
      }),
  },
]

describe('a session ended while Redis does not hear of it', needsBoth, () => {
  let redis: RedisServer
  let proxy: FaultProxy
  let nodes: Nodes
  before(async () => {
    redis = await startRedis()
    proxy = await startFaultProxy(Number(new URL(redis.url).port))
    // The node that ends sessions uses the proxy. The other node connects directly.
    nodes = await startNodes(2, (node) => ({ REDIS_URL: node === 0 ? proxy.through(redis.url) : redis.url }))
  })
  after(async () => {
    await nodes?.stop()
    await proxy?.stop()
    await redis?.stop()
  })

  const faults = [
    { name: 'the connection is reset', begin: () => proxy.cut(), end: () => proxy.heal() },
    { name: 'commands are swallowed', begin: () => proxy.blackhole(), end: () => proxy.heal() },
    { name: 'answers are late', begin: () => proxy.latency(150), end: () => proxy.heal() },
    { name: 'Redis is frozen', begin: () => redis.pause(), end: () => redis.resume() },
  ]
  for (const fault of faults) {
    test(`is refused by its node at once and by the other within a second: ${fault.name}`, async (t) => {
      const people = await Promise.all(ways.map(() => openSession()))
      fault.begin()
      const ended = ways.map(async ({ name, end }, index) => {
        const { user, other } = people[index]!
        const reply = await end(nodes.urls[0]!, user, other)
        assert.equal(reply.status, 200, `${name}: ${JSON.stringify(reply.json)}`)
        return performance.now()
      })
      const times = await Promise.all(ended)
      fault.end()
      const served = await Promise.all(people.map(({ user }, index) => probe(user, times[index]!)))
      for (const [index, { here, there }] of served.entries()) {
        const { name } = ways[index]!
        assert.deepEqual(here, [], `${name}: served by the node that ended it`)
        assert.ok(there <= maxDelay, `${name}: served by the other node for ${Math.round(there)} ms`)
      }
      t.diagnostic(`the other node served for at most ${Math.round(Math.max(...served.map(({ there }) => there)))} ms`)
      for (const url of nodes.urls) await untilStoreAnswers(url)
    })
  }

  /** A session that is cached in Redis and in both nodes' memory. */
  async function openSession(): Promise<{ user: Registered; other: string }> {
    const user = await registerAt(nodes.urls[0]!, 'ada')
    const other = (await loginAt(nodes.urls[0]!, user)).json.sessionId
    for (const url of [...nodes.urls, ...nodes.urls])
      assert.equal((await validateAt(url, user.sessionToken)).status, 200)
    return { user, other }
  }

  /**
   * Sends requests to both nodes until all cached sessions have expired. Returns the routes on which the first node
   * accepted the session, and how long the second node accepted it.
   */
  async function probe(user: Registered, endedAt: number) {
    const [first, second] = nodes.urls as [string, string]
    const here: string[] = []
    let there = 0
    while (performance.now() - endedAt < lifetime + 500) {
      const asked = performance.now()
      const [mine, others] = await Promise.all([askAll(first, user), askAll(second, user)])
      here.push(...mine)
      if (others.length > 0) there = asked - endedAt
      await sleep(25)
    }
    return { here, there }
  }

  /** The routes that accepted the session. */
  async function askAll(url: string, user: Registered): Promise<string[]> {
    const headers = withSession(user.sessionToken)
    const replies = await Promise.all([
      validateAt(url, user.sessionToken),
      call(`${url}/auth/me`, { headers }),
      call(`${url}/auth/sessions`, { headers }),
    ])
    return replies.flatMap(({ status, json }, index) => {
      assert.ok(status === 200 || status === 401, `${status} ${JSON.stringify(json)}`)
      return status === 200 ? [`route ${index} from ${json.cacheSource}`] : []
    })
  }

  async function untilStoreAnswers(url: string): Promise<void> {
    while ((await call(`${url}/health/ready`)).json.checks.store !== 'ok') await sleep(50)
  }
})
