import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createResponseCache } from '../../../src/modules/blog/response-cache.ts'
import { withSession } from '../../support/people.ts'
import type { Reply, TestApp } from '../../support/test-app.ts'
import { type Author, readAsStranger, somebody, startBlog } from './support.ts'

let app: TestApp
let writer: Author
let admin: Author
before(async () => {
  app = await startBlog({ RATE_LIMIT_ADMIN: '1000/1m' })
  ;[writer, admin] = (await Promise.all(['writer', 'admin'].map((role) => somebody(app, role)))) as [Author, Author]
})
after(() => app.stop())

/**
 * Changes the row with SQL so that the cache is not invalidated. A response with the new title was read from the
 * database.
 */
const rename = (id: string, title: string) =>
  app.ctx.db.updateTable('posts').set({ title }).where('id', '=', id).execute()
const titleOf = (reply: Reply): string => reply.json.data.title

test('strangers may get what was true a moment ago, and whoever has a session never does', async () => {
  const id = await writer.write({ title: '0', slug: 'copied', status: 'published' })
  // Retries because on a busy machine the cached response may expire before the second request.
  let again: Reply
  let count = 0
  do {
    const title = titleOf(await readAsStranger(app, 'copied'))
    await rename(id, `${++count}`)
    again = await readAsStranger(app, 'copied')
    if (titleOf(again) === title) break
  } while (count < 10)
  assert.equal(titleOf(again), `${count - 1}`, 'a copy')
  await rename(id, 'second')
  assert.equal(again.json.meta.cached, false)
  assert.deepEqual(again.json.user_context, { authenticated: false })
  for (const header of ['x-ratelimit-remaining', 'x-request-id', 'content-security-policy', 'cache-control'])
    assert.ok(again.headers[header], header)
  assert.equal(titleOf(await writer.call('GET', '/copied')), 'second')
  const byCookie = await app.get('/api/v1/posts/copied', { headers: { cookie: `session_id=${writer.sessionToken}` } })
  assert.equal(titleOf(byCookie), 'second')
  assert.equal(titleOf(await readAsStranger(app, `id/${id}`)), 'second', 'another name, another copy')
  const head = await app.call('HEAD', '/api/v1/posts/copied')
  assert.deepEqual([head.status, head.text], [200, ''])
})

test('every write is known to every reader when its writer hears that it is done', async () => {
  const id = await writer.write({ title: 'w1', slug: 'written', status: 'published' })
  const category = (await admin.call('POST', '/categories', { name: 'Before' })).json.data.id
  const read = async () => (await readAsStranger(app, 'written')).json
  await writer.call('PUT', `/${id}`, { category_ids: [category] })
  assert.equal((await read()).data.title, 'w1')
  await writer.call('PUT', `/${id}`, { title: 'w2' })
  assert.equal((await read()).data.title, 'w2')
  await admin.call('PUT', `/categories/${category}`, { name: 'After' })
  assert.equal((await read()).data.categories[0].name, 'After')
  const translation = { lang: 'eo', title: 'w3' }
  await writer.call('POST', `/id/${id}/translations`, translation)
  assert.deepEqual((await read()).data.translations, ['eo'])
  const comment = await app.post(
    `/api/v1/posts/${id}/comments`,
    { comment_body: 'hi' },
    withSession(writer.sessionToken),
  )
  assert.equal(comment.status, 200, comment.text)
  assert.equal((await read()).data.counts.comments, 1)
  for (const [change, seen] of [
    [{ visibility: 'auth' }, 404],
    [{ visibility: 'password', password: 'open sesame' }, 403],
    [{ visibility: 'public' }, 200],
    [{ visibility: 'private' }, 404],
    [{ visibility: 'public' }, 200],
    [{ status: 'draft' }, 404],
    [{ status: 'published' }, 200],
  ] as const) {
    assert.equal((await writer.call('PUT', `/${id}`, change)).status, 200)
    assert.equal((await readAsStranger(app, 'written')).status, seen, JSON.stringify(change))
  }
  await writer.call('DELETE', `/${id}`)
  assert.equal((await readAsStranger(app, 'written')).status, 404)
})

test('nothing but what everyone may read is ever copied', async () => {
  const password = { visibility: 'password', password: 'open sesame' }
  for (const [slug, members] of Object.entries({
    a1: { visibility: 'auth' },
    a2: { visibility: 'private' },
    a3: password,
  })) {
    await writer.write({ slug, status: 'published', ...members })
    assert.equal((await writer.call('GET', `/${slug}`)).status, 200)
    if (slug === 'a3') assert.equal((await readAsStranger(app, slug, { 'x-post-password': 'open sesame' })).status, 200)
    assert.notEqual((await readAsStranger(app, slug)).status, 200)
  }
  await writer.write({ slug: 'a4' })
  assert.equal((await writer.call('GET', '/a4')).status, 200)
  assert.equal((await readAsStranger(app, 'a4')).status, 404)
})

test('a copy ends with its time, with a write, also one that came while it was made, and with what types said', () => {
  let [now, types] = [0, {}]
  const cache = createResponseCache({ postTypeProvider: { recall: () => types } as never }, () => now)
  const keep = cache.beginRead()
  keep('a', 'text')
  assert.equal(cache.recall('a'), 'text')
  now = 999
  assert.equal(cache.recall('a'), 'text')
  now = 1_000
  assert.equal(cache.recall('a'), undefined)
  const begun = cache.beginRead()
  cache.invalidate()
  begun('a', 'text')
  assert.equal(cache.recall('a'), undefined)
  cache.beginRead()('a', 'text')
  types = {}
  assert.equal(cache.recall('a'), undefined)
  cache.beginRead()('b', 'x'.repeat(33 * 1024 * 1024))
  assert.equal(cache.recall('b'), undefined, 'larger than all together may be')
})
