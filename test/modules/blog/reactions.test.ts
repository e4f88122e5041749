import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { minute } from '../../../src/lib/time.ts'
import { assertError } from '../../http/support.ts'
import type { TestApp } from '../../support/test-app.ts'
import { type Author, somebody, startBlog } from './support.ts'

let app: TestApp
let owner: Author
let ada: Author
before(async () => {
  app = await startBlog({ RATE_LIMIT_INTERACT: '1000/1m', REACTION_TYPES: 'like,wow' })
  ;[owner, ada] = (await Promise.all(['writer', 'customer'].map((role) => somebody(app, role)))) as [Author, Author]
})
after(() => app?.stop())

const nobody = '0198c1a2-3b4c-7d5e-8f60-718293a4b5c6'
const published = (members: Record<string, unknown> = {}) => owner.write({ status: 'published', ...members })
const react = (who: Author, post: string, reaction: unknown) => who.call('POST', `/${post}/reactions`, { reaction })
const counted = async (post: string, who?: Author) =>
  (await app.get(`/api/v1/posts/${post}/reactions`, who && { headers: { 'x-session-id': who.sessionToken } })).json.data

test('one reaction per user: another replaces it, and the same removes it', async () => {
  const post = await published()
  assert.deepEqual((await react(ada, post, 'like')).json.data, { post_id: post, reaction: 'like', active: true })
  assert.deepEqual((await react(owner, post, 'like')).json.data.active, true)
  assert.deepEqual(await counted(post), { post_id: post, total: 2, counts: { like: 2 }, mine: null })
  assert.deepEqual((await react(ada, post, 'wow')).json.data, { post_id: post, reaction: 'wow', active: true })
  assert.deepEqual(await counted(post, ada), { post_id: post, total: 2, counts: { like: 1, wow: 1 }, mine: 'wow' })
  const { counts, viewer } = (await ada.read(post)).json.data
  assert.deepEqual([counts.reactions, viewer], [2, { reaction: 'wow', bookmarked: false }])
  assert.deepEqual((await react(ada, post, 'wow')).json.data, { post_id: post, reaction: 'wow', active: false })
  for (const _ of [1, 2])
    assert.deepEqual((await owner.call('DELETE', `/${post}/reactions`)).json.data, {
      ...{ post_id: post, reaction: null, active: false },
    })
  assert.deepEqual(await counted(post, owner), { post_id: post, total: 0, counts: {}, mine: null })
})

test('many reactions of one person at one instant leave one row or none, and say which', async () => {
  const post = await published()
  const rows = () => app.ctx.db.selectFrom('post_reactions').select('reaction').where('post_id', '=', post).execute()
  for (const [number, left] of [
    [9, 1],
    [8, 1],
    [1, 0],
  ] as const) {
    const replies = await Promise.all(Array.from({ length: number }, () => react(ada, post, 'like')))
    assert.ok(replies.every(({ status }) => status === 200))
    assert.equal((await rows()).length, left)
  }
})

test('a reaction needs a type, a post that can be read, and leave; taking it back does not', async () => {
  const post = await published()
  for (const reaction of ['love', '', 5, null, '__proto__'])
    assertError(await react(ada, post, reaction), 400, 'VALIDATION_ERROR')
  for (const path of [await owner.write(), nobody]) {
    assertError(await react(ada, path, 'like'), 404, 'NOT_FOUND')
    assertError(await ada.call('DELETE', `/${path}/reactions`), 404, 'NOT_FOUND')
    assertError(await ada.call('POST', `/${path}/bookmark`), 404, 'NOT_FOUND')
    assertError(await app.get(`/api/v1/posts/${path}/reactions`), 404, 'NOT_FOUND')
  }
  assertError(await app.post(`/api/v1/posts/${post}/reactions`, { reaction: 'like' }), 401, 'INVALID_SESSION')
  await react(ada, post, 'like')
  await owner.call('PUT', `/${post}`, { reactions_enabled: false })
  assertError(await react(ada, post, 'wow'), 403, 'REACTIONS_DISABLED')
  assertError(await react(owner, post, 'like'), 403, 'REACTIONS_DISABLED')
  assert.equal((await react(ada, post, 'like')).json.data.active, false)
})

test('bookmarks are one of each post, newest first, and show no post that cannot be read', async () => {
  const [first, second] = [await published({ title: 'First' }), await published({ title: 'Second' })]
  for (const post of [first, second, first]) {
    const reply = await ada.call('POST', `/${post}/bookmark`)
    assert.deepEqual(reply.json.data, { post_id: post, bookmarked: true })
    app.clock.advance(minute)
  }
  const list = async () => (await ada.call('GET', '/me/bookmarks')).json
  const { data, meta } = await list()
  assert.deepEqual(
    data.map(({ title }: { title: string }) => title),
    ['Second', 'First'],
  )
  assert.deepEqual(Object.keys(data[0]).toSorted(), ['bookmarked_at', 'post_id', 'slug', 'title'])
  assert.deepEqual(meta, { page: 1, limit: 10, total: 2, pages: 1, has_more: false, cached: false })
  const { counts, viewer } = (await ada.read(first)).json.data
  assert.deepEqual([counts.bookmarks, viewer.bookmarked], [1, true])
  await owner.call('POST', `/${second}/unpublish`)
  assert.equal((await list()).meta.total, 1)
  await owner.call('POST', `/${second}/publish`)
  assert.equal((await list()).meta.total, 2)
  const remove = (post: string) => ada.call('DELETE', `/${post}/bookmark`)
  assert.deepEqual((await remove(first)).json.data, { post_id: first, bookmarked: false })
  assertError(await remove(first), 404, 'NOT_FOUND')
  assertError(await remove(nobody), 404, 'NOT_FOUND')
  assert.deepEqual((await owner.call('GET', '/me/bookmarks')).json.data, [])
})
