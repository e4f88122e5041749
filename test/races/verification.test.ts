import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { newId } from '../../src/lib/ids.ts'
import { type Nodes, needsPostgres, newAddress, registerAt, startNodes, tally } from '../nodes/nodes.ts'
import { raceRounds, releaseTogether } from '../support/races.ts'

describe('one verification link at one instant on two nodes', needsPostgres, () => {
  let nodes: Nodes
  before(async () => {
    nodes = await startNodes(2, { RATE_LIMIT_REGISTRATION: '1000/1h' })
  })
  after(() => nodes?.stop())

  /** Inserts a link as the service would. The database contains only its hash. */
  async function linkFor({ id, email }: { id: string; email: string }): Promise<string> {
    const token = randomBytes(32).toString('base64url')
    await nodes.database.query(
      `INSERT INTO one_time_secrets (id, purpose, secret_hash, user_id, target, created_at, expires_at)
        VALUES ($1, 'verify_email', $2, $3, $4, now(), now() + interval '1 hour')`,
      [newId(), createHash('sha256').update(token).digest(), id, email],
    )
    return token
  }

  /** Uses both HTTP methods that consume a link, on both nodes. */
  const open = (token: string, index: number) => {
    const url = `${nodes.urls[index % 2]}/auth/token/verify`
    const headers = { 'x-forwarded-for': newAddress() }
    return index % 4 < 2
      ? { method: 'POST', url, headers, body: { token } }
      : { method: 'GET', url: `${url}?token=${token}&format=json`, headers }
  }

  test('32 parallel uses: one 200, the others are told that it is not valid, in every round', async () => {
    const ada = await registerAt(nodes.urls[0]!)
    const scheduledJobs = raceRounds(10)
    for (let round = 0; round < scheduledJobs; round++) {
      const token = await linkFor(ada)
      const replies = await releaseTogether(Array.from({ length: 32 }, (_, index) => open(token, index)))
      assert.deepEqual(tally(replies), { 200: 1, 400: 31 })
      const rejections = replies.filter(({ status }) => status === 400)
      for (const { body } of rejections) assert.equal(JSON.parse(body).code, 'INVALID_TOKEN')
    }
    const [user] = await nodes.database.query('SELECT is_verified FROM users WHERE id = $1', [ada.id])
    assert.deepEqual(user, { is_verified: true })
    const traces = "SELECT count(*)::int AS count FROM audit_events WHERE event = 'verify_ok' AND target_id = $1"
    assert.deepEqual(await nodes.database.query(traces, [ada.id]), [{ count: scheduledJobs }])
  })

  test('links of many users at once: each user is verified by their own, and nobody waits for anybody', async () => {
    const people = await Promise.all(Array.from({ length: 16 }, (_, index) => registerAt(nodes.urls[index % 2]!)))
    const tokens = await Promise.all(people.map(linkFor))
    const replies = await releaseTogether([...tokens, ...tokens].map(open))
    assert.deepEqual(tally(replies), { 200: 16, 400: 16 })
  })
})
