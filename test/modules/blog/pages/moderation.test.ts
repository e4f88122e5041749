import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { diffLines } from '../../../../src/lib/line-diff.ts'
import { textOf } from '../../../screens/all-pages.ts'
import { auditOf } from '../../../support/rows.ts'
import type { TestApp } from '../../../support/test-app.ts'
import { type Author, everybody, startBlog } from '../support.ts'
import { browserOf } from './support.ts'

let app: TestApp
let writer: Author
let other: Author
let moderator: Author
let member: Author
before(async () => {
  const limits = { RATE_LIMIT_READ: '100000/1m', RATE_LIMIT_WRITE: '100000/1m', RATE_LIMIT_COMMENT: '1000/1m' }
  app = await startBlog({ USER_TYPES: 'moderator', COMMENTS_REQUIRE_APPROVAL: 'always', ...limits })
  ;[writer, other, moderator, member] = await everybody(app, 'writer', 'writer', 'moderator', 'customer')
})
after(() => app?.stop())

const queue = '/admin/content/comments'
const commented = async (post: string, ...texts: string[]): Promise<string[]> => {
  const ids: string[] = []
  for (const comment_body of texts)
    ids.push((await member.call('POST', `/${post}/comments`, { comment_body })).json.data.id)
  return ids
}
const shown = async (post: string) =>
  (await app.get(`/api/v1/posts/${post}/comments`)).json.data.map(({ id }: { id: string }) => id)
/** The checkboxes of these comments as a page of the queue shows them. */
const chosen = (ids: string[], { text }: { text: string }) =>
  Object.fromEntries(
    ids.map((id) => [`comment_${id}`, new RegExp(`name="comment_${id}" value="([^"]+)"`).exec(text)?.[1] ?? '']),
  )

test('moderators decide on several comments at once, each with its audit event', async () => {
  const post = await writer.write({ title: 'Discussed', status: 'published' })
  const [first = '', second = '', third = ''] = await commented(post, 'one', 'two', '<script>alert(3)</script>')
  const browser = browserOf(app, moderator)
  const page = await browser.open(queue)
  assert.match(textOf(page.text), /Discussed/)
  assert.doesNotMatch(page.text, /<script>alert/)
  const approved = await browser.send(queue, { ...chosen([first, second], page), action: 'approve' })
  assert.equal(approved.headers.location, `${queue}?status=pending&done=moderated`)
  assert.deepEqual(await shown(post), [first, second])
  const rest = await browser.open(queue)
  await browser.send(queue, { ...chosen([third], rest), action: 'reject' })
  assert.deepEqual(await shown(post), [first, second])
  assert.match((await browser.open(`${queue}?status=rejected`)).text, new RegExp(third))
  assert.equal((await auditOf(app, 'comment_moderated')).length, 3)
})

test('a comment that changed after the page was loaded is not approved, but the others are', async () => {
  const post = await writer.write({ title: 'Changed', status: 'published' })
  const [first = '', second = ''] = await commented(post, 'harmless', 'stays')
  const browser = browserOf(app, moderator)
  const page = await browser.open(queue)
  await member.call('PUT', `/comments/${first}`, { comment_body: 'not seen by the moderator' })
  const answer = await browser.send(queue, { ...chosen([first, second], page), action: 'approve' })
  assert.equal(answer.status, 409)
  assert.match(textOf(answer.text), /A comment was changed after this page was loaded/)
  assert.match(answer.text, /not seen by the moderator/)
  assert.deepEqual(await shown(post), [second])
  const again = await browser.open(queue)
  await browser.send(queue, { ...chosen([first], again), action: 'approve' })
  assert.deepEqual(await shown(post), [first, second])
})

test('a checkbox without the version of its comment decides nothing', async () => {
  const post = await writer.write({ title: 'Without a version', status: 'published' })
  const [id] = await commented(post, 'waits')
  const browser = browserOf(app, moderator)
  for (const [value, status] of [
    ['on', 400],
    ['', 303],
  ] as const) {
    await browser.open(queue)
    assert.equal((await browser.send(queue, { [`comment_${id}`]: value, action: 'approve' })).status, status)
  }
  assert.deepEqual(await shown(post), [])
})

test('an administrator moves between posts and comments', async () => {
  const [admin] = await everybody(app, 'admin')
  const browser = browserOf(app, admin as Author)
  for (const path of ['/admin/content', queue]) {
    const { text } = await browser.open(path)
    for (const tab of ['/admin/content', queue]) assert.match(text, new RegExp(`<a href="${tab}"`), `${tab} on ${path}`)
  }
})

