import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { newId } from '../../src/lib/ids.ts'
import { day, minute, second } from '../../src/lib/time.ts'
import { call, loginAt, type Nodes, needsPostgres, registerAt, startNodes, validateAt } from './nodes.ts'

describe('nodes whose clocks are ten minutes fast and ten minutes slow', needsPostgres, () => {
  let nodes: Nodes
  before(async () => {
    const preload = new URL('./shift-clock.ts', import.meta.url).href
    nodes = await startNodes(2, (node) => ({
      SESSION_IDLE_TTL: '5m',
      SESSION_VALIDATION_CACHE_TTL: '0s',
      NODE_OPTIONS: `--import=${preload}`,
      TEST_CLOCK_SHIFT: String(node === 0 ? 10 * minute : -10 * minute),
    }))
  })
  after(() => nodes?.stop())

  const isNear = (time: number, expected: number) =>
    assert.ok(Math.abs(time - expected) < 2 * second, `${time - expected}`)

  test('say when a session ends, and when a limit does, by the clock of the database', async () => {
    for (const url of nodes.urls) {
      const ada = await registerAt(url)
      const { json, headers } = await loginAt(url, ada)
      isNear(Date.parse(json.expires_at), Date.now() + 5 * minute)
      isNear(Number(headers.get('x-ratelimit-reset')) * second, Date.now() + 15 * minute)
      const [kept] = await nodes.database.query<{ age: number }>(
        'SELECT extract(epoch FROM now() - created_at)::float8 AS age FROM sessions WHERE user_id = $1',
        [ada.id],
      )
      isNear(kept!.age * second, 0)
    }
  })

  test('end sessions and links within two seconds of the truth', async () => {
    const { query } = nodes.database
    for (const url of nodes.urls) {
      for (const [age, status] of [
        [5 * minute - 2 * second, 200],
        [5 * minute + 2 * second, 401],
      ] as const) {
        // A node records the last use of a session up to a second after the use, so each age has its own session.
        const ada = await registerAt(url)
        await query(`UPDATE sessions SET last_used_at = now() - $2 * interval '1 millisecond' WHERE user_id = $1`, [
          ada.id,
          age,
        ])
        assert.equal((await validateAt(url, ada.sessionToken)).status, status)
      }
      const ada = await registerAt(url)
      for (const [rest, status] of [
        [2 * second, 200],
        [-2 * second, 400],
      ] as const) {
        const token = randomBytes(32).toString('base64url')
        await query(
          `INSERT INTO one_time_secrets (id, purpose, secret_hash, user_id, target, created_at, expires_at)
            VALUES ($1, 'verify_email', $2, $3, $4, now(), now() + $5 * interval '1 millisecond')`,
          [newId(), createHash('sha256').update(token).digest(), ada.id, ada.email, rest],
        )
        assert.equal((await call(`${url}/auth/token/verify`, { body: { token } })).status, status)
      }
    }
  })

  test('the cookie of a session lives as long as the session', async () => {
    for (const url of nodes.urls) {
      const reply = await loginAt(url, await registerAt(url))
      const maxAge = Number(/session_id=[^;]+;.*?Max-Age=(\d+)/.exec(reply.headers.get('set-cookie') ?? '')?.[1])
      isNear(maxAge * second, 30 * day)
    }
  })
})
