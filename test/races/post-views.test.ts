import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { call, type Nodes, needsPostgres, newAddress, startNodes } from '../nodes/nodes.ts'
import { raceRounds, releaseTogether } from '../support/races.ts'

describe('views of one post on two nodes at one instant', needsPostgres, () => {
  let nodes: Nodes
  before(async () => {
    nodes = await startNodes(2, { MODULES_AUTO_INSTALL: 'blog:all', BLOG_ENABLED: 'true' })
  })
  after(() => nodes?.stop())

  test('each viewer counts once, none is lost, and all nodes know them by one key', async () => {
    const { query } = nodes.database
    for (let round = 0; round < raceRounds(3); round++) {
      const [post] = await query<{ id: string }>(
        `INSERT INTO posts (id, lang, title, slug, body, status, published_at)
          VALUES (gen_random_uuid(), 'en', 'Post', 'post-${round}', 'words', 'published', now()) RETURNING id`,
      )
      await query('DELETE FROM post_view_secrets')
      const viewers = Array.from({ length: 16 }, newAddress)
      // Each viewer views the post twice, once on each node.
      const replies = await releaseTogether(
        viewers.flatMap((from) =>
          nodes.urls.map((url) => ({
            method: 'POST',
            url: `${url}/api/v1/posts/${post?.id}/view`,
            headers: { 'x-forwarded-for': from, 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0' },
          })),
        ),
      )
      const counted = replies.filter(({ status, body }) => status === 200 && JSON.parse(body).data.counted)
      assert.equal(counted.length, viewers.length)
      const { json } = await call(`${nodes.urls[0]}/api/v1/posts/${post?.id}/stats`)
      assert.equal(json.data.views, viewers.length)
      const [days] = await query<{ views: number }>(
        'SELECT sum(views)::int AS views FROM post_view_days WHERE post_id = $1',
        [post?.id],
      )
      assert.equal(days?.views, viewers.length)
      assert.equal((await query('SELECT day FROM post_view_secrets')).length, 1)
    }
  })
})
