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
import { raceRounds, releaseTogether } from '../support/races.ts'

interface Move {
  method: string
  path: string
  body?: object
}

describe('categories, tags and what is counted under them at one instant', needsPostgres, () => {
  let nodes: Nodes
  let admin: Registered
  before(async () => {
    const env = { MODULES_AUTO_INSTALL: 'blog', BLOG_ENABLED: 'true', RATE_LIMIT_ADMIN: '10000/1m' }
    nodes = await startNodes(2, env)
    admin = await registerAt(nodes.urls[0] as string)
    await nodes.database.query("UPDATE users SET user_type = 'admin'", [])
  })
  after(() => nodes?.stop())

  const together = (moves: Move[]) =>
    releaseTogether(
      moves.map(({ method, path, body }, index) => ({
        method,
        url: `${nodes.urls[index % 2]}/api/v1/posts${path}`,
        headers: { 'x-session-id': admin.sessionToken, 'x-forwarded-for': newAddress() },
        body,
      })),
    )
  const create = async (path: string, body: object): Promise<string> => {
    const [reply] = await together([{ method: 'POST', path, body }])
    assert.equal(reply?.status, 200, reply?.body ?? '')
    return JSON.parse(reply.body).data.id
  }

  test('a ring of moves closes never, and one name is one tag', async () => {
    for (let round = 0; round < raceRounds(3); round++) {
      const ids = await Promise.all([0, 1, 2, 3].map((at) => create('/categories', { name: `Ring ${round} ${at}` })))
      const moves = ids.map((id, at) => ({
        method: 'PUT',
        path: `/categories/${id}`,
        body: { parent_id: ids[(at + 1) % ids.length] },
      }))
      assert.deepEqual(tally(await together(moves)), { 200: 3, 400: 1 })
      const names = Array.from({ length: 8 }, (_, at) => ({
        method: 'POST',
        path: '/tags',
        body: { name: at % 2 ? `Same ${round}` : `SAME ${round}` },
      }))
      assert.deepEqual(tally(await together(names)), { 200: 1, 409: 7 })
    }
  })

  test('counts stay true while posts come, go and change, and are summed up meanwhile', async () => {
    const [one, two] = [await create('/categories', { name: 'One' }), await create('/categories', { name: 'Two' })]
    const ids = await Promise.all(
      Array.from({ length: 8 }, () => create('', { title: 'Race', body: 'x', category_ids: [one] })),
    )
    const moves = ids.flatMap((id, at) => [
      { method: 'POST', path: `/${id}/publish` },
      { method: 'PUT', path: `/${id}`, body: { category_ids: at % 2 ? [one, two] : [two] } },
      ...(at % 4 ? [] : [{ method: 'DELETE', path: `/${id}` }]),
    ])
    const [replies] = await Promise.all([together(moves), deleteSoon(two)])
    assert.ok(
      replies.every(({ status }) => status < 500),
      JSON.stringify(tally(replies)),
    )
    const kept = () =>
      nodes.database.query(
        `SELECT facet, key, lang, visibility, post_type, sum(posts)::int AS posts FROM post_counts
         WHERE facet <> 'category' OR key IN (SELECT id::text FROM post_categories)
         GROUP BY 1, 2, 3, 4, 5 HAVING sum(posts) <> 0 ORDER BY 1, 2, 3, 4, 5`,
        [],
      )
    const links = () =>
      nodes.database.query(
        `SELECT post_id, category_id, visibility, live_from FROM post_category_links ORDER BY post_id, category_id`,
        [],
      )
    const before = [await kept(), await links()]
    await nodes.database.query('SELECT recount_posts()', [])
    assert.deepEqual([await kept(), await links()], before)
  })

  const deleteSoon = (id: string) => together([{ method: 'DELETE', path: `/categories/${id}` }])
})
