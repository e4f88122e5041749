import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { minute } from '../../../src/lib/time.ts'
import { assertError } from '../../http/support.ts'
import { auditOf } from '../../support/rows.ts'
import type { TestApp } from '../../support/test-app.ts'
import { type Author, everybody, somebody, startBlog } from './support.ts'

let app: TestApp
let owner: Author
let ada: Author
let alan: Author
let moderator: Author
before(async () => {
  app = await startBlog({ USER_TYPES: 'moderator', RATE_LIMIT_COMMENT: '1000/1m', COMMENTS_EDIT_WINDOW: '15m' })
  ;[owner, ada, alan, moderator] = await everybody(app, 'writer', 'customer', 'customer', 'moderator')
})
after(() => app?.stop())

const nobody = '0198c1a2-3b4c-7d5e-8f60-718293a4b5c6'
const published = (members: Record<string, unknown> = {}) => owner.write({ status: 'published', ...members })
const comment = (who: Author, post: string, body: unknown) => who.call('POST', `/${post}/comments`, body)
const idOf = async (who: Author, post: string, comment_body: string, parent_id?: string): Promise<string> => {
  const reply = await comment(who, post, { comment_body, parent_id })
  assert.equal(reply.status, 200, reply.text)
  return reply.json.data.id
}
const seen = async (who: Author | undefined, post: string, query = '') => {
  const url = `/api/v1/posts/${post}/comments${query}`
  const reply = await app.get(url, who && { headers: { 'x-session-id': who.sessionToken } })
  assert.equal(reply.status, 200, reply.text)
  return reply.json
}
const bodies = async (who: Author | undefined, post: string, query = '') =>
  (await seen(who, post, query)).data.map(({ comment_body }: { comment_body: string }) => comment_body)
const moderate = (who: Author, id: string, body: unknown) => who.call('POST', `/comments/${id}/moderate`, body)
const known = async (): Promise<Author> => {
  const who = await somebody(app, 'customer')
  await moderate(moderator, await idOf(who, await published(), 'first'), { action: 'approve' })
  return who
}

test('a first comment waits for a moderator, who lets it and its author in', async () => {
  const post = await published()
  const added = await comment(ada, post, { content: ' <b>Hello</b>\nthere ' })
  const { id, created_at, ...said } = added.json.data
  assert.deepEqual(said, {
    ...{ post_id: post, parent_id: null, user_id: ada.id, comment_body: '<b>Hello</b>\nthere', status: 'pending' },
    author: { id: ada.id, name: '', display_name: null, picture: null },
    ...{ replies_count: 0, edited_at: null, updated_at: created_at },
  })
  for (const who of [undefined, alan, owner]) assert.deepEqual(await bodies(who, post), [])
  for (const who of [ada, moderator]) assert.equal((await bodies(who, post)).length, 1)
  const queue = (await moderator.call('GET', `/comments?post_id=${post}`)).json
  assert.deepEqual([queue.data.length, queue.data[0].moderated_by, queue.meta.total], [1, null, 1])
  const verdict = await moderate(moderator, id, { action: 'approve', reason: 'On topic' })
  assert.deepEqual(verdict.json.data, { id, status: 'approved' })
  const { data, meta } = await seen(undefined, post)
  assert.equal('moderated_by' in data[0], false)
  assert.deepEqual(meta, { page: 1, limit: 10, total: 1, pages: 1, has_more: false, cached: false })
  const [moderated] = (await seen(moderator, post)).data
  assert.deepEqual([moderated.moderated_by, moderated.moderation_reason], [moderator.id, 'On topic'])
  assert.equal((await comment(ada, post, { body: 'again' })).json.data.status, 'approved')
  assert.equal((await app.get(`/api/v1/posts/${post}`)).json.data.counts.comments, 2)
  const [trace] = await auditOf(app, 'comment_moderated')
  assert.deepEqual([trace?.target_id, trace?.details], [ada.id, { comment_id: id, post_id: post, status: 'approved' }])
})

test('moderators and the owner of the post need nobody, also while everything has to be approved', async () => {
  const post = await published()
  for (const who of [owner, moderator])
    assert.equal((await comment(who, post, { comment_body: 'x' })).json.data.status, 'approved')
})

test('replies go five levels deep; deeper ones hang on the deepest that may have some', async () => {
  const [post, who] = [await published(), await known()]
  const chain: string[] = []
  for (let level = 0; level < 8; level++) chain.push(await idOf(who, post, `level ${level}`, chain.at(-1)))
  const parents = Object.fromEntries(
    (await seen(who, post)).data.map((one: { id: string; parent_id: string }) => [one.id, one.parent_id]),
  )
  assert.deepEqual(
    chain.map((id) => parents[id]),
    [null, ...chain.slice(0, 4), chain[3], chain[3], chain[3]],
  )
  assert.deepEqual(await bodies(undefined, post, '?parent_id=root'), ['level 0'])
  assert.deepEqual(await bodies(undefined, post, `?parent_id=${chain[3]}&order=desc&limit=2`), ['level 7', 'level 6'])
  const [deep] = (await seen(undefined, post, `?parent_id=${chain[2]}`)).data
  assert.equal(deep.replies_count, 4)
})

