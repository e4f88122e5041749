import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { call, type Nodes, needsPostgres, newAddress, registerAt, startNodes } from '../nodes/nodes.ts'
import { releaseTogether } from '../support/races.ts'

const env = { RATE_LIMIT_BULK: '100000/1h', RATE_LIMIT_REGISTRATION: '100000/1h' }

describe('two administrators who change the same users at once on two nodes', needsPostgres, () => {
  let nodes: Nodes
  before(async () => {
    nodes = await startNodes(2, env)
  })
  after(() => nodes?.stop())

  const appoint = async (role: string) => {
    const one = await registerAt(nodes.urls[0]!)
    await nodes.database.query('UPDATE users SET user_type = $2 WHERE id = $1', [one.id, role])
    return one
  }
  const bulk = (node: number, sessionToken: string, body: object) => ({
    method: 'POST',
    url: `${nodes.urls[node]}/auth/admin/users/bulk`,
    headers: { 'x-session-id': sessionToken, 'x-forwarded-for': newAddress() },
    body,
  })
  const resultsOf = ({
    status,
    body,
  }: {
    status: number
    body: string
  }): { id: string; ok: boolean; code?: string }[] => {
    assert.equal(status, 200, body)
    return JSON.parse(body).data.results
  }

  test('each change is made and recorded once, in whatever order the ids are', async () => {
    const [one, other] = [await appoint('superadmin'), await appoint('superadmin')]
    const ids: string[] = []
    for (let count = 0; count < 20; count++) ids.push((await registerAt(nodes.urls[count % 2]!)).id)
    const replies = await releaseTogether([
      bulk(0, one.sessionToken, { action: 'delete', ids }),
      bulk(1, other.sessionToken, { action: 'delete', ids: ids.toReversed() }),
    ])
    for (const reply of replies) assert.ok(resultsOf(reply).every(({ ok }) => ok))
    const deleted = await nodes.database.query<{ target_id: string }>(
      "SELECT target_id FROM audit_events WHERE event = 'user_deleted'",
    )
    assert.deepEqual(deleted.map(({ target_id: id }) => id).toSorted(), ids.toSorted())
  })

  test('two superadmins who demote each other leave one', async () => {
    await nodes.database.query("UPDATE users SET user_type = 'customer' WHERE user_type = 'superadmin'")
    for (let round = 0; round < 5; round++) {
      const [one, other] = [await appoint('superadmin'), await appoint('superadmin')]
      const demote = { action: 'set_role', user_type: 'customer' }
      const replies = await releaseTogether([
        bulk(0, one.sessionToken, { ...demote, ids: [other.id] }),
        bulk(1, other.sessionToken, { ...demote, ids: [one.id] }),
      ])
      const done = replies.filter((reply) => reply.status === 200 && resultsOf(reply)[0]?.ok)
      assert.equal(done.length, 1, JSON.stringify(replies.map(({ body }) => body)))
      const left = await nodes.database.query(
        "UPDATE users SET user_type = 'customer' WHERE user_type = 'superadmin' RETURNING id",
      )
      assert.equal(left.length, 1)
    }
  })

  test('an administrator who loses the role in between changes nobody after that', async () => {
    const [admin, superadmin] = [await appoint('admin'), await appoint('superadmin')]
    const ids: string[] = []
    for (let count = 0; count < 30; count++) ids.push((await registerAt(nodes.urls[count % 2]!)).id)
    const path = `${nodes.urls[1]}/auth/admin/users/${admin.id}`
    const demote = {
      method: 'PUT',
      url: path,
      headers: { 'x-session-id': superadmin.sessionToken },
      body: { user_type: 'customer' },
    }
    const [reply, demoted] = await releaseTogether([
      bulk(0, admin.sessionToken, { action: 'block', ids, reason: 'Spam' }),
      demote,
    ])
    assert.equal(demoted!.status, 200, demoted!.body)
    const results = reply!.status === 200 ? resultsOf(reply!) : []
    const blocked = await nodes.database.query('SELECT user_id FROM user_blocks WHERE user_id = ANY ($1)', [ids])
    assert.equal(blocked.length, results.filter(({ ok }) => ok).length)
    const firstRejection = results.findIndex(({ ok }) => !ok)
    if (firstRejection >= 0) assert.ok(results.slice(firstRejection).every(({ code }) => code === 'INVALID_SESSION'))
    assert.equal(
      (await call(`${nodes.urls[0]}/auth/users`, { headers: { 'x-session-id': admin.sessionToken } })).status,
      401,
    )
  })
})
