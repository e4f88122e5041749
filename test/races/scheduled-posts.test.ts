import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Nodes, needsPostgres, startNodes } from '../nodes/nodes.ts'

const posts = 10_000

describe('posts that are due on two nodes at once', needsPostgres, () => {
  let nodes: Nodes
  before(async () => {
    nodes = await startNodes(2, { MODULES_AUTO_INSTALL: 'blog', BLOG_ENABLED: 'true', BLOG_SCHEDULER_INTERVAL: '5s' })
  })
  after(() => nodes?.stop())

  test('all of them are published within a minute, each with one trace', async (context) => {
    const { query } = nodes.database
    await query(
      `INSERT INTO posts (id, lang, title, slug, body, status, scheduled_at)
        SELECT gen_random_uuid(), 'en', 'Post ' || n, 'post-' || n, repeat('some words ', 20), 'scheduled', now()
        FROM generate_series(1, $1) n`,
      [posts],
    )
    const begin = performance.now()
    const left = () => query<{ count: number }>("SELECT count(*)::int FROM posts WHERE status = 'scheduled'")
    while ((await left())[0]?.count !== 0) {
      assert.ok(performance.now() - begin < 60_000, 'they take too long')
      await sleep(100)
    }
    context.diagnostic(`${posts} posts published within ${Math.round(performance.now() - begin)} ms of being due`)
    const [found] = await query<Record<string, number>>(`SELECT
      count(*)::int AS published, count(DISTINCT details->>'post_id')::int AS posts, count(DISTINCT node)::int AS nodes,
      (SELECT count(*)::int FROM posts WHERE status = 'published' AND scheduled_at IS NULL AND published_at <= now()) AS rows
      FROM audit_events WHERE event = 'post_published'`)
    assert.deepEqual([found?.published, found?.posts, found?.rows], [posts, posts, posts])
    context.diagnostic(`nodes that took part: ${found?.nodes}`)
  })
})
