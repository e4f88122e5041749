import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import {
  type Nodes,
  needsPostgres,
  newAddress,
  type Registered,
  registerAt,
  startNodes,
  tally,
} from '../nodes/nodes.ts'
import { type RaceReply, releaseTogether } from '../support/races.ts'

describe('superadmins who remove each other at one instant on two nodes', needsPostgres, () => {
  let nodes: Nodes
  let people: Registered[]
  before(async () => {
    nodes = await startNodes(2, { RATE_LIMIT_ADMIN: '100000/1h', RATE_LIMIT_REGISTRATION: '100000/1h' })
    people = []
    for (let index = 0; index < 32; index++) people.push(await registerAt(nodes.urls[index % 2]!))
  })
  after(() => nodes?.stop())

  /** Makes all users superadmins again without ending their sessions. */
  async function reset(): Promise<void> {
    const { query } = nodes.database
    await query("UPDATE users SET user_type = 'superadmin', deleted_at = NULL, session_epoch = session_epoch + 1")
    await query("UPDATE sessions SET status = 'active', ended_at = NULL, last_used_at = now()")
  }
  const remaining = async () =>
    (await nodes.database.query("SELECT 1 FROM users WHERE user_type = 'superadmin' AND deleted_at IS NULL")).length

  const by = (actor: Registered, index: number) => ({
    base: `${nodes.urls[index % 2]}/auth/admin/users`,
    headers: { 'x-session-id': actor.sessionToken, 'x-forwarded-for': newAddress() },
  })
  const demote = (actor: Registered, target: Registered, index: number) => {
    const { base, headers } = by(actor, index)
    return { method: 'PUT', url: `${base}/${target.id}`, headers, body: { user_type: 'customer' } }
  }
  const remove = (actor: Registered, target: Registered, index: number) => {
    const { base, headers } = by(actor, index)
    return { method: 'DELETE', url: `${base}/${target.id}`, headers }
  }
  function assertClean(replies: RaceReply[]): void {
    const others = replies.filter(({ status }) => ![200, 401, 403].includes(status))
    assert.deepEqual(
      others.map(({ status, body }) => `${status} ${body}`),
      [],
    )
    for (const { status, body } of replies)
      if (status === 403) assert.match(JSON.parse(body).code, /^(FORBIDDEN|LAST_SUPERADMIN)$/)
  }

  for (const [what, act] of [
    ['demotes', demote],
    ['deletes', remove],
    ['demotes or deletes', (...given: Parameters<typeof demote>) => (given[2] % 3 ? demote : remove)(...given)],
  ] as const) {
    test(`everybody ${what} the next one: somebody remains, and every answer is documented`, async (t) => {
      const left: number[] = []
      for (let round = 0; round < 10; round++) {
        await reset()
        const requests = people.map((actor, index) => act(actor, people[(index + 1 + (round % 31)) % 32]!, index))
        const replies = await releaseTogether(requests)
        assertClean(replies)
        left.push(await remaining())
        assert.ok(left.at(-1)! >= 1)
        assert.equal(tally(replies)[200], 32 - left.at(-1)!)
      }
      t.diagnostic(`superadmins left in each round: ${left.join(' ')}`)
    })
  }

  test('all delete themselves: one remains, and is told why', async () => {
    for (let round = 0; round < 5; round++) {
      await reset()
      await nodes.database.query('UPDATE sessions SET proved_at = now()')
      const leave = ({ sessionToken }: Registered, index: number) => ({
        method: 'DELETE',
        url: `${nodes.urls[index % 2]}/auth/user/me`,
        headers: { 'x-session-id': sessionToken, 'x-forwarded-for': newAddress() },
      })
      const replies = await releaseTogether(people.map(leave))
      assert.deepEqual(tally(replies), { 200: 31, 403: 1 })
      assert.equal(await remaining(), 1)
    }
  })

  test('two who demote each other: one of them wins, again and again', async () => {
    const [ada, grace] = [people[0]!, people[1]!]
    for (let round = 0; round < 40; round++) {
      await reset()
      await nodes.database.query("UPDATE users SET user_type = 'customer' WHERE id <> ALL ($1::uuid[])", [
        [ada.id, grace.id],
      ])
      const act = round % 2 ? demote : remove
      const replies = await releaseTogether([act(ada, grace, round), act(grace, ada, round + 1)])
      assertClean(replies)
      assert.equal(await remaining(), 1)
      assert.equal(tally(replies)[200], 1)
    }
  })

  test('two of three superadmins who are demoted by the third and by each other: one remains', async () => {
    const trio = people.slice(0, 3)
    for (let round = 0; round < 20; round++) {
      await reset()
      await nodes.database.query("UPDATE users SET user_type = 'customer' WHERE id <> ALL ($1::uuid[])", [
        trio.map(({ id }) => id),
      ])
      const pairs = trio.flatMap((actor) =>
        trio.filter((other) => other !== actor).map((target) => [actor, target] as const),
      )
      const replies = await releaseTogether(pairs.map(([actor, target], index) => demote(actor, target, index + round)))
      assertClean(replies)
      assert.equal(await remaining(), 1)
    }
  })
})
