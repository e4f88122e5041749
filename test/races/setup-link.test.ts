import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { describe, test } from 'node:test'
import { newId } from '../../src/lib/ids.ts'
import { call, needsPostgres, newAddress, startNodes, tally } from '../nodes/nodes.ts'
import { person } from '../support/people.ts'
import { releaseTogether } from '../support/races.ts'

describe('set-up links at one instant on two nodes', needsPostgres, () => {
  test('two valid links, each used 16 times: one superadmin, and the set-up is closed for good', async (t) => {
    const nodes = await startNodes(2)
    t.after(nodes.stop)
    const { query } = nodes.database
    const tokens = [0, 1].map(() => randomBytes(32).toString('base64url'))
    for (const token of tokens) {
      await query(
        `INSERT INTO one_time_secrets (id, purpose, secret_hash, created_at, expires_at)
          VALUES ($1, 'setup', $2, now(), now() + interval '30 minutes')`,
        [newId(), createHash('sha256').update(token).digest()],
      )
    }
    const setUp = (index: number) => ({
      method: 'POST',
      url: `${nodes.urls[index % 2]}/auth/setup`,
      headers: { 'x-forwarded-for': newAddress() },
      body: {
        token: tokens[Math.floor(index / 2) % 2],
        email: person('grace').email,
        password: person('grace').password,
      },
    })
    const replies = await releaseTogether(Array.from({ length: 32 }, (_, index) => setUp(index)))
    const counts = tally(replies)
    assert.equal(counts[200], 1, JSON.stringify(counts))
    assert.equal((counts[400] ?? 0) + (counts[404] ?? 0), 31)

    assert.equal((await query("SELECT 1 FROM users WHERE user_type = 'superadmin'")).length, 1)
    assert.equal((await query('SELECT 1 FROM users')).length, 1)
    assert.equal((await query("SELECT 1 FROM audit_events WHERE event = 'first_admin_created'")).length, 1)
    await query('DELETE FROM users')
    for (const url of nodes.urls) assert.equal((await call(`${url}/auth/setup?token=${tokens[1]}`)).status, 404)
    assert.equal((await releaseTogether([setUp(0)]))[0]?.status, 404)
  })
})
