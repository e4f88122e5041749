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
  method?: string
  path: string
  body?: object
}

describe('concurrent changes of one post', needsPostgres, () => {
  let nodes: Nodes
  let writer: Registered
  let another: Registered
  before(async () => {
    const many = { RATE_LIMIT_INTERACT: '10000/1m', RATE_LIMIT_COMMENT: '10000/1m', COMMENTS_REQUIRE_APPROVAL: 'never' }
    nodes = await startNodes(2, { MODULES_AUTO_INSTALL: 'blog:all', BLOG_ENABLED: 'true', ...many })
    ;[writer, another] = [await registerAt(nodes.urls[0] as string), await registerAt(nodes.urls[0] as string)]
    await nodes.database.query("UPDATE users SET user_type = 'writer'", [])
  })
  after(() => nodes?.stop())

  const together = (who: Registered | Registered[], moves: Move[]) =>
    releaseTogether(
      moves.map(({ method = 'POST', path, body }, index) => ({
        method,
        url: `${nodes.urls[index % 2]}/api/v1/posts${path}`,
        headers: {
          'x-session-id': [who].flat()[index % [who].flat().length]!.sessionToken,
          'x-forwarded-for': newAddress(),
        },
        body,
      })),
    )
  const send = async (path: string, body: object, who = writer): Promise<{ id: string }> => {
    const [reply] = await together(who, [{ path, body }])
    assert.equal(reply?.status, 200, reply?.body ?? '')
    return JSON.parse(reply.body).data
  }
  const published = () => send('', { title: 'Race', body: 'x', status: 'published' })
  const count = async (table: string, id: string) =>
    (await nodes.database.query<{ n: number }>(`SELECT count(*)::int AS n FROM ${table} WHERE post_id = $1`, [id]))[0]
      ?.n

  test('32 reactions of one person leave one row at most, and an odd number exactly one', async () => {
    const { id } = await published()
    const likes = (number: number) =>
      Array.from({ length: number }, () => ({ path: `/${id}/reactions`, body: { reaction: 'like' } }))
    assert.deepEqual(tally(await together(writer, likes(32))), { 200: 32 })
    assert.equal(await count('post_reactions', id), 0)
    assert.deepEqual(tally(await together(writer, likes(31))), { 200: 31 })
    assert.equal(await count('post_reactions', id), 1)
    const bookmarks = Array.from({ length: 32 }, () => ({ path: `/${id}/bookmark` }))
    assert.deepEqual(tally(await together(writer, bookmarks)), { 200: 32 })
    assert.equal(await count('post_bookmarks', id), 1)
  })

  test('a new format alone brings back no body that was replaced meanwhile', async () => {
    for (let round = 0; round < raceRounds(10); round++) {
      const { id } = await published()
      const changes = Array.from({ length: 12 }, (_, at) => (at % 3 ? { body_format: 'text' } : { body: 'new' }))
      const replies = await together(
        writer,
        changes.map((body) => ({ method: 'PUT', path: `/${id}`, body })),
      )
      assert.ok(
        replies.every(({ status }) => [200, 409].includes(status)),
        JSON.stringify(tally(replies)),
      )
      const [post] = await nodes.database.query<{ body: string }>('SELECT body FROM posts WHERE id = $1', [id])
      const isWritten = replies.some(({ status }, at) => at % 3 === 0 && status === 200)
      assert.equal(post?.body, isWritten ? 'new' : 'x')
    }
  })

  test('one language is translated once, whoever does it', async () => {
    for (let round = 0; round < raceRounds(5); round++) {
      const { id } = await published()
      const body = { lang: 'es', title: 'Carrera', body: 'x' }
      const replies = await together(
        [writer, another],
        Array.from({ length: 16 }, () => ({ path: `/id/${id}/translations`, body })),
      )
      const created = replies.filter(({ status, body }) => status === 200 && JSON.parse(body).data.created)
      assert.equal(created.length, 1)
      assert.ok(replies.every(({ status }) => status === 200 || status === 403))
      assert.equal(await count('post_translations', id), 1)
    }
  })

  test('a slug of a language is that of one post or one translation', async () => {
    for (let round = 0; round < raceRounds(5); round++) {
      const ids = [await published(), await published(), await published(), await published()].map(({ id }) => id)
      const title = `Una carrera ${round}`
      const replies = await together(writer, [
        ...ids.map((id) => ({ path: `/id/${id}/translations`, body: { lang: 'pt', title } })),
        ...ids.map(() => ({ path: '', body: { lang: 'pt', title } })),
        ...ids.map((id) => ({ method: 'PUT', path: `/${id}`, body: { lang: 'pt', slug: `una-carrera-${round}` } })),
      ])
      assert.ok(
        replies.every(({ status }) => [200, 400, 409].includes(status)),
        JSON.stringify(tally(replies)),
      )
    }
    const twice = await nodes.database.query(
      `SELECT lang, slug FROM (SELECT lang, slug FROM posts UNION ALL SELECT lang, slug FROM post_translations) s
        GROUP BY lang, slug HAVING count(*) > 1`,
      [],
    )
    assert.deepEqual(twice, [])
  })

  test('a reply to a comment that is being deleted hangs on its trace, or is refused', async () => {
    const { id } = await published()
    for (let round = 0; round < raceRounds(10); round++) {
      const root = await send(`/${id}/comments`, { comment_body: 'root' })
      const replies = await together(
        [writer, another],
        [
          { method: 'DELETE', path: `/comments/${root.id}` },
          ...Array.from({ length: 5 }, () => ({
            path: `/${id}/comments`,
            body: { comment_body: 'x', parent_id: root.id },
          })),
        ],
      )
      assert.equal(replies[0]?.status, 200, replies[0]?.body ?? '')
      const taken = replies.slice(1).filter(({ status }) => status === 200)
      assert.ok(replies.slice(1).every(({ status }) => status === 200 || status === 400))
      const rows = await nodes.database.query<{ n: number }>(
        'SELECT count(*)::int AS n FROM post_comments WHERE parent_id = $1',
        [root.id],
      )
      assert.equal(rows[0]?.n, taken.length)
    }
  })
})
