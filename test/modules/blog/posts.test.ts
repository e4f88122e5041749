import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { day, minute } from '../../../src/lib/time.ts'
import { purgePosts } from '../../../src/modules/blog/queries.ts'
import { assertError } from '../../http/support.ts'
import { auditOf } from '../../support/rows.ts'
import type { TestApp } from '../../support/test-app.ts'
import { type Author, everybody, readAsStranger, startBlog } from './support.ts'

let app: TestApp
let writer: Author
let other: Author
let reader: Author
let admin: Author
before(async () => {
  app = await startBlog({ BLOG_REVISIONS_MAX: '3' })
  ;[writer, other, reader, admin] = await everybody(app, 'writer', 'writer', 'customer', 'admin')
})
after(() => app.stop())

const nobody = '0198c1a2-3b4c-7d5e-8f60-718293a4b5c6'
const count = async () => (await app.ctx.db.selectFrom('posts').select('id').execute()).length
const later = (ms: number) => new Date(app.clock.now() + ms).toISOString()

test('a post is written, read by its slug and its id, changed, and is then what was asked for', async () => {
  const written = await writer.call('POST', '', {
    title: ' Caf\u0065\u0301 & engines ',
    body: '# Hello <script>alert(1)</script>\n\n[x](javascript:alert(1)) *there*',
    bodyFormat: 'markdown',
    status: 'published',
    lang: 'es-mx',
    metadata: { series: 1 },
  })
  assert.equal(written.status, 200, written.text)
  const { id, slug } = written.json.data
  assert.equal(slug, 'cafe-engines')
  assert.deepEqual(written.json, {
    data: (await writer.read(id)).json.data,
    user_context: { authenticated: true, user_type: 'writer' },
    meta: { cached: false, notes: ['HTML was removed from body: 1 script, 1 a href'] },
  })
  const { status, json } = await readAsStranger(app, slug)
  assert.equal(status, 200)
  assert.deepEqual(json.user_context, { authenticated: false })
  const { created_at, updated_at, published_at, author, counts: _, translations: __, ...rest } = json.data
  assert.deepEqual([created_at, published_at], [updated_at, updated_at])
  assert.deepEqual(author, { id: writer.id, name: '', last_name: '', display_name: null, picture: null })
  assert.deepEqual(rest, {
    id,
    slug,
    title: 'Café & engines',
    lang: 'es-MX',
    body: '# Hello <script>alert(1)</script>\n\n[x](javascript:alert(1)) *there*',
    body_format: 'markdown',
    body_html: '<h1>Hello </h1>\n<p><a>x</a> <em>there</em></p>',
    excerpt: 'Hello x there',
    featured_image: null,
    status: 'published',
    visibility: 'public',
    password_protected: false,
    user_id: writer.id,
    categories: [],
    tags: [],
    comments_enabled: true,
    reactions_enabled: true,
    scheduled_at: null,
    metadata: { series: 1 },
  })
  const changes = { slug: 'engines', excerpt: 'Short', comments_enabled: false, metadata: null, body_format: 'text' }
  const { updated, ...told } = (await writer.call('PUT', `/${id}`, changes)).json.data
  assert.deepEqual([updated, told], [true, (await writer.read(id)).json.data])
  const changed = (await readAsStranger(app, 'engines')).json.data
  assert.deepEqual([changed.excerpt, changed.comments_enabled, changed.metadata], ['Short', false, {}])
  assert.match(changed.body_html, /^<p># Hello &#x3C;script>/)
  assert.ok(changed.updated_at > updated_at)
  const { meta, data } = (await readAsStranger(app, slug)).json
  assert.deepEqual([meta, data.slug], [{ cached: false, redirected_from: slug }, 'engines'])
  assert.deepEqual((await readAsStranger(app, `${id}?lang=en`)).json.meta, { cached: false, fallback_lang: 'es-MX' })
})

test('html is kept as it was cleaned: not even an editor gets the rest to see', async () => {
  const id = await writer.write({ body: '<p onclick=x>a<script>b</script></p>', body_format: 'html' })
  const { body, body_html } = (await writer.read(id)).json.data
  assert.deepEqual([body, body_html], ['<p>a</p>', '<p>a</p>'])
  const [kept] = (await writer.call('GET', `/${id}/revisions`)).json.data
  assert.equal((await writer.call('GET', `/${id}/revisions/${kept.id}`)).json.data.body, '<p>a</p>')
})

test('json is kept as text, and shown as no HTML', async () => {
  const id = await writer.write({ body: { blocks: ['<b>'] }, body_format: 'json' })
  const { body, body_html, excerpt } = (await writer.read(id)).json.data
  assert.deepEqual([body, body_html, excerpt], ['{"blocks":["<b>"]}', null, ''])
})

test('a slug is one post of a language: those we choose are numbered, those that are asked for refused', async () => {
  const slugs = await Promise.all(
    ['One title', 'One title', 'One title!'].map(
      async (title) => (await writer.call('POST', '', { title })).json.data.slug,
    ),
  )
  assert.deepEqual(slugs.toSorted(), ['one-title', 'one-title-2', 'one-title-3'])
  assertError(await other.call('POST', '', { title: 'x', slug: 'one-title' }), 409, 'SLUG_TAKEN')
  const spanish = await other.call('POST', '', { title: 'x', slug: 'one-title', lang: 'es' })
  assert.equal(spanish.json.data.slug, 'one-title')
  assertError(await other.call('PUT', `/${spanish.json.data.id}`, { lang: 'en' }), 409, 'SLUG_TAKEN')
  const titles = ['日本', 'New', nobody, '!!!', 'x'.repeat(255)]
  for (const title of titles) {
    const { slug } = (await writer.call('POST', '', { title })).json.data
    assert.match(slug, /^(post(-\d+)?|ri-ben|new-post|x{200}|[0-9a-f-]{36}-post)$/)
  }
  for (const slug of ['new', 'feed.xml', nobody, 'A', 'a--b', '-a', 'a_b', 'x'.repeat(201)])
    assert.equal(
      assertError(await writer.call('POST', '', { title: 'x', slug }), 400, 'VALIDATION_ERROR')[0]?.field,
      'slug',
    )
})

const refused: [members: Record<string, unknown>, fields?: string[]][] = [
  [{ title: '' }],
  [{ title: 'x'.repeat(256) }],
  [{ title: 'a\u0007' }],
  [{ title: 5 }],
  [{ body: 5 }],
  [{ body: '\u0000' }],
  [{ body: 'é'.repeat(600_000) }],
  [{ body: '{', body_format: 'json' }, ['body']],
  [{ body: { a: 1 } }, ['body']],
  [{ body: { a: 1 }, body_format: 'text' }, ['body']],
  [{ body_format: 'rtf' }],
  [{ excerpt: 'x'.repeat(1001) }],
  [{ featured_image: 'javascript:alert(1)' }],
  [{ featured_image: 'data:text/html,x' }],
  [{ status: 'deleted' }],
  [{ status: 'published', body: '' }, ['body']],
  [{ status: 'scheduled' }, ['scheduled_at']],
  [{ scheduled_at: '2020-01-01T00:00:00Z' }],
  [{ scheduled_at: '2040-01-01T00:00:00' }],
  [{ visibility: 'friends' }],
  [{ visibility: 'password' }, ['password']],
  [{ password: 'abcd' }, ['password']],
  [{ visibility: 'password', password: 'abc' }, ['password']],
  [{ category_ids: ['x'] }],
  [{ category_ids: [nobody] }],
  [{ tag_ids: [nobody] }],
  [{ tag_ids: Array(51).fill(nobody) }],
  [{ metadata: { x: 'y'.repeat(17_000) } }],
  [{ metadata: [] }],
  [{ lang: 'english' }],
  [{ lang: 'EN' }],
  [{ post_type: 'recipe' }],
  [{ fields: {} }],
  [{ seo: { noindex: true } }],
  [{ title: '', excerpt: '\u0001', lang: 'x' }, ['title', 'excerpt', 'lang']],
  [{ comments_enabled: 'true' }],
]
test('every wrong member is refused by name, on writing and on changing, and nothing is written', async () => {
  const id = await writer.write()
  const before = [(await writer.read(id)).json.data, await count()]
  for (const [members, fields = Object.keys(members)] of refused) {
    for (const [method, path] of [
      ['POST', ''],
      ['PUT', `/${id}`],
    ] as const) {
      const body = method === 'POST' ? { title: 'x', body: 'y', ...members } : members
      const details = assertError(
        await writer.call(method, path, body),
        400,
        'VALIDATION_ERROR',
        JSON.stringify(members).slice(0, 200),
      )
      assert.deepEqual(
        details.map(({ field }) => field),
        fields,
        JSON.stringify(members).slice(0, 200),
      )
    }
  }
  assert.deepEqual([(await writer.read(id)).json.data, await count()], before)
})

test('bodies have up to 1 MiB, other texts of a post no more than everywhere, and 2 MiB is the end', async () => {
  const id = await writer.write({ body: 'word '.repeat(200_000), body_format: 'text' })
  assert.equal((await writer.read(id)).json.data.body.length, 1_000_000)
  assertError(await writer.call('POST', '', { title: 'x', body: 'x'.repeat(2_200_000) }), 413, 'PAYLOAD_TOO_LARGE')
  const words = Array.from(
    { length: 60_000 },
    (_, at) => `${String.fromCodePoint(0x10400 + (at % 80))}${at.toString(36)}-x`,
  )
  const reply = await writer.call('POST', '', { title: 'x', body: words.join(' '), body_format: 'text' })
  assert.ok(reply.status === 200 || reply.status === 400, reply.text)
})

test('drafts are there for their owner and administrators, and for nobody else', async () => {
  const id = await writer.write({ slug: 'secret-draft' })
  for (const path of [`/id/${id}`, `/${id}`, '/secret-draft']) {
    assert.equal((await writer.call('GET', path)).status, 200)
    assert.equal((await admin.call('GET', path)).status, 200)
    for (const caller of [other, reader]) assertError(await caller.call('GET', path), 404, 'NOT_FOUND')
    assertError(await readAsStranger(app, path.slice(1)), 404, 'NOT_FOUND')
  }
})

const changes: [method: string, path: string, body?: object][] = [
  ['PUT', '', { title: 'mine' }],
  ['DELETE', ''],
  ['POST', '/publish'],
  ['POST', '/unpublish'],
  ['POST', '/schedule', { scheduled_at: '2040-01-01T00:00:00Z' }],
  ['GET', '/revisions'],
  ['GET', `/revisions/${nobody}`],
  ['POST', `/revisions/${nobody}/restore`],
]
test('only writers write, and only owners and administrators change: 404 while it is hidden, 403 when it can be read', async () => {
  const [draft, open] = await Promise.all([writer.write(), writer.write({ status: 'published' })])
  const before = (await auditOf(app, 'authz_denied')).length
  for (const [method, path, body] of changes) {
    assertError(await other.call(method, `/${draft}${path}`, body), 404, 'NOT_FOUND', path)
    assertError(await other.call(method, `/id/${open}${path}`, body), 403, 'FORBIDDEN', path)
    assertError(await reader.call(method, `/${open}${path}`, body), 403, 'FORBIDDEN', path)
    assertError(await writer.call(method, `/${nobody}${path}`, body), 404, 'NOT_FOUND', path)
    assertError(await writer.call(method, `/${draft.toUpperCase()}${path}`, body), 404, 'NOT_FOUND', path)
  }
  assertError(await writer.call('PUT', `/${open}`, { user_id: other.id }), 403, 'FORBIDDEN')
  assertError(await writer.call('DELETE', `/${open}?force=true`), 403, 'FORBIDDEN')
  assert.equal((await auditOf(app, 'authz_denied')).length, before + 2 * changes.length + 2)
  assert.equal((await writer.read(open)).json.data.title, 'Notes')
  assert.equal((await admin.call('PUT', `/${open}`, { user_id: other.id })).status, 200)
  assert.equal((await other.call('PUT', `/${open}`, { title: 'mine now' })).status, 200)
  assertError(await writer.call('PUT', `/${open}`, { title: 'mine' }), 403, 'FORBIDDEN')
})

test('auth is for full sessions, private for the owner, and both for administrators', async () => {
  const [forSessions, mine] = await Promise.all(
    ['auth', 'private'].map((visibility) => writer.write({ visibility, status: 'published' })),
  )
  const seenBy = async (id = '') => [
    (await readAsStranger(app, `id/${id}`)).status,
    ...(await Promise.all([reader, other, writer, admin].map(async (caller) => (await caller.read(id)).status))),
  ]
  assert.deepEqual(await seenBy(forSessions), [404, 200, 200, 200, 200])
  assert.deepEqual(await seenBy(mine), [404, 404, 404, 200, 200])
})

test('a password opens a post, wrong ones are counted by address and post, and it is shown nowhere', async () => {
  const id = await writer.write({ visibility: 'password', password: 'pässword', status: 'published' })
  const show = (password: string, from?: string) =>
    app.get(`/api/v1/posts/id/${id}`, {
      headers: { 'x-post-password': Buffer.from(password, 'utf8').toString('latin1') },
      ...(from && { from }),
    })
  assertError(await readAsStranger(app, `id/${id}`), 403, 'PASSWORD_REQUIRED')
  assertError(await show('wrong'), 403, 'PASSWORD_REQUIRED')
  const open = await show('pässword')
  assert.equal(open.status, 200)
  assert.equal(open.json.data.password_protected, true)
  assert.doesNotMatch(open.text, /argon2|password_hash/)
  assert.equal((await writer.read(id)).status, 200)
  const from = '198.51.100.7'
  for (let at = 0; at < 12; at++) assert.equal((await show('pässword', from)).status, 200, 'right ones are not counted')
  for (let at = 0; at < 10; at++) assertError(await show(`wrong ${at}`, from), 403, 'PASSWORD_REQUIRED')
  const limited = await show('pässword', from)
  assertError(limited, 429, 'RATE_LIMITED')
  assert.ok(Number(limited.headers['retry-after']) > 0)
  assertError(await show('pässword', from), 429, 'RATE_LIMITED')
  const ofPost = async (event: 'authz_denied' | 'rate_limited') =>
    (await auditOf(app, event)).filter(({ details }) => details.post_id === id)
  assert.deepEqual(
    [(await ofPost('authz_denied')).length, (await ofPost('rate_limited')).map(({ details }) => details.class)],
    [11, ['unlock']],
  )
  assert.equal((await show('pässword', '198.51.100.8')).status, 200)
  await writer.call('PUT', `/${id}`, { title: 'still locked' })
  assert.equal((await show('pässword')).status, 200)
  await writer.call('PUT', `/${id}`, { visibility: 'public' })
  const row = await app.ctx.db.selectFrom('posts').select('password_hash').where('id', '=', id).executeTakeFirst()
  assert.deepEqual(row, { password_hash: null })
  assertError(await writer.call('PUT', `/${id}`, { visibility: 'password' }), 400, 'VALIDATION_ERROR')
})

test('publishing or scheduling another version than the current one is refused', async () => {
  const id = await writer.write({ title: 'Read', body: 'read' })
  const { updated_at: expected_updated_at } = (await writer.read(id)).json.data
  await writer.call('PUT', `/${id}`, { body: 'not read' })
  const scheduled_at = '2099-01-01T00:00:00Z'
  for (const [path, body] of [
    ['publish', { expected_updated_at }],
    ['schedule', { expected_updated_at, scheduled_at }],
  ] as const)
    assertError(await writer.call('POST', `/${id}/${path}`, body), 409, 'EDIT_CONFLICT')
  assert.equal((await writer.read(id)).json.data.status, 'draft')
  const current = (await writer.read(id)).json.data.updated_at
  assert.equal((await writer.call('POST', `/${id}/publish`, { expected_updated_at: current })).status, 200)
})

test('a post goes from draft to published and back, and keeps the day of its first publication', async () => {
  const id = await writer.write()
  const state = async () => {
    const { status, published_at, scheduled_at } = (await writer.read(id)).json.data
    return [status, published_at, scheduled_at]
  }
  const first = later(0)
  assert.deepEqual((await writer.call('POST', `/${id}/publish`)).json.data, { id, status: 'published' })
  assert.deepEqual(await state(), ['published', (await state())[1], null])
  const [, publishedAt] = await state()
  assert.ok(publishedAt >= first)
  app.clock.advance(minute)
  assert.equal((await writer.call('POST', `/${id}/publish`)).status, 200)
  assert.equal((await writer.call('POST', `/${id}/unpublish`)).json.data.status, 'draft')
  assertError(await readAsStranger(app, `id/${id}`), 404, 'NOT_FOUND')
  assert.equal((await writer.call('PUT', `/${id}`, { status: 'published' })).status, 200)
  assert.deepEqual(await state(), ['published', publishedAt, null])
  const empty = (await writer.call('POST', '', { title: 'x' })).json.data.id
  assertError(await writer.call('POST', `/${empty}/publish`), 400, 'VALIDATION_ERROR')
})

test('what is scheduled is hidden until it is due, and published from then on, before any job has run', async () => {
  const id = await writer.write()
  const at = later(5 * minute)
  assert.deepEqual((await writer.call('POST', `/${id}/schedule`, { scheduledAt: at })).json.data, {
    id,
    status: 'scheduled',
    scheduled_at: at,
  })
  assertError(await readAsStranger(app, `id/${id}`), 404, 'NOT_FOUND')
  assertError(await writer.call('POST', `/${id}/schedule`, { scheduled_at: later(0) }), 400, 'VALIDATION_ERROR')
  app.clock.advance(5 * minute)
  const { status, published_at, scheduled_at } = (await readAsStranger(app, `id/${id}`)).json.data
  assert.deepEqual([status, published_at, scheduled_at], ['published', at, null])
  const direct = await writer.call('POST', '', {
    title: 'x',
    body: 'y',
    status: 'scheduled',
    scheduled_at: later(minute),
  })
  assert.equal(direct.json.data.status, 'scheduled')
})

test('whoever says what they have read does not overwrite what they have not', async () => {
  const id = await writer.write()
  const { updated_at } = (await writer.read(id)).json.data
  const change = (title: string) => writer.call('PUT', `/${id}`, { title, expected_updated_at: updated_at })
  const replies = await Promise.all([change('one'), change('two')])
  assert.deepEqual(replies.map(({ status }) => status).toSorted(), [200, 409])
  assertError(await change('three'), 409, 'EDIT_CONFLICT')
})

test('revisions keep what a post said, the newest first and no more than wanted; restoring loses nothing', async () => {
  const id = await writer.write({ title: 'first', body: '*a*' })
  await writer.call('PUT', `/${id}`, { metadata: { no: 'revision' } })
  const list = async () => (await writer.call('GET', `/${id}/revisions`)).json
  assert.equal((await list()).data.length, 1)
  await writer.call('PUT', `/${id}`, { title: 'second', status: 'published' })
  const { data, meta } = await list()
  assert.deepEqual(
    data.map(({ title }: { title: string }) => title),
    ['second', 'first'],
  )
  assert.deepEqual(meta, { page: 1, limit: 10, total: 2, pages: 1, has_more: false, cached: false })
  const oldest = data[1].id
  const detail = (await writer.call('GET', `/${id}/revisions/${oldest}`)).json.data
  assert.deepEqual([detail.body, detail.body_format, detail.fields], ['*a*', 'markdown', {}])
  const stale = { expected_updated_at: later(-day) }
  assertError(await writer.call('POST', `/${id}/revisions/${oldest}/restore`, stale), 409, 'EDIT_CONFLICT')
  const restored = await writer.call('POST', `/${id}/revisions/${oldest}/restore`)
  assert.deepEqual(restored.json.data, { id, revision_id: oldest, restored: true })
  const post = (await writer.read(id)).json.data
  assert.deepEqual([post.title, post.status, post.body_html], ['first', 'published', '<p><em>a</em></p>'])
  for (const title of ['a', 'b', 'c']) await writer.call('PUT', `/${id}`, { title })
  assert.deepEqual(
    (await list()).data.map(({ title }: { title: string }) => title),
    ['c', 'b', 'a'],
  )
  assertError(await writer.call('GET', `/${id}/revisions/${oldest}`), 404, 'NOT_FOUND')
})

test('each text becomes a revision once: what is there now before one is restored, too', async () => {
  const id = await writer.write({ title: 'first' })
  const list = async () => (await writer.call('GET', `/${id}/revisions`)).json.data
  const titles = async () => (await list()).map(({ title }: { title: string }) => title)
  await writer.call('PUT', `/${id}`, { title: 'second' })
  const [second, first] = await list()
  await writer.call('POST', `/${id}/revisions/${second.id}/restore`)
  assert.deepEqual(await titles(), ['second', 'first'], 'nothing else was said')
  await writer.call('POST', `/${id}/revisions/${first.id}/restore`)
  assert.deepEqual(await titles(), ['first', 'second', 'first'])
  await writer.call('PUT', `/${id}`, { title: 'third' })
  assert.deepEqual(await titles(), ['third', 'first', 'second'])

  // Deletes revisions to leave gaps in the history, as if revisions had been disabled for a while.
  await app.ctx.db.deleteFrom('post_revisions').where('post_id', '=', id).where('title', '<>', 'second').execute()
  const [kept] = await list()
  await writer.call('POST', `/${id}/revisions/${kept.id}/restore`)
  assert.deepEqual(await titles(), ['second', 'third', 'second'])
  await app.ctx.db.deleteFrom('post_revisions').where('post_id', '=', id).execute()
  await writer.call('PUT', `/${id}`, { title: 'fourth' })
  assert.deepEqual(await titles(), ['fourth', 'second'])
})

test('the trash gives the slug free and is emptied in time; administrators restore from it or empty it at once', async () => {
  const id = await writer.write({ slug: 'to-go', status: 'published' })
  assert.deepEqual((await writer.call('DELETE', `/${id}`)).json.data, { id, deleted: true })
  for (const caller of [writer, admin]) assertError(await caller.read(id), 404, 'NOT_FOUND')
  assertError(await writer.call('DELETE', `/${id}`), 404, 'NOT_FOUND')
  const heir = await other.write({ slug: 'to-go' })
  assertError(await writer.call('POST', `/${id}/restore`), 403, 'FORBIDDEN')
  assertError(await admin.call('POST', `/${heir}/restore`), 409, 'NOT_DELETED')
  assert.deepEqual((await admin.call('POST', `/${id}/restore`)).json.data, { id, restored: true, status: 'draft' })
  const { slug, status } = (await writer.read(id)).json.data
  assert.deepEqual([slug, status], ['to-go-2', 'draft'])
  await writer.call('DELETE', `/${id}`)
  assert.equal((await admin.call('DELETE', `/${id}?force=true`)).status, 200)
  assertError(await admin.call('POST', `/${id}/restore`), 404, 'NOT_FOUND')
  assert.equal((await auditOf(app, 'post_purged')).length, 1)
  assert.equal((await auditOf(app, 'post_restored')).length, 1)
  await other.call('DELETE', `/${heir}`)
  assert.equal((await purgePosts(app.ctx.db, new Date(app.clock.now() - day), 10)).length, 0)
  assert.equal((await purgePosts(app.ctx.db, new Date(app.clock.now() + day), 10)).length, 1)
})

test('what a writer creates is told as a whole, with its categories and with what extensions add', async () => {
  const reply = await writer.call('POST', '', {
    ...{ title: 'Told', body: '*Whole*', status: 'published', tag_ids: [], metadata: { series: 2 } },
  })
  const { data, meta } = reply.json
  assert.deepEqual([data, meta], [(await writer.read(data.id)).json.data, { cached: false }])
  assert.deepEqual([data.body_html, data.status, data.viewer.bookmarked], ['<p><em>Whole</em></p>', 'published', false])
})

test('a body that is a value of JSON is taken for no text, of a post as of its translation', async () => {
  const id = await writer.write({ body: 'words' })
  for (const reply of [
    await writer.call('PUT', `/${id}`, { body: { a: 1 } }),
    await writer.call('POST', `/id/${id}/translations`, { lang: 'fr', title: 'x', body: { a: 1 } }),
  ])
    assert.deepEqual(assertError(reply, 400, 'VALIDATION_ERROR')[0]?.field, 'body')
  assert.equal((await writer.read(id)).json.data.body, 'words')
  assert.equal((await writer.call('PUT', `/${id}`, { body: { a: 1 }, body_format: 'json' })).status, 200)
})
