import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { call, type Nodes, needsPostgres, newAddress, registerAt, startNodes, tally } from '../nodes/nodes.ts'
import { type RaceRequest, raceRounds, releaseTogether } from '../support/races.ts'

const types = '/api/v1/post-types'
const posts = '/api/v1/posts'

describe('post types under many requests at one instant', needsPostgres, () => {
  let nodes: Nodes
  let admin: Record<string, string>
  before(async () => {
    nodes = await startNodes(2, {
      MODULES_AUTO_INSTALL: 'blog:all,post-types:all',
      BLOG_ENABLED: 'true',
      POST_TYPES_ENABLED: 'true',
      RATE_LIMIT_ADMIN: '100000/1h',
    })
    admin = (await signedIn('admin')).headers
  })
  after(() => nodes?.stop())

  async function signedIn(role: string) {
    const { id, sessionToken } = await registerAt(nodes.urls[0]!)
    await nodes.database.query('UPDATE users SET user_type = $1 WHERE id = $2', [role, id])
    return { id, headers: { 'x-session-id': sessionToken } }
  }
  const at = (index: number, path: string) => `${nodes.urls[index % 2]}${path}`
  const request = (index: number, path: string, body: object, headers = admin, method = 'POST'): RaceRequest => ({
    method,
    url: at(index, path),
    headers: { ...headers, 'x-forwarded-for': newAddress() },
    body,
  })
  const define = async (type_key: string, more: object = {}) => {
    const { status, json } = await call(at(0, types), {
      body: { type_key, type_name: type_key, ...more },
      headers: admin,
    })
    assert.equal(status, 200, JSON.stringify(json))
  }
  const count = async (sql: string, values: unknown[]) =>
    Number((await nodes.database.query<{ n: string }>(sql, values))[0]!.n)

  test('a key and a prefix go to one type', async () => {
    for (let round = 0; round < raceRounds(4); round++) {
      const key = `twin-${round}`
      const replies = await releaseTogether(
        Array.from({ length: 16 }, (_, index) => request(index, types, { type_key: key, type_name: 'Twin' })),
      )
      assert.deepEqual(tally(replies), { 200: 1, 409: 15 })
      const prefixes = await releaseTogether(
        Array.from({ length: 8 }, (_, index) =>
          request(index, types, { type_key: `${key}-${index}`, type_name: 'x', slug_prefix: key }),
        ),
      )
      assert.deepEqual(tally(prefixes), { 200: 1, 409: 7 })
    }
  })

  test('an author gets no more posts than a type allows', async () => {
    for (let round = 0; round < raceRounds(3); round++) {
      const key = `few-${round}`
      await define(key, { behaviors: { max_per_author: 3 } })
      const { id, headers } = await signedIn('writer')
      const body = { title: key, body: 'x', post_type: key }
      const replies = await releaseTogether(
        Array.from({ length: 16 }, (_, index) => request(index, posts, body, headers)),
      )
      assert.deepEqual(tally(replies), { 200: 3, 409: 13 })
      assert.equal(await count('SELECT count(*) AS n FROM posts WHERE user_id = $1', [id]), 3)
    }
  })

  test('whoever writes a post of a type that is being deleted gets it, or hears that the type is gone', async () => {
    for (let round = 0; round < raceRounds(6); round++) {
      const key = `leaving-${round}`
      await define(key)
      const { headers } = await signedIn('writer')
      const body = { title: key, body: 'x', post_type: key }
      const path = `${types}/${key}${round % 2 === 0 ? '?reassign_to=post' : ''}`
      const [deleted, ...written] = await releaseTogether([
        request(0, path, {}, admin, 'DELETE'),
        ...Array.from({ length: 12 }, (_, index) => request(index + 1, posts, body, headers)),
      ])
      const made = written.filter(({ status }) => status === 200).length
      for (const { status, body: text } of written.filter((one) => one.status !== 200)) {
        assert.equal(status, 400, text)
        assert.match(text, /"field":"post_type"/)
      }
      const remaining = await count('SELECT count(*) AS n FROM posts WHERE post_type = $1', [key])
      const moved = await count(`SELECT count(*) AS n FROM posts WHERE slug LIKE $1 AND post_type = 'post'`, [
        `${key}%`,
      ])
      if (deleted!.status === 200) assert.deepEqual([remaining, moved], [0, made], deleted!.body)
      else assert.deepEqual([deleted!.status, remaining, moved], [409, made, 0], deleted!.body)
    }
  })

  test('changes of one definition at one instant are all kept, and every node serves the last state', async () => {
    await define('shared')
    const names = Array.from({ length: 12 }, (_, index) => `key_${index}`)
    const replies = await releaseTogether(
      names.map((name, index) => request(index, `${types}/shared`, { behaviors: { [name]: 'x' } }, admin, 'PUT')),
    )
    assert.deepEqual(tally(replies), { 200: 12 })
    for (const index of [0, 1]) {
      const started = performance.now()
      for (;;) {
        const { behaviors } = (await call(at(index, `${types}/shared`))).json.data
        if (names.every((name) => behaviors[name] === 'x')) break
        assert.ok(performance.now() - started < 5_000, JSON.stringify(behaviors))
      }
    }
  })

  test('readers who fill copies while definitions change are never left with an old one', async () => {
    for (let round = 0; round < raceRounds(10); round++) {
      const name = `Round ${round}`
      const fresh = request(round, `${types}/shared`, { type_name: name }, admin, 'PUT')
      const replies = await releaseTogether([
        fresh,
        ...Array.from({ length: 12 }, (_, index) => ({
          method: 'GET',
          url: at(index, `${types}/shared`),
          headers: { 'x-forwarded-for': newAddress() },
        })),
      ])
      assert.deepEqual(tally(replies), { 200: 13 })
      assert.equal((await call(at(round, `${types}/shared`))).json.data.type_name, name, 'the node that wrote it')
      const started = performance.now()
      while ((await call(at(round + 1, `${types}/shared`))).json.data.type_name !== name)
        assert.ok(performance.now() - started < 2_000, 'the other node')
    }
  })
})
