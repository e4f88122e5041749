import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { needsBoth, needsPostgres, newAddress, redisUrl, registerAt, startNodes, tally } from '../nodes/nodes.ts'
import { person } from '../support/people.ts'
import { releaseTogether } from '../support/races.ts'

describe('guesses at one instant on two nodes', () => {
  async function start(t: TestContext, settings: Record<string, string>) {
    const nodes = await startNodes(2, { RATE_LIMIT_LOGIN: '5/15m', ...settings })
    t.after(nodes.stop)
    const guess = (login: object, index: number, from: string) => ({
      method: 'POST',
      url: `${nodes.urls[index % 2]}/auth/login`,
      headers: { 'x-forwarded-for': from },
      body: { password: 'not the password', ...login },
    })
    return { nodes, guess }
  }

  for (const [store, needs, settings] of [
    ['PostgreSQL', needsPostgres, {}],
    ['Redis', needsBoth, { REDIS_URL: redisUrl }],
  ] as const) {
    test(`50 from one address, counted in ${store}: five are looked at, the others are refused`, needs, async (t) => {
      const { nodes, guess } = await start(t, settings)
      for (let round = 0; round < 3; round++) {
        const from = newAddress()
        const guesses = Array.from({ length: 50 }, (_, index) => guess({ email: person().email }, index, from))
        const replies = await releaseTogether(guesses)
        assert.deepEqual(tally(replies), { 401: 5, 429: 45 })
        for (const { status, headers } of replies) {
          assert.equal(headers.get('x-ratelimit-limit'), '5')
          if (status !== 429) continue
          const retryAfter = Number(headers.get('retry-after'))
          assert.ok(retryAfter > 800 && retryAfter <= 900, `${retryAfter}`)
        }
      }
      const { query } = nodes.database
      const looked = "SELECT count(*)::int AS count FROM audit_events WHERE event = 'login_fail'"
      assert.deepEqual(await query(looked), [{ count: 15 }])
      const told = "SELECT count(*)::int AS count FROM audit_events WHERE event = 'rate_limited'"
      assert.deepEqual(await query(told), [{ count: 3 }])
    })
  }

  test(
    '50 at one account from 50 addresses: five are looked at, and the counter has seen them all',
    needsPostgres,
    async (t) => {
      const { nodes, guess } = await start(t, {})
      const ada = await registerAt(nodes.urls[0]!)
      const guesses = Array.from({ length: 50 }, (_, index) =>
        guess(index % 3 ? { email: ada.email } : { user_name: ada.user_name.toUpperCase() }, index, newAddress()),
      )
      const replies = await releaseTogether(guesses)
      assert.deepEqual(tally(replies), { 401: 5, 429: 45 })
      const { query } = nodes.database
      const looked = `SELECT count(*)::int AS count FROM audit_events WHERE event = 'login_fail'
      AND target_id = $1 AND details->>'reason' = 'credentials'`
      assert.deepEqual(await query(looked, [ada.id]), [{ count: 5 }])
      assert.deepEqual(await query('SELECT failures, in_a_row FROM account_counters WHERE failures > 0'), [
        { failures: 50, in_a_row: 5 },
      ])
      const [right] = await releaseTogether([guess(ada, 0, newAddress())])
      assert.equal(right?.status, 429)
    },
  )

  test(
    'right passwords of one account at one instant are all accepted, after wrong ones too',
    needsPostgres,
    async (t) => {
      const { nodes, guess } = await start(t, { ARGON2_TIME: '4' })
      const ada = await registerAt(nodes.urls[0]!)
      for (const wrong of [0, 4]) {
        for (let round = 0; round < 3; round++) {
          for (let count = 0; count < wrong; count++)
            await releaseTogether([guess({ email: ada.email }, count, newAddress())])
          const logins = Array.from({ length: 12 }, (_, index) => guess(ada, index, newAddress()))
          const replies = await releaseTogether(logins)
          assert.deepEqual(tally(replies), { 200: 12 }, `after ${wrong} wrong ones`)
        }
      }
      const left = await nodes.database.query('SELECT failures FROM account_counters WHERE failures > 0')
      assert.deepEqual(left, [], 'nothing is charged or noted any more')
    },
  )

  test(
    'right passwords among wrong ones give nobody more than five evaluations until the first is right',
    needsPostgres,
    async (t) => {
      const { nodes, guess } = await start(t, {})
      const { query } = nodes.database
      const evaluated = `SELECT count(*)::int AS count FROM audit_events WHERE event = 'login_fail'
      AND target_id = $1 AND details->>'reason' = 'credentials'`
      for (let round = 0; round < 5; round++) {
        const ada = await registerAt(nodes.urls[round % 2]!)
        const guesses = Array.from({ length: 40 }, (_, index) =>
          guess(index === 20 ? ada : { email: ada.email }, index, newAddress()),
        )
        const counts = tally(await releaseTogether(guesses))
        const [{ count } = { count: 0 }] = await query<{ count: number }>(evaluated, [ada.id])
        assert.equal(counts[401] ?? 0, count)
        // A correct password resets the failed attempts, so at most five attempts are allowed before it and five after
        // it.
        assert.ok(count <= 5 + 5 * (counts[200] ?? 0), JSON.stringify(counts))
      }
    },
  )
})