test('a moderator sees only the comments, and a writer only the posts', async () => {
  const browser = browserOf(app, moderator)
  assert.equal((await browser.open('/admin/content')).headers.location, queue)
  const post = await writer.write({ title: 'Not theirs', status: 'published' })
  for (const path of ['/admin/content/new', `/admin/content/posts/${post}`, `/admin/content/posts/${post}/revisions`])
    assert.equal((await browser.open(path)).status, 403, path)
  assert.equal((await browserOf(app, writer).open(queue)).status, 403)
  assert.doesNotMatch((await browserOf(app, writer).open('/admin/content')).text, new RegExp(`href="${queue}"`))
  assert.equal((await browserOf(app, member).open(queue)).status, 403)
})

test('without the component of comments, the console says so and offers no comments', async () => {
  const bare = await startBlog({ MODULES_AUTO_INSTALL: 'blog' })
  try {
    const [admin, author] = await everybody(bare, 'admin', 'writer')
    const browser = browserOf(bare, admin)
    const page = await browser.open(queue)
    assert.equal(page.status, 404)
    assert.match(textOf(page.text), /Comments aren’t installed/)
    assert.match(page.text, /<nav class="menu"[\s\S]*href="\/admin\/modules\/blog"/)
    assert.doesNotMatch((await browser.open('/admin/content')).text, new RegExp(`href="${queue}"`))
    const id = await author.write({ title: 'Quiet', body: 'x' })
    const editor = await browserOf(bare, author).open(`/admin/content/posts/${id}`)
    assert.match(editor.text, /<input type="hidden" name="comments_enabled" value="on">/)
    assert.doesNotMatch(textOf(editor.text), /Allow comments/)
  } finally {
    await bare.stop()
  }
})

test('forged decisions change nothing', async () => {
  const post = await writer.write({ title: 'Forged', status: 'published' })
  const ids = await commented(post, 'waits')
  const browser = browserOf(app, moderator)
  const page = await browser.open(queue)
  const forged = await browser.send(queue, { ...chosen(ids, page), action: 'approve', form_token: 'x' })
  assert.equal(forged.status, 400)
  const asWriter = browserOf(app, writer)
  await asWriter.open('/admin/content')
  assert.equal((await asWriter.send(queue, { ...chosen(ids, page), action: 'approve' })).status, 403)
  assert.deepEqual(await shown(post), [])
})

test('a revision shows what restoring it would change, and is restored', async () => {
  const id = await writer.write({ title: 'First title', body: 'kept\nold line' })
  app.clock.advance(1000)
  await writer.call('PUT', `/${id}`, { title: 'Second title', body: 'kept\n<b>new</b> line' })
  const browser = browserOf(app, writer)
  const path = `/admin/content/posts/${id}/revisions`
  const list = await browser.open(path)
  const [revision = ''] = [...list.text.matchAll(/revisions\/([\da-f-]{36})"/g)].map(([, found]) => found)
  const page = await browser.open(`${path}/${revision}`)
  assert.match(page.text, /<ins>.*First title<\/ins>/)
  assert.match(page.text, /<del>.*&lt;b&gt;new&lt;\/b&gt; line<\/del>/)
  assert.match(page.text, /<span>kept<\/span>/)
  assert.equal((await browserOf(app, other).open(`${path}/${revision}`)).status, 404)
  const forged = await browser.send(`${path}/${revision}`, { form_token: 'x' })
  assert.equal(forged.status, 400)
  await browser.open(`${path}/${revision}`)
  const restored = await browser.send(`${path}/${revision}`, {})
  assert.equal(restored.headers.location, `/admin/content/posts/${id}?done=revision`)
  assert.equal((await writer.read(id)).json.data.title, 'First title')
})

test('the difference of two texts contains both of them in order', () => {
  const cases = [
    ['', ''],
    ['', 'a'],
    ['a\nb\nc', 'a\nc'],
    ['a\nb', 'b\na'],
    ['x\ny\nz', 'p\nq'],
    ['a\n\nb', 'a\nb\n'],
  ] as const
  for (const [before, after] of cases) {
    const lines = diffLines(before, after)
    const side = (dropped: string) => lines.filter(({ kind }) => kind !== dropped).map(({ text }) => text)
    assert.equal(side('added').join('\n'), before)
    assert.equal(side('removed').join('\n'), after)
  }
  const long = (word: string) => Array.from({ length: 5000 }, (_, at) => `${word} ${at}`).join('\n')
  assert.equal(diffLines(long('a'), long('b')).length, 10_000)
})
