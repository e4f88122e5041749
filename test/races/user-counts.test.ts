import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { connectDatabase, type Database } from '../../src/db/connect.ts'
import { sumUpUserCounts } from '../../src/users/stored-count-queries.ts'
import {
  call,
  type Nodes,
  needsPostgres,
  newAddress,
  type Registered,
  registerAt,
  startNodes,
  tally,
} from '../nodes/nodes.ts'
import { person } from '../support/people.ts'
import { raceRounds, releaseTogether } from '../support/races.ts'

describe('the number of users while they come, change and go on two nodes', needsPostgres, () => {
  let nodes: Nodes
  let janitor: Database
  let headers: Record<string, string>
  before(async () => {
    nodes = await startNodes(2, { RATE_LIMIT_ADMIN: '100000/1h', RATE_LIMIT_REGISTRATION: '100000/1h' })
    const { url } = nodes.database
    janitor = await connectDatabase({ url, poolMax: 2, dataDir: undefined, archive: undefined, onDown: () => {} })
    const admin = await registerAt(nodes.urls[0]!)
    await nodes.database.query("UPDATE users SET user_type = 'admin', user_name = 'boss'")
    headers = { 'x-session-id': admin.sessionToken }
  })
  after(async () => {
    await janitor?.close()
    await nodes?.stop()
  })

  const list = async (node: number, query = '') => {
    const { status, json } = await call(`${nodes.urls[node % 2]}/auth/users?limit=100${query}`, { headers })
    assert.equal(status, 200)
    return { total: json.data.pagination.total as number, found: json.data.users.length as number }
  }

  /**
   * Until `work` has finished, repeatedly searches users, merges count rows and erases deleted users. All users fit on
   * one page, so `total` must equal the number of users on it.
   */
  async function whileCounting(work: Promise<unknown>): Promise<number> {
    let isDone = false
    let reads = 0
    const observe = async (node: number) => {
      for (; !isDone; reads++) {
        for (const query of ['', '&user_type=customer']) {
          const { total, found } = await list(node, query)
          assert.equal(total, found)
        }
      }
    }
    const sumUp = async () => {
      while (!isDone) {
        await sumUpUserCounts(janitor.db, 5)
        await nodes.database.query(`DELETE FROM users WHERE id IN (
          SELECT id FROM users WHERE deleted_at IS NOT NULL ORDER BY id FOR UPDATE SKIP LOCKED)`)
      }
    }
    const watching = Promise.all([observe(0), observe(1), sumUp(), sumUp()])
    await work.finally(() => {
      isDone = true
    })
    await watching
    return reads
  }

  const register = (index: number) => ({
    method: 'POST',
    url: `${nodes.urls[index % 2]}/auth/register/public`,
    headers: { 'x-forwarded-for': newAddress() },
    body: person(),
  })
  const change = ({ id }: Registered, method: string, index: number, body?: object) => ({
    method,
    url: `${nodes.urls[index % 2]}/auth/admin/users/${id}`,
    headers: { ...headers, 'x-forwarded-for': newAddress() },
    body,
  })

  test('is the number of the list at any moment, and exact in the end', async (t) => {
    let reads = 0
    for (let round = 0; round < raceRounds(4); round++) {
      await nodes.database.query("DELETE FROM users WHERE user_name <> 'boss'")
      const people = await Promise.all(Array.from({ length: 8 }, (_, index) => registerAt(nodes.urls[index % 2]!)))
      // Concurrent requests: new users register, each existing user's role is changed twice, and every second user is
      // deleted twice.
      const moves = people.flatMap((one, index) => [
        register(index),
        change(one, 'PUT', index, { user_type: 'admin' }),
        change(one, 'PUT', index + 1, { user_type: 'customer' }),
        ...(index % 2 ? [change(one, 'DELETE', index), change(one, 'DELETE', index + 1)] : []),
      ])
      const replies = releaseTogether(moves)
      reads += await whileCounting(replies)
      const statuses = tally(await replies)
      assert.ok(
        Object.keys(statuses).every((status) => status < '500'),
        JSON.stringify(statuses),
      )
      const counted = await nodes.database.query(`SELECT user_type, count(*)::int AS users FROM users
        WHERE deleted_at IS NULL GROUP BY 1 ORDER BY 1`)
      const kept = () =>
        nodes.database.query(`SELECT user_type, sum(users)::int AS users FROM user_counts
          GROUP BY 1 HAVING sum(users) <> 0 ORDER BY 1`)
      assert.deepEqual(await kept(), counted)
      await sumUpUserCounts(janitor.db, 10_000)
      assert.deepEqual(await kept(), counted)
    }
    t.diagnostic(`${reads} pairs of reads meanwhile`)
  })

  test('keeps nobody waiting: a registration goes on while another one, or the summing-up, is not yet committed', async () => {
    const other = await nodes.database.connect()
    await other.query(`BEGIN; LOCK TABLE user_counts IN SHARE UPDATE EXCLUSIVE MODE;
      INSERT INTO users (id, email, user_name, created_at, updated_at)
      VALUES (gen_random_uuid(), 'slow@example.org', 'slow', now(), now())`)
    const { total } = await list(0)
    await registerAt(nodes.urls[1]!)
    assert.equal((await list(1)).total, total + 1)
    await other.query('COMMIT')
    assert.equal((await list(0)).total, total + 2)
  })
})