test('what is no comment, or replies to none that can be seen, is refused and leaves nothing', async () => {
  const [post, elsewhere] = [await published(), await published()]
  const foreign = await idOf(owner, elsewhere, 'elsewhere')
  const hidden = await idOf(alan, post, 'waits')
  const refused: [unknown, string][] = [
    [{}, 'comment_body'],
    [{ comment_body: ' \n ' }, 'comment_body'],
    [{ comment_body: 'x'.repeat(5001) }, 'comment_body'],
    [{ comment_body: 'a\u0008' }, 'comment_body'],
    [{ comment_body: { a: 1 } }, 'comment_body'],
    [{ comment_body: 'a', body: 'b' }, 'comment_body'],
    ...[nobody, foreign, hidden, 'root', '1'].map((parent_id): [unknown, string] => [
      { comment_body: 'x', parent_id },
      'parent_id',
    ]),
  ]
  const before = (await seen(moderator, post)).meta.total
  for (const [body, field] of refused)
    assert.equal(assertError(await comment(owner, post, body), 400, 'VALIDATION_ERROR', field)[0]?.field, field)
  assert.equal((await seen(moderator, post)).meta.total, before)
  for (const query of ['?parent_id=x', '?order=up', '?status=spam&limit=0'])
    assertError(await moderator.call('GET', `/${post}/comments${query}`), 400, 'VALIDATION_ERROR', query)
  assert.equal((await comment(ada, post, { comment_body: '🦉'.repeat(5000) })).status, 200)
})

test('comments need a post that can be read, is published and takes them; reading stays', async () => {
  const draft = await owner.write()
  assertError(await comment(ada, draft, { comment_body: 'x' }), 404, 'NOT_FOUND')
  assertError(await comment(owner, draft, { comment_body: 'x' }), 409, 'POST_NOT_PUBLISHED')
  assertError(await comment(ada, nobody, { comment_body: 'x' }), 404, 'NOT_FOUND')
  const closed = await published()
  await idOf(owner, closed, 'early')
  await owner.call('PUT', `/${closed}`, { comments_enabled: false })
  assertError(await comment(owner, closed, { comment_body: 'x' }), 403, 'COMMENTS_DISABLED')
  assert.deepEqual(await bodies(undefined, closed), ['early'])
  const locked = await published({ visibility: 'password', password: 'open sesame' })
  assertError(await comment(ada, locked, { comment_body: 'x' }), 403, 'PASSWORD_REQUIRED')
  assertError(await app.get(`/api/v1/posts/${locked}/comments`), 403, 'PASSWORD_REQUIRED')
  const opened = await app.post(
    `/api/v1/posts/${locked}/comments`,
    { comment_body: 'x' },
    { headers: { 'x-session-id': ada.sessionToken, 'x-post-password': 'open sesame' } },
  )
  assert.equal(opened.status, 200, opened.text)
  assertError(await app.post(`/api/v1/posts/${closed}/comments`, { comment_body: 'x' }), 401, 'INVALID_SESSION')
})

test('authors change their comments while the window is open; moderators always', async () => {
  const [post, who] = [await published(), await known()]
  const id = await idOf(who, post, 'one')
  const change = (by: Author, comment_body: string) => by.call('PUT', `/comments/${id}`, { comment_body })
  assert.deepEqual((await change(who, 'two')).json.data, { id, updated: true, status: 'approved' })
  assertError(await change(alan, 'mine'), 403, 'FORBIDDEN')
  assertError(await change(owner, 'mine'), 403, 'FORBIDDEN')
  app.clock.advance(15 * minute)
  assertError(await change(who, 'three'), 403, 'EDIT_WINDOW_CLOSED')
  assert.equal((await change(moderator, 'softened')).status, 200)
  const [shown] = (await seen(undefined, post)).data
  assert.deepEqual([shown.comment_body, shown.edited_at > shown.created_at], ['softened', true])
  assertError(await who.call('PUT', `/comments/${nobody}`, { comment_body: 'x' }), 404, 'NOT_FOUND')
  assertError(await who.call('PUT', '/comments/x', { comment_body: 'x' }), 404, 'NOT_FOUND')
})

