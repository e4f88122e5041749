import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import {
  call,
  type Nodes,
  needsPostgres,
  newAddress,
  registerAt,
  startNodes,
  tally,
  validateAt,
} from '../nodes/nodes.ts'
import { releaseTogether } from '../support/races.ts'

describe('a user who signs in while an administrator blocks them on another node', needsPostgres, () => {
  let nodes: Nodes
  before(async () => {
    nodes = await startNodes(2, { RATE_LIMIT_ADMIN: '100000/1h', RATE_LIMIT_REGISTRATION: '100000/1h' })
  })
  after(() => nodes?.stop())

  test('has no session afterwards', async () => {
    const [one, other] = nodes.urls
    const admin = await registerAt(one!)
    await nodes.database.query("UPDATE users SET user_type = 'superadmin' WHERE id = $1", [admin.id])
    const headers = () => ({ 'x-session-id': admin.sessionToken, 'x-forwarded-for': newAddress() })
    for (let round = 0; round < 10; round++) {
      const { id, email, password } = await registerAt(one!)
      const signIn = (index: number) => ({
        method: 'POST',
        url: `${nodes.urls[index % 2]}/auth/login`,
        headers: { 'x-forwarded-for': newAddress() },
        body: { email, password },
      })
      const block = {
        method: 'POST',
        url: `${other}/auth/admin/users/${id}/block`,
        headers: headers(),
        body: { reason: 'Spam' },
      }
      const replies = await releaseTogether([signIn(0), signIn(1), signIn(2), block, signIn(3), signIn(4), signIn(5)])
      assert.equal(replies[3]!.status, 200, replies[3]!.body)
      const counts = tally(replies)
      assert.equal((counts[200] ?? 0) + (counts[403] ?? 0), 7, JSON.stringify(counts))
      const tokens: string[] = replies
        .filter(({ status }, index) => status === 200 && index !== 3)
        .map(({ body }) => JSON.parse(body).sessionId)
      const live = await nodes.database.query<{ id: string }>(
        "SELECT id FROM sessions WHERE user_id = $1 AND status IN ('active', 'pending')",
        [id],
      )
      assert.deepEqual(live, [])
      for (const token of tokens) for (const url of nodes.urls) assert.equal((await validateAt(url, token)).status, 401)
      const unblocked = await call(`${one}/auth/admin/users/${id}/unblock`, { body: {}, headers: headers() })
      assert.equal(unblocked.status, 200)
    }
  })
})
