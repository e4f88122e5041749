import assert from 'node:assert/strict'
import { createHash, createHmac, randomBytes } from 'node:crypto'
import { after, before, beforeEach, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { newId } from '../../src/lib/ids.ts'
import {
  bridgeSecret,
  call,
  type Nodes,
  needsPostgres,
  newAddress,
  type Registered,
  registerAt,
  startNodes,
  tally,
} from '../nodes/nodes.ts'
import { raceRounds, releaseTogether } from '../support/races.ts'

const scheduledJobs = raceRounds(10)
const authSecret = randomBytes(32).toString('base64url')
const code = '271828'

interface Secret {
  id: string
  token: string
}

describe('login links and codes at one instant on two nodes', needsPostgres, () => {
  let nodes: Nodes
  let ada: Registered
  before(async () => {
    nodes = await startNodes(2, {
      AUTH_SECRET: authSecret,
      RATE_LIMIT_TOKEN_VALIDATE: '100000/5m',
      RATE_LIMIT_REGISTRATION: '1000/1h',
      TOKEN_LOGIN_AUTO_REGISTER: 'true',
    })
    ada = await registerAt(nodes.urls[0]!)
  })
  after(() => nodes?.stop())
  // A round's rejected requests count as wrong guesses, so the counters are reset.
  beforeEach(() => nodes.database.query('DELETE FROM account_counters'))

  /** Inserts a link and a code as the service would. The database contains only their hashes. */
  async function sent(target: string, userId: string | null): Promise<Secret> {
    const [id, token] = [newId(), randomBytes(32).toString('base64url')]
    const codeHash = createHmac('sha256', authSecret).update(`one-time-code\0${id}.${code}`).digest()
    await nodes.database.query(
      `INSERT INTO one_time_secrets
        (id, purpose, secret_hash, user_id, target, created_at, expires_at, code_hash, code_expires_at)
        VALUES ($1, 'login', $2, $3, $4, now(), now() + interval '15 minutes', $5, now() + interval '10 minutes')`,
      [id, createHash('sha256').update(token).digest(), userId, target, codeHash],
    )
    return { id, token }
  }

  type Presented = Record<string, string>
  const byLink = ({ token }: Secret): Presented => ({ token })
  const byCode = ({ id }: Secret): Presented => ({ token_id: id, code })

  /** Redeems with each route and method on both nodes. */
  const redeem = (presented: Presented, index: number) => {
    const base = nodes.urls[index % 2]
    const headers = { 'x-forwarded-for': newAddress(), 'x-bridge-secret': bridgeSecret }
    const ways = [
      { method: 'POST', url: `${base}/auth/token/login`, body: presented },
      { method: 'POST', url: `${base}/auth/token/validate`, body: presented },
      { method: 'GET', url: `${base}/auth/token/validate?${new URLSearchParams(presented)}` },
    ]
    return { headers, ...ways[Math.floor(index / 2) % ways.length]! }
  }

  const sessionsOf = async (userId: string) =>
    (await nodes.database.query('SELECT 1 FROM sessions WHERE user_id = $1', [userId])).length

  const races: [name: string, presented: (secret: Secret, index: number) => Presented][] = [
    ['the link', byLink],
    ['the code', byCode],
    ['link and code', (secret, index) => (Math.floor(index / 6) % 2 === 0 ? byLink(secret) : byCode(secret))],
  ]
  for (const [name, presented] of races) {
    test(`${name}, 32 times in parallel: one 200 and one session, in every round`, async (t) => {
      for (let round = 0; round < scheduledJobs; round++) {
        await nodes.database.query('DELETE FROM account_counters')
        const before = await sessionsOf(ada.id)
        const secret = await sent(ada.email, ada.id)
        const requests = Array.from({ length: 32 }, (_, index) => redeem(presented(secret, index), index))
        const replies = await releaseTogether(requests)
        assert.deepEqual(tally(replies), { 200: 1, 400: 31 }, `round ${round}`)
        const rejections = replies.filter(({ status }) => status === 400).map(({ body }) => JSON.parse(body).code)
        assert.ok(rejections.every((one) => one === 'INVALID_TOKEN' || one === 'INVALID_CODE'))
        assert.equal(await sessionsOf(ada.id), before + 1)
      }
      t.diagnostic(`${scheduledJobs} rounds of 32, one winner in each`)
    })
  }

  test('wrong codes in parallel get five tries, and not one more', async () => {
    for (let round = 0; round < scheduledJobs; round++) {
      await nodes.database.query('DELETE FROM account_counters')
      const { id } = await sent(ada.email, ada.id)
      const guesses = Array.from({ length: 32 }, (_, index) =>
        redeem({ token_id: id, code: String(300_000 + index) }, index),
      )
      assert.deepEqual(tally(await releaseTogether(guesses)), { 400: 32 })
      const rows = await nodes.database.query('SELECT guesses, used_at FROM one_time_secrets WHERE id = $1', [id])
      assert.deepEqual(rows, [{ guesses: 5, used_at: null }])
      const [right] = await releaseTogether([redeem({ token_id: id, code }, 0)])
      assert.equal(right?.status, 400)
    }
  })

  test('a newcomer is registered once, by one of 32', async () => {
    for (let round = 0; round < scheduledJobs; round++) {
      const email = `newcomer.${round}@example.com`
      const [one, other] = [await sent(email, null), await sent(email, null)]
      const replies = await releaseTogether(
        Array.from({ length: 32 }, (_, index) => redeem(byLink(index % 4 < 2 ? one : other), index)),
      )
      assert.deepEqual(tally(replies), { 200: 1, 400: 31 })
      const users = await nodes.database.query('SELECT is_verified, user_type FROM users WHERE email = $1', [email])
      assert.deepEqual(users, [{ is_verified: true, user_type: 'customer' }])
    }
  })

  test('of many requests at once the newest secret is the only one that works', async () => {
    const requests = Array.from({ length: 10 }, (_, index) => ({
      method: 'POST',
      url: `${nodes.urls[index % 2]}/auth/token/login`,
      headers: { 'x-forwarded-for': newAddress() },
      body: { email: ada.email },
    }))
    assert.deepEqual(tally(await releaseTogether(requests)), { 200: 10 })
    const worked = async () =>
      (await nodes.database.query("SELECT 1 FROM audit_events WHERE event = 'token_sent'")).length === 10
    for (const end = performance.now() + 20_000; !(await worked()) && performance.now() < end; ) await sleep(50)
    assert.ok(await worked())
    const unused = `SELECT 1 FROM one_time_secrets
      WHERE purpose = 'login' AND user_id = $1 AND used_at IS NULL AND created_at > now() - interval '1 minute'
        AND id IN (SELECT (details->>'token')::uuid FROM audit_events WHERE event = 'token_sent')`
    assert.equal((await nodes.database.query(unused, [ada.id])).length, 1)
  })

  test('two people who each sign in over the session of the other do not wait for each other', async () => {
    const grace = await registerAt(nodes.urls[1]!, 'grace')
    const path = (index: number) => ({ method: 'POST', url: `${nodes.urls[index]}/auth/token/login` })
    let bearers = [ada.sessionToken, grace.sessionToken]
    for (let round = 0; round < scheduledJobs; round++) {
      const secrets = [await sent(ada.email, ada.id), await sent(grace.email, grace.id)]
      const start = performance.now()
      const replies = await releaseTogether(
        secrets.map((secret, index) => ({
          ...path(index),
          headers: { 'x-forwarded-for': newAddress(), cookie: `session_id=${bearers[1 - index]}` },
          body: round % 2 === 0 ? byLink(secret) : byCode(secret),
        })),
      )
      // PostgreSQL detects a deadlock only after a second.
      assert.ok(performance.now() - start < 900, `round ${round}`)
      assert.deepEqual(tally(replies), { 200: 2 }, `round ${round}`)
      bearers = replies.map(({ body }) => JSON.parse(body).sessionId)
    }
  })

  test('a link that is used while the session it ends signs out: both are answered, and nobody waits', async () => {
    for (let round = 0; round < scheduledJobs; round++) {
      const grace = await registerAt(nodes.urls[0]!, 'grace')
      const { token } = await sent(grace.email, grace.id)
      const headers = { 'x-forwarded-for': newAddress(), cookie: `session_id=${grace.sessionToken}` }
      const start = performance.now()
      const replies = await releaseTogether([
        { method: 'POST', url: `${nodes.urls[0]}/auth/token/login`, headers, body: { token } },
        { method: 'POST', url: `${nodes.urls[1]}/auth/logout`, headers },
        { method: 'POST', url: `${nodes.urls[1]}/auth/token/login`, headers, body: { token } },
      ])
      assert.ok(performance.now() - start < 900, 'no deadlock had to be resolved')
      assert.deepEqual(
        replies.filter(({ status }) => status === 200 || status === 401 || status === 400).length,
        replies.length,
      )
      const winner = replies.find(({ status, body }) => status === 200 && body.includes('sessionId'))
      const sessionToken = JSON.parse(winner?.body ?? '{}').sessionId
      assert.equal((await call(`${nodes.urls[1]}/auth/me`, { headers: { 'x-session-id': sessionToken } })).status, 200)
    }
  })
})