test('what a moderator has turned away comes back by no change of its author', async () => {
  const [post, who] = [await published(), await known()]
  for (const action of ['reject', 'spam', 'pending'] as const) {
    const id = await idOf(who, post, action)
    await moderate(moderator, id, { action })
    const changed = await who.call('PUT', `/comments/${id}`, { comment_body: 'better' })
    if (action === 'pending') assert.equal(changed.json.data.status, 'pending')
    else assertError(changed, 404, 'NOT_FOUND')
    assert.equal((await bodies(undefined, post)).length, 0)
  }
})

test('a decision about another version than the current one is refused', async () => {
  const post = await published()
  const who = await somebody(app, 'customer')
  const id = await idOf(who, post, 'read by the moderator')
  const version = async () => (await seen(moderator, post)).data[0].updated_at
  const expected_updated_at = await version()
  // The clock of the test does not move, so both versions are saved within one millisecond.
  await who.call('PUT', `/comments/${id}`, { comment_body: 'changed' })
  const decision = { action: 'approve', expected_updated_at }
  assertError(await moderate(moderator, id, decision), 409, 'EDIT_CONFLICT')
  assertError(await moderate(moderator, id, { ...decision, expected_updated_at: 'today' }), 400, 'VALIDATION_ERROR')
  assert.deepEqual(await bodies(undefined, post), [])
  const current = { ...decision, expected_updated_at: await version() }
  assert.equal((await moderate(moderator, id, current)).status, 200)
  assertError(await moderate(moderator, id, { ...current, action: 'spam' }), 409, 'EDIT_CONFLICT')
  assert.equal((await moderate(moderator, id, { action: 'pending' })).status, 200)
})

test('only moderators moderate, and say one thing', async () => {
  const id = await idOf(owner, await published(), 'x')
  for (const who of [owner, ada]) {
    assertError(await moderate(who, id, { action: 'spam' }), 403, 'FORBIDDEN')
    assertError(await who.call('GET', '/comments'), 403, 'FORBIDDEN')
    assertError(await who.call('GET', `/${await published()}/comments?status=spam`), 403, 'FORBIDDEN')
  }
  assertError(await app.get(`/api/v1/posts/${await published()}/comments?status=spam`), 401, 'INVALID_SESSION')
  const wrong = [{}, { action: 'burn' }, { status: 'deleted' }, { action: 'approve', status: 'spam' }]
  for (const body of wrong) assertError(await moderate(moderator, id, body), 400, 'VALIDATION_ERROR')
  assertError(await moderate(moderator, id, { action: 'spam', reason: 'x'.repeat(501) }), 400, 'VALIDATION_ERROR')
  assert.equal((await moderate(moderator, id, { action: 'reject', status: 'rejected' })).json.data.status, 'rejected')
  assertError(await moderate(moderator, nobody, { action: 'spam' }), 404, 'NOT_FOUND')
})

test('a deleted comment with replies stays without its words and its author, and goes with the last of them', async () => {
  const [post, who] = [await published(), await known()]
  const first = await idOf(who, post, 'root')
  const second = await idOf(who, post, 'reply', first)
  const third = await idOf(owner, post, 'deep', second)
  const remove = (by: Author, id: string) => by.call('DELETE', `/comments/${id}`)
  assertError(await remove(alan, first), 403, 'FORBIDDEN')
  assert.deepEqual((await remove(who, first)).json.data, { id: first, deleted: true })
  assert.equal((await remove(owner, second)).status, 200)
  const [gone, alsoGone, last] = (await seen(undefined, post)).data
  assert.deepEqual([gone.comment_body, gone.author, gone.user_id, gone.replies_count], ['', null, null, 1])
  assert.deepEqual([alsoGone.comment_body, last.comment_body], ['', 'deep'])
  assert.equal((await app.get(`/api/v1/posts/${post}`)).json.data.counts.comments, 1)
  assertError(await remove(who, first), 404, 'NOT_FOUND')
  assertError(await moderate(moderator, first, { action: 'approve' }), 404, 'NOT_FOUND')
  assertError(await comment(who, post, { comment_body: 'x', parent_id: first }), 400, 'VALIDATION_ERROR')
  assert.equal((await remove(moderator, third)).status, 200)
  assert.deepEqual((await seen(moderator, post)).data, [])
})

test('authors delete what is theirs even where they no longer read; nobody else learns that it is there', async () => {
  const [post, who] = [await published(), await known()]
  const [mine, theirs] = [await idOf(who, post, 'mine'), await idOf(alan, post, 'waits')]
  await owner.call('PUT', `/${post}`, { visibility: 'private' })
  for (const id of [mine, theirs]) assertError(await ada.call('DELETE', `/comments/${id}`), 404, 'NOT_FOUND')
  assertError(await who.call('PUT', `/comments/${mine}`, { comment_body: 'x' }), 404, 'NOT_FOUND')
  assert.equal((await who.call('DELETE', `/comments/${mine}`)).status, 200)
  assert.equal((await owner.call('DELETE', `/comments/${theirs}`)).status, 200)
})
