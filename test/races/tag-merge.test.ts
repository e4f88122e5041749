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
import { eventually } from '../support/eventually.ts'
import { raceRounds, releaseTogether } from '../support/races.ts'

interface Step {
  method: string
  path: string
  body?: object
}

describe('tags that are merged while other requests use them', needsPostgres, () => {
  let nodes: Nodes
  let admin: Registered
  before(async () => {
    const limits = { RATE_LIMIT_ADMIN: '10000/1m', RATE_LIMIT_WRITE: '10000/1m' }
    nodes = await startNodes(2, { MODULES_AUTO_INSTALL: 'blog', BLOG_ENABLED: 'true', ...limits })
    admin = await registerAt(nodes.urls[0] as string)
    await nodes.database.query("UPDATE users SET user_type = 'admin'", [])
  })
  after(() => nodes?.stop())

  const together = (steps: Step[]) =>
    releaseTogether(
      steps.map(({ method, path, body }, index) => ({
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
  const tags = <const Names extends readonly string[]>(round: number, ...names: Names) =>
    Promise.all(names.map((name) => create('/tags', { name: `${name} ${round}` }))) as Promise<{
      -readonly [Each in keyof Names]: string
    }>
  const post = (tag_ids: string[], members: object = {}) =>
    create('', { title: 'Race', body: 'x', tag_ids, ...members })
  const merge = (from: string, into: string): Step => ({
    method: 'POST',
    path: `/tags/${from}/merge`,
    body: { into },
  })
  const tagsOf = async (id: string): Promise<string[]> => {
    const rows = await nodes.database.query('SELECT tag_id FROM post_tag_links WHERE post_id = $1 ORDER BY tag_id', [
      id,
    ])
    return (rows as { tag_id: string }[]).map(({ tag_id }) => tag_id)
  }
  /** The stored counts and the columns that links copy from posts must equal a recount. */
  async function assertCounted(): Promise<void> {
    const state = async () => [
      await nodes.database.query(
        `SELECT facet, key, lang, visibility, post_type, sum(posts)::int AS posts FROM post_counts
         WHERE facet <> 'tag' OR key IN (SELECT id::text FROM post_tags)
         GROUP BY 1, 2, 3, 4, 5 HAVING sum(posts) <> 0 ORDER BY 1, 2, 3, 4, 5`,
        [],
      ),
      await nodes.database.query('SELECT * FROM post_tag_links ORDER BY post_id, tag_id', []),
    ]
    const before = await state()
    await nodes.database.query('SELECT recount_posts()', [])
    assert.deepEqual(await state(), before)
  }

  test('of two merges in opposite directions one succeeds, and no post loses its tag', async () => {
    for (let round = 0; round < raceRounds(5); round++) {
      const [one, two] = await tags(round, 'Left', 'Right')
      const ids = await Promise.all([post([one]), post([two]), post([one, two])])
      const replies = await together([merge(one, two), merge(two, one)])
      const [first, second] = replies.map(({ status }) => status)
      assert.ok(first === 200 ? second === 400 || second === 404 : second === 200, JSON.stringify(tally(replies)))
      const left = first === 200 ? two : one
      for (const id of ids) assert.deepEqual(await tagsOf(id), [left])
    }
    await assertCounted()
  })

  test('a chain of merges leaves every post with exactly one of the tags', async () => {
    for (let round = 0; round < raceRounds(5); round++) {
      const [one, two, three] = await tags(round, 'First', 'Second', 'Third')
      const ids = await Promise.all([post([one]), post([two]), post([three])])
      const replies = await together([merge(one, two), merge(two, three)])
      assert.ok(
        replies.every(({ status }) => status < 500),
        JSON.stringify(tally(replies)),
      )
      for (const id of ids) assert.equal((await tagsOf(id)).length, 1)
    }
    await assertCounted()
  })

  test('a post that is saved with the merged tag is refused, or gets the other tag', async () => {
    for (let round = 0; round < raceRounds(10); round++) {
      const [from, into] = await tags(round, 'From', 'Into')
      const ids = await Promise.all(Array.from({ length: 6 }, () => post([])))
      const replies = await together([
        merge(from, into),
        ...ids.map((id) => ({ method: 'PUT', path: `/${id}`, body: { tag_ids: [from] } })),
      ])
      assert.equal(replies[0]?.status, 200, replies[0]?.body ?? '')
      for (const [at, id] of ids.entries()) {
        const { status, body } = replies[at + 1] ?? { status: 0, body: 'no reply' }
        assert.ok(status === 200 || status === 400, body)
        assert.deepEqual(await tagsOf(id), status === 200 ? [into] : [])
      }
    }
    await assertCounted()
  })

  /** Merges while another transaction that has run this statement is not committed yet. */
  async function mergeDuring(statement: string, values: string[], [from, into]: [string, string]) {
    const saving = await nodes.database.connect()
    await saving.query('BEGIN')
    await saving.query(statement, values)
    const merging = together([merge(from, into)])
    const waiting = "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
    await eventually(async () => (await nodes.database.query(waiting)).length > 0)
    await saving.query('COMMIT')
    const [reply] = await merging
    assert.equal(reply?.status, 200, reply?.body ?? '')
    return JSON.parse(reply.body).data
  }

  test('a merge waits for a transaction that has added the tag to a post', async () => {
    const [from, into] = await tags(0, 'Added', 'Remaining')
    const id = await post([])
    const adding = 'INSERT INTO post_tag_links (post_id, tag_id) VALUES ($1, $2)'
    const { posts } = await mergeDuring(adding, [id, from], [from, into])
    assert.equal(posts, 1)
    assert.deepEqual(await tagsOf(id), [into])
    await assertCounted()
  })

  test('a merge waits for a transaction that is changing the visibility of a post with the tag', async () => {
    const [from, into] = await tags(1, 'Added', 'Remaining')
    const id = await post([from], { status: 'published' })
    await mergeDuring("UPDATE posts SET visibility = 'private' WHERE id = $1", [id], [from, into])
    assert.deepEqual(await tagsOf(id), [into])
    await assertCounted()
  })

  test('links copied by a merge have the visibility and the state of posts that change at the same time', async () => {
    for (let round = 0; round < raceRounds(10); round++) {
      const [from, into] = await tags(round, 'Old', 'New')
      const ids = await Promise.all(Array.from({ length: 6 }, () => post([from])))
      const replies = await together([
        ...ids.map((id, at) =>
          at % 2
            ? { method: 'POST', path: `/${id}/publish` }
            : { method: 'PUT', path: `/${id}`, body: { visibility: 'private', status: 'published' } },
        ),
        merge(from, into),
      ])
      assert.deepEqual(tally(replies), { 200: 7 })
      for (const id of ids) assert.deepEqual(await tagsOf(id), [into])
    }
    await assertCounted()
  })
})
