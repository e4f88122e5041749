import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Nodes, needsPostgres, newAddress, registerAt, startNodes, validateAt } from '../nodes/nodes.ts'
import { eventually } from '../support/eventually.ts'
import { raceRounds, releaseTogether } from '../support/races.ts'

describe('superadmins who act as users on two nodes', needsPostgres, () => {
  let nodes: Nodes
  before(async () => {
    nodes = await startNodes(2, { RATE_LIMIT_ADMIN: '100000/1h', RATE_LIMIT_REGISTRATION: '100000/1h' })
  })
  after(() => nodes?.stop())

  const headers = (sessionToken: string) => ({ 'x-session-id': sessionToken, 'x-forwarded-for': newAddress() })
  async function superadmin() {
    const user = await registerAt(nodes.urls[0]!)
    await nodes.database.query("UPDATE users SET user_type = 'superadmin' WHERE id = $1", [user.id])
    return user
  }
  const start = (sessionToken: string, target: string, index: number) => ({
    method: 'POST',
    url: `${nodes.urls[index % 2]}/auth/admin/users/${target}/impersonate`,
    headers: headers(sessionToken),
    body: { reason: 'A race' },
  })
  const live = (userId: string) =>
    nodes.database.query<{ impersonated_by: string }>(
      `SELECT impersonated_by FROM sessions WHERE user_id = $1 AND impersonated_by IS NOT NULL
        AND status IN ('active', 'pending') ORDER BY impersonated_by`,
      [userId],
    )

  test('have no session of the user after they lose the role at the same time', async () => {
    const other = await superadmin()
    for (let round = 0; round < raceRounds(10); round++) {
      const [admin, ada] = [await superadmin(), await registerAt(nodes.urls[0]!)]
      const demotion = {
        method: 'PUT',
        url: `${nodes.urls[1]}/auth/admin/users/${admin.id}`,
        headers: headers(other.sessionToken),
        body: { user_type: 'customer' },
      }
      const starts = [0, 1, 2, 3].map((index) => start(admin.sessionToken, ada.id, index))
      const replies = await releaseTogether([...starts.slice(0, 2), demotion, ...starts.slice(2)])
      assert.equal(replies[2]!.status, 200, replies[2]!.body)
      for (const { status, body } of replies) assert.ok([200, 401, 403].includes(status), body)
      assert.deepEqual(await live(ada.id), [])
      const tokens = replies.filter(({ status }, index) => status === 200 && index !== 2)
      for (const { body } of tokens)
        for (const url of nodes.urls)
          await eventually(async () => (await validateAt(url, JSON.parse(body).sessionId)).status === 401)
      assert.equal((await validateAt(nodes.urls[0]!, ada.sessionToken)).status, 200)
    }
  })

  test('act as the same user independently of each other', async () => {
    const [one, two] = [await superadmin(), await superadmin()]
    for (let round = 0; round < raceRounds(5); round++) {
      const ada = await registerAt(nodes.urls[0]!)
      const replies = await releaseTogether([start(one.sessionToken, ada.id, 0), start(two.sessionToken, ada.id, 1)])
      assert.deepEqual(
        replies.map(({ status }) => status),
        [200, 200],
      )
      const [first, second] = replies.map(({ body }) => JSON.parse(body).sessionId as string)
      assert.equal((await live(ada.id)).length, 2)
      const stop = {
        method: 'POST',
        url: `${nodes.urls[1]}/auth/impersonation/stop`,
        headers: headers(first!),
        body: {},
      }
      assert.equal((await releaseTogether([stop]))[0]!.status, 200)
      assert.deepEqual(await live(ada.id), [{ impersonated_by: two.id }])
      assert.equal((await validateAt(nodes.urls[0]!, second!)).status, 200)
    }
  })

  test('lose the session on the other node within a second when their own session ends', async () => {
    const [admin, ada] = [await superadmin(), await registerAt(nodes.urls[0]!)]
    const [started] = await releaseTogether([start(admin.sessionToken, ada.id, 0)])
    const token: string = JSON.parse(started!.body).sessionId
    for (const url of nodes.urls) assert.equal((await validateAt(url, token)).status, 200)
    const logout = {
      method: 'POST',
      url: `${nodes.urls[0]}/auth/logout`,
      headers: headers(admin.sessionToken),
      body: {},
    }
    assert.equal((await releaseTogether([logout]))[0]!.status, 200)
    assert.equal((await validateAt(nodes.urls[0]!, token)).status, 401)
    const ended = performance.now()
    await eventually(async () => (await validateAt(nodes.urls[1]!, token)).status === 401)
    assert.ok(performance.now() - ended < 1_500, 'the other node accepted the session for too long')
  })
})
