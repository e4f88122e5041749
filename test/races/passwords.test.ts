import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { newId } from '../../src/lib/ids.ts'
import { call, loginAt, type Nodes, needsPostgres, newAddress, registerAt, startNodes, tally } from '../nodes/nodes.ts'
import { raceRounds, releaseTogether } from '../support/races.ts'

const scheduledJobs = raceRounds(10)
const chosen = (round: number, index: number) => `a tape without end ${round} ${index}`

describe('new passwords at one instant on two nodes', needsPostgres, () => {
  let nodes: Nodes
  before(async () => {
    nodes = await startNodes(2, { RATE_LIMIT_REGISTRATION: '1000/1h', HASH_QUEUE: '256' })
  })
  after(() => nodes?.stop())

  const url = (index: number) => nodes.urls[index % 2]!

  /** Inserts a link as the service would. The database contains only its hash. */
  async function linkFor({ id, email }: { id: string; email: string }): Promise<string> {
    const token = randomBytes(32).toString('base64url')
    await nodes.database.query(
      `INSERT INTO one_time_secrets (id, purpose, secret_hash, user_id, target, created_at, expires_at)
        VALUES ($1, 'password_reset', $2, $3, $4, now(), now() + interval '1 hour')`,
      [newId(), createHash('sha256').update(token).digest(), id, email],
    )
    return token
  }

  const reset = (token: string, password: string, index: number) => ({
    method: 'POST',
    url: `${url(index)}/auth/password-reset/${index % 4 < 2 ? 'complete' : 'reset'}`,
    headers: { 'x-forwarded-for': newAddress() },
    body: { token, password },
  })

  const traces = async (event: string, id: string) => {
    const text = 'SELECT count(*)::int AS count FROM audit_events WHERE event = $1 AND target_id = $2'
    return (await nodes.database.query<{ count: number }>(text, [event, id]))[0]?.count
  }

  test('one reset link, 32 uses with different passwords: one is set, and that one signs in', async () => {
    const ada = await registerAt(url(0))
    for (let round = 0; round < scheduledJobs; round++) {
      const token = await linkFor(ada)
      const replies = await releaseTogether(
        Array.from({ length: 32 }, (_, index) => reset(token, chosen(round, index), index)),
      )
      assert.deepEqual(tally(replies), { 200: 1, 400: 31 })
      for (const { body } of replies.filter(({ status }) => status === 400))
        assert.equal(JSON.parse(body).code, 'INVALID_TOKEN')
      const winner = replies.findIndex(({ status }) => status === 200)
      assert.equal((await loginAt(url(round), { ...ada, password: chosen(round, winner) })).status, 200)
    }
    assert.equal(await traces('reset_completed', ada.id), scheduledJobs)
  })

  test('the current password, 16 uses of one session with different new ones: one is set', async () => {
    const ada = await registerAt(url(0))
    let current = ada.password
    for (let round = 0; round < 3; round++) {
      const replies = await releaseTogether(
        Array.from({ length: 16 }, (_, index) => ({
          method: 'POST',
          url: `${url(index)}/auth/password-change/self`,
          headers: { 'x-session-id': ada.sessionToken, 'x-forwarded-for': newAddress() },
          body: { current_password: current, new_password: chosen(round, index) },
        })),
      )
      const counts = tally(replies)
      assert.equal(counts[200], 1, JSON.stringify(counts))
      // The other requests fail because the first one changed the password or because no attempts are left.
      assert.equal((counts[400] ?? 0) + (counts[429] ?? 0), 15)
      current = chosen(
        round,
        replies.findIndex(({ status }) => status === 200),
      )
      await nodes.database.query('DELETE FROM account_counters')
      assert.equal((await loginAt(url(round), { ...ada, password: current })).status, 200)
    }
    assert.equal(await traces('password_changed', ada.id), 3)
  })

  test('a reset against a change by an old session and sign-ins: never an error, and no session outlives the reset', async () => {
    for (let round = 0; round < scheduledJobs; round++) {
      const ada = await registerAt(url(round))
      const token = await linkFor(ada)
      const headers = () => ({ 'x-forwarded-for': newAddress() })
      const change = { current_password: ada.password, new_password: chosen(round, 99) }
      const replies = await releaseTogether([
        reset(token, chosen(round, 1), 0),
        {
          method: 'POST',
          url: `${url(1)}/auth/password-change/self`,
          headers: { ...headers(), 'x-session-id': ada.sessionToken },
          body: change,
        },
        ...[0, 1].map((index) => ({
          method: 'POST',
          url: `${url(index)}/auth/login`,
          headers: headers(),
          body: { email: ada.email, password: ada.password },
        })),
      ])
      assert.ok(
        replies.every(({ status }) => status < 500),
        JSON.stringify(tally(replies)),
      )
      const [won, changed] = replies
      const password = won?.status === 200 ? chosen(round, 1) : chosen(round, 99)
      assert.equal([won, changed].filter((reply) => reply?.status === 200).length, 1)
      assert.equal((await loginAt(url(round), { ...ada, password })).status, 200)
      if (won?.status !== 200) continue
      const opened = replies
        .slice(2)
        .flatMap(({ status, body }) => (status === 200 ? [JSON.parse(body).sessionId] : []))
      for (const sessionToken of [ada.sessionToken, ...opened]) {
        const later = await call(`${url(1)}/auth/validation`, {
          method: 'POST',
          headers: { 'x-session-id': sessionToken },
        })
        assert.equal(later.status, 401)
      }
    }
  })
})
