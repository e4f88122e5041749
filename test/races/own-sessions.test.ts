import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { call, loginAt, type Nodes, needsPostgres, newAddress, registerAt, startNodes, tally } from '../nodes/nodes.ts'
import { releaseTogether } from '../support/races.ts'

describe('own sessions that are ended at one instant on two nodes', needsPostgres, () => {
  let nodes: Nodes
  before(async () => {
    nodes = await startNodes(2)
  })
  after(() => nodes?.stop())

  const end = (sessionToken: string, index: number, id = '') => ({
    method: 'DELETE',
    url: `${nodes.urls[index % 2]}/auth/sessions${id}`,
    headers: { 'x-session-id': sessionToken, 'x-forwarded-for': newAddress() },
  })
  /** Uses a request that reads the session from the database because the other node's cached session may be stale. */
  const live = async (bearers: string[]): Promise<string[]> => {
    const answers = await Promise.all(
      bearers.map((sessionToken) =>
        call(`${nodes.urls[0]}/auth/validation`, { method: 'POST', headers: { 'x-session-id': sessionToken } }),
      ),
    )
    return bearers.filter((_, index) => answers[index]?.status === 200)
  }

  test('sessions that all end each other leave exactly one, the one that was told so', async () => {
    const ada = await registerAt(nodes.urls[0]!)
    let survivor = ada.sessionToken
    for (let round = 0; round < 20; round++) {
      const more = await Promise.all(
        [0, 1, 2].map(async (index) => (await loginAt(nodes.urls[index % 2]!, ada)).json.sessionId),
      )
      const bearers = [survivor, ...more]
      const replies = await releaseTogether(bearers.map((sessionToken, index) => end(sessionToken, index)))
      assert.deepEqual(tally(replies), { 200: 1, 401: 3 })
      survivor = bearers[replies.findIndex(({ status }) => status === 200)] ?? ''
      assert.deepEqual(await live(bearers), [survivor])
    }
  })

  test('one session is ended once, however often that is asked for', async () => {
    const ada = await registerAt(nodes.urls[0]!)
    await loginAt(nodes.urls[1]!, ada)
    const rows = 'SELECT id FROM sessions WHERE user_id = $1 ORDER BY created_at DESC LIMIT 1'
    const [newest] = await nodes.database.query<{ id: string }>(rows, [ada.id])
    const replies = await releaseTogether(
      Array.from({ length: 32 }, (_, index) => end(ada.sessionToken, index, `/${newest?.id}`)),
    )
    assert.deepEqual(tally(replies), { 200: 1, 404: 31 })
    const events = "SELECT count(*)::int AS n FROM audit_events WHERE event = 'session_ended' AND target_id = $1"
    assert.deepEqual(await nodes.database.query(events, [ada.id]), [{ n: 1 }])
  })
})
