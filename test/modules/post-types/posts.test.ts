import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { hour } from '../../../src/lib/time.ts'
import { stateAfterEdit } from '../../../src/modules/blog/states.ts'
import { assertError } from '../../http/support.ts'
import { auditOf } from '../../support/rows.ts'
import type { Reply, TestApp } from '../../support/test-app.ts'
import { type Author, everybody, readAsStranger, somebody } from '../blog/support.ts'
import { administrator, type Editor, field, startTypes } from './support.ts'

let app: TestApp
let types: Editor
let writer: Author
let other: Author
let reader: Author
let admin: Author
before(async () => {
  app = await startTypes()
  types = await administrator(app)
  ;[writer, other, reader, admin] = await everybody(app, 'writer', 'writer', 'customer', 'admin')
})
after(() => app.stop())

const refused = (reply: Reply, ...expected: string[]) =>
  assert.deepEqual(
    assertError(reply, 400, 'VALIDATION_ERROR').map((problem) => problem.field),
    expected,
    reply.text,
  )
const later = () => new Date(app.clock.now() + hour).toISOString()
const typed = async (name: string, id: string, who: Author = writer) => (await who.read(id)).json.data[name]

/** Creates a post type, and posts of that type by the writer. */
async function defineFor(key: string, members: Record<string, unknown> = {}) {
  await types.define(key, members)
  return {
    create: (more: Record<string, unknown> = {}, who: Author = writer) =>
      who.call('POST', '', { title: key, body: 'Some words.', post_type: key, ...more }),
    write: (more: Record<string, unknown> = {}, who: Author = writer) =>
      who.write({ title: key, post_type: key, ...more }),
  }
}

test('posts say their type and fields, and of types with seo what search engines are told', async () => {
  const plain = (await writer.read(await writer.write())).json.data
  assert.deepEqual([plain.post_type, plain.fields, plain.seo.noindex], ['post', {}, false])
  const { write } = await defineFor('note')
  const id = await write({ status: 'published' })
  const note = (await readAsStranger(app, id)).json.data
  assert.deepEqual([note.post_type, note.fields, 'seo' in note], ['note', {}, false])
  refused(await writer.call('PUT', `/${id}`, { seo: { seo_title: 'x' } }), 'seo')
  refused(await writer.call('POST', '', { title: 'x', post_type: 'nothing' }), 'post_type')
})

test('seo is merged by name, in both spellings, and checked', async () => {
  const id = await writer.write({
    seo: { seoTitle: ' A title ', canonical_url: 'https://example.com/a b', noindex: true, other: 1, og_title: null },
  })
  await writer.call('PUT', `/${id}`, { seo: { seo_title: '', og_description: 'x', ogImage: 'http://example.com/i' } })
  assert.deepEqual(await typed('seo', id), {
    seo_title: null,
    seo_description: null,
    seo_keywords: null,
    canonical_url: 'https://example.com/a%20b',
    og_title: null,
    og_description: 'x',
    og_image: 'http://example.com/i',
    noindex: true,
  })
  const seo = {
    seo_title: 'x'.repeat(71),
    seo_description: 7,
    canonical_url: 'javascript:alert(1)',
    og_image: 'data:text/html,x',
    og_title: 'a\nb',
    noindex: 'yes',
  }
  refused(await writer.call('PUT', `/${id}`, { seo }), ...Object.keys(seo).map((name) => `seo.${name}`))
  refused(await writer.call('PUT', `/${id}`, { seo: { seo_title: 'a', seoTitle: 'b' } }), 'seo.seo_title')
})

const kinds: [type: string, given: unknown, shown: unknown, bad: unknown[]][] = [
  ['text', 'Cafe\u0301', 'Café', ['a\nb', 7, 'x'.repeat(1001), 'a\u0000b', 'a\u0007']],
  ['textarea', 'a\nb', 'a\nb', ['x'.repeat(20_001), ['a']]],
  ['richtext', '<p onclick=x>a<script>b</script></p>', '<p>a</p>', ['x'.repeat(100_001), {}]],
  ['number', -0.5, -0.5, ['1', true, Number.POSITIVE_INFINITY]],
  ['integer', 2 ** 53 - 1, 2 ** 53 - 1, [1.5, 2 ** 53, '1']],
  ['boolean', false, false, ['false', 0]],
  ['date', '2028-02-29', '2028-02-29', ['2027-02-29', '2028-2-1', '2028-02-29T00:00:00Z', 20280229]],
  ['datetime', '2028-02-29T12:00:00+02:00', '2028-02-29T10:00:00.000Z', ['2028-02-29T12:00:00', '2028-02-29', 'now']],
  ['email', 'Ada.L@EXAMPLE.com', 'Ada.L@example.com', ['ada', 'a@b', '<a@example.com>', 'a@example.com\nb']],
  ['url', 'https://example.com/ä', 'https://example.com/%C3%A4', ['javascript:alert(1)', '/a', 'https://u:p@x.y', 'x']],
  ['image', 'http://example.com/i.webp', 'http://example.com/i.webp', ['data:image/png;base64,AA']],
  ['file', 'https://example.com/f', 'https://example.com/f', ['file:///etc/passwd']],
  ['select', 'one', 'one', ['three', 'constructor', ['one']]],
  ['multiselect', ['two', 'one'], ['two', 'one'], ['one', ['one', 'one'], ['three']]],
  ['color', '#fA0', '#fA0', ['red', '#ffff', '#fa0;']],
  ['json', { a: [1, null, 'e\u0301'] }, { a: [1, null, 'é'] }, [{ constructor: 1 }, { a: { prototype: 1 } }]],
]

test('a field takes what its type takes, and says what is wrong with the rest', async () => {
  const { create, write } = await defineFor('all', { field_schema: kinds.map(([type]) => field(type)) })
  const valuesOf = (index: 1 | 2) => Object.fromEntries(kinds.map((kind) => [`a_${kind[0]}`, kind[index]]))
  const id = await write({ fields: valuesOf(1), status: 'published' })
  assert.deepEqual((await readAsStranger(app, id)).json.data.fields, valuesOf(2))
  for (const [type, , shown, bad] of kinds) {
    const name = `a_${type}`
    for (const value of bad) {
      const body = JSON.stringify({ fields: { [name]: value } }).replace('null', '1e400')
      assert.equal((await writer.call('PUT', `/${id}`, body)).status, 400, `${type} ${body.slice(0, 100)}`)
      assert.match((await writer.call('PUT', `/${id}`, body)).text, new RegExp(`"field":"fields.${name}`))
    }
    assert.deepEqual((await typed('fields', id))[name], shown, type)
  }
  const nested = (depth: number): unknown => (depth === 0 ? 1 : [nested(depth - 1)])
  assert.equal((await create({ fields: { a_json: nested(10) } })).status, 200)
  refused(await create({ fields: { a_json: nested(11) } }), 'fields.a_json')
  refused(await create({ fields: { a_json: ['x'.repeat(9000), 'x'.repeat(9000)] } }), 'fields.a_json')
  refused(
    await create({ fields: { constructor: 1, toString: 1, other: null } }),
    'fields.constructor',
    'fields.toString',
    'fields.other',
  )
  assert.match(
    (await writer.call('POST', '', '{"title":"x","post_type":"all","fields":{"a_text":"\\ud800"}}')).text,
    /fields\.a_text/,
  )
  refused(await create({ fields: [] }), 'fields')
  refused(await writer.call('POST', '', { title: 'x', fields: { a_text: 'x' } }), 'fields.a_text')
})

test('fields are merged by name: null clears, and what is not mentioned stays', async () => {
  const { write } = await defineFor('merged', {
    field_schema: [field('text'), field('url'), field('multiselect'), field('boolean')],
  })
  const id = await write({ fields: { a_text: 'one', a_url: 'http://example.com/', a_multiselect: ['one'] } })
  await writer.call('PUT', `/${id}`, { fields: { a_text: null, a_url: '', a_boolean: false } })
  assert.deepEqual(await typed('fields', id), { a_multiselect: ['one'], a_boolean: false })
  const { updated_at } = (await writer.read(id)).json.data
  assert.deepEqual((await writer.call('GET', `/${id}/revisions`)).json.meta.total, 2)
  await writer.call('PUT', `/${id}`, { fields: { a_boolean: false } })
  assert.deepEqual((await writer.call('GET', `/${id}/revisions`)).json.meta.total, 2, 'nothing else was said')
  assert.notEqual((await writer.read(id)).json.data.updated_at, updated_at)
  const revisions = (await writer.call('GET', `/${id}/revisions`)).json.data
  const first = `/${id}/revisions/${revisions.at(-1).id}`
  assert.deepEqual((await writer.call('GET', first)).json.data.fields, {
    a_text: 'one',
    a_url: 'http://example.com/',
    a_multiselect: ['one'],
  })
  assert.equal((await writer.call('POST', `${first}/restore`)).status, 200)
  assert.equal((await typed('fields', id)).a_text, 'one')
})

test('required fields count from the moment at which a post waits or is out', async () => {
  const required = ['text', 'multiselect', 'boolean', 'integer', 'richtext', 'json'].map((type) =>
    field(type, { required: true }),
  )
  const { create, write } = await defineFor('strict', { field_schema: required })
  const all = required.map(({ name }) => `fields.${name}`)
  for (const status of ['published', 'pending', 'scheduled'])
    refused(await create({ status, scheduled_at: later() }), ...all)
  const empty = { a_text: '', a_multiselect: [], a_boolean: false, a_integer: 0, a_richtext: '', a_json: [] }
  const id = await write({ fields: empty })
  const missing = ['a_text', 'a_multiselect', 'a_richtext', 'a_json'].map((name) => `fields.${name}`)
  refused(await writer.call('POST', `/${id}/publish`), ...missing)
  refused(await writer.call('POST', `/${id}/schedule`, { scheduled_at: later() }), ...missing)
  refused(await writer.call('PUT', `/${id}`, { status: 'published' }), ...missing)
  const full = { a_text: 'x', a_multiselect: ['one'], a_richtext: '<p>x</p>', a_json: 0 }
  assert.equal((await writer.call('PUT', `/${id}`, { status: 'published', fields: full })).status, 200)
  refused(await writer.call('PUT', `/${id}`, { fields: { a_integer: null } }), 'fields.a_integer')
  assert.equal((await writer.read(id)).json.data.fields.a_integer, 0)
})

test('a value stays hidden while its field is gone, and is null while it does not fit it', async () => {
  const of = (...types: string[]) => ({ field_schema: types.map((type) => field(type, { name: 'x' })) })
  const { write } = await defineFor('moving', of('textarea'))
  const attack = '<img src=x onerror=alert(1)>'
  const id = await write({ fields: { x: attack }, status: 'published' })
  const seen = async () => (await readAsStranger(app, id)).json.data.fields
  for (const [type, shown] of [
    ['text', attack],
    ['richtext', null],
    ['url', null],
    ['json', null],
    ['integer', null],
  ] as const) {
    await types.call('PUT', '/moving', of(type))
    assert.deepEqual(await seen(), { x: shown }, type)
  }
  await types.call('PUT', '/moving', { field_schema: [] })
  assert.deepEqual(await seen(), {})
  refused(await writer.call('PUT', `/${id}`, { fields: { x: 'y' } }), 'fields.x')
  assert.equal((await writer.call('PUT', `/${id}`, { excerpt: 'y' })).status, 200)
  await types.call('PUT', '/moving', of('json'))
  await writer.call('PUT', `/${id}`, { fields: { x: { html: attack } } })
  await types.call('PUT', '/moving', of('richtext'))
  assert.deepEqual(await seen(), { x: null }, 'what looks like stored HTML is none')
  await types.call('PUT', '/moving', of('textarea'))
  assert.deepEqual(await seen(), { x: null })
})

test('a type decides on formats, visibility, and what a new post has', async () => {
  const { create, write } = await defineFor('narrow', {
    behaviors: {
      allowed_body_formats: ['text', 'html'],
      default_visibility: 'auth',
      allows_password_visibility: false,
      enables_comments: false,
      enables_reactions: false,
    },
  })
  const id = await write({ comments_enabled: true })
  const { body_format, visibility, comments_enabled, reactions_enabled } = (await writer.read(id)).json.data
  assert.deepEqual([body_format, visibility, comments_enabled, reactions_enabled], ['text', 'auth', false, false])
  await writer.call('PUT', `/${id}`, { comments_enabled: true })
  assert.equal(await typed('comments_enabled', id), false)
  refused(
    await create({ body_format: 'markdown', visibility: 'password', password: 'open it' }),
    'body_format',
    'visibility',
  )
  refused(await writer.call('PUT', `/${id}`, { visibility: 'password', password: 'open it' }), 'visibility')
  const markdown = await writer.write({ visibility: 'password', password: 'open it' })
  refused(await writer.call('PUT', `/${markdown}`, { post_type: 'narrow' }), 'body_format', 'visibility')
  assert.equal(
    (await writer.call('PUT', `/${markdown}`, { post_type: 'narrow', body_format: 'text', visibility: 'auth' })).status,
    200,
  )
  const locked = await defineFor('locked', { behaviors: { default_visibility: 'password' } })
  refused(await locked.create(), 'password')
  assert.equal((await locked.create({ password: 'open it' })).status, 200)
  const hidden = await defineFor('hidden', { behaviors: { public_by_default: false } })
  assert.equal(await typed('visibility', await hidden.write()), 'private')
})

test('nothing is created or published in an inactive type, and its posts are for owners and administrators', async () => {
  const { create, write } = await defineFor('paused')
  const [out, draft] = [await write({ status: 'published' }), await write()]
  await types.call('POST', '/paused/deactivate')
  assertError(await create(), 409, 'POST_TYPE_INACTIVE')
  assertError(await create({}, admin), 409, 'POST_TYPE_INACTIVE')
  assertError(await writer.call('POST', `/${draft}/publish`), 409, 'POST_TYPE_INACTIVE')
  assertError(await writer.call('PUT', `/${draft}`, { status: 'published' }), 409, 'POST_TYPE_INACTIVE')
  const plain = await writer.write()
  assertError(await writer.call('PUT', `/${plain}`, { post_type: 'paused' }), 409, 'POST_TYPE_INACTIVE')
  assert.equal((await writer.call('PUT', `/${draft}`, { title: 'Still mine' })).status, 200)
  for (const who of [writer, admin]) assert.equal((await who.read(out)).status, 200)
  for (const who of [other, reader]) assertError(await who.read(out), 404, 'NOT_FOUND')
  assertError(await readAsStranger(app, out), 404, 'NOT_FOUND')
  assertError(await readAsStranger(app, 'paused'), 404, 'NOT_FOUND')
  assertError(await other.call('PUT', `/${out}`, { title: 'x' }), 404, 'NOT_FOUND')
  await types.call('POST', '/paused/activate')
  assert.equal((await readAsStranger(app, out)).status, 200)
})

test('where a type wants approval, a writer gets no further than waiting for it', async () => {
  const { write, create } = await defineFor('checked', { behaviors: { requires_approval: true } })
  assert.equal((await create({ status: 'published' })).json.data.status, 'pending')
  const at = later()
  const id = (await create({ status: 'scheduled', scheduled_at: at })).json.data.id
  const stands = async () => {
    const { status, scheduled_at, published_at } = (await writer.read(id)).json.data
    return [status, scheduled_at, published_at]
  }
  assert.deepEqual(await stands(), ['pending', at, null])
  assert.equal((await writer.call('POST', `/${id}/publish`)).json.data.status, 'pending')
  await writer.call('PUT', `/${id}`, { status: 'published' })
  assert.deepEqual(await stands(), ['pending', at, null])
  assertError(await readAsStranger(app, id), 404, 'NOT_FOUND')
  assert.equal((await admin.call('POST', `/${id}/schedule`, { scheduled_at: at })).json.data.status, 'scheduled')
  assert.equal((await writer.call('PUT', `/${id}`, { status: 'scheduled', scheduled_at: at })).status, 200)
  assert.deepEqual(await stands(), ['scheduled', at, null])
  const schedule = () => admin.call('POST', `/${id}/schedule`, { scheduled_at: at })
  for (const change of [{ title: 'New words' }, { body: 'New body', status: 'scheduled', scheduled_at: at }]) {
    assert.equal((await writer.call('PUT', `/${id}`, change)).status, 200)
    assert.deepEqual(await stands(), ['pending', at, null], 'the approval does not cover the new words')
    await schedule()
  }
  const [revision] = (await writer.call('GET', `/${id}/revisions`)).json.data
  assert.equal((await writer.call('POST', `/${id}/revisions/${revision.id}/restore`)).status, 200)
  assert.deepEqual(await stands(), ['pending', at, null])
  await schedule()
  assert.equal((await admin.call('PUT', `/${id}`, { title: 'Words of an administrator' })).status, 200)
  assert.deepEqual(await stands(), ['scheduled', at, null])
  assert.equal((await writer.call('POST', `/${id}/publish`)).json.data.status, 'pending')
  assert.equal((await admin.call('POST', `/${id}/publish`)).json.data.status, 'published')
  await writer.call('PUT', `/${id}`, { title: 'Later words' })
  assert.equal((await readAsStranger(app, id)).json.data.title, 'Later words')
  assert.equal((await writer.call('POST', `/${id}/unpublish`)).json.data.status, 'draft')
  assert.equal((await writer.call('POST', `/${id}/publish`)).json.data.status, 'pending')

  const moved = await writer.write({ status: 'published' })
  await writer.call('PUT', `/${moved}`, { post_type: 'checked' })
  assert.equal(await typed('status', moved), 'pending', 'no way around through another type')
  refused(await writer.call('POST', `/${await write({ body: '' })}/publish`), 'body')
})

test('with POST_EDIT_APPROVAL, an edit by a writer of a published post awaits approval again', () => {
  const strict = { ...app.ctx.config, POST_EDIT_APPROVAL: true }
  const { type, user } = { type: { requiresApproval: true }, user: { id: 'x', user_type: 'writer' } } as never
  const state = { status: 'published', published_at: new Date(), scheduled_at: null } as const
  assert.equal(stateAfterEdit(strict, type, user, state).status, 'pending')
  assert.equal(stateAfterEdit(app.ctx.config, type, user, state).status, 'published')
  assert.equal(stateAfterEdit(strict, type, { id: 'x', user_type: 'admin' } as never, state).status, 'published')
  assert.equal(stateAfterEdit(strict, { requiresApproval: false } as never, user, state).status, 'published')
})

test('a type without schedules refuses them', async () => {
  const { create, write } = await defineFor('prompt', { behaviors: { enables_scheduling: false } })
  assertError(await create({ status: 'scheduled', scheduled_at: later() }), 409, 'SCHEDULING_DISABLED')
  const id = await write()
  const times = { scheduled_at: later() }
  assertError(await writer.call('POST', `/${id}/schedule`, times), 409, 'SCHEDULING_DISABLED')
  assertError(await writer.call('PUT', `/${id}`, { status: 'scheduled', ...times }), 409, 'SCHEDULING_DISABLED')
  assert.equal(await typed('status', id), 'draft')
})

test('an author has no more posts of a type than it allows; the trash does not count, nor does it bind administrators', async () => {
  const { create, write } = await defineFor('rare', { behaviors: { max_per_author: 1 } })
  const id = await write()
  assertError(await create(), 409, 'MAX_PER_AUTHOR')
  const plain = await writer.write()
  assertError(await writer.call('PUT', `/${plain}`, { post_type: 'rare' }), 409, 'MAX_PER_AUTHOR')
  assert.equal((await writer.call('PUT', `/${id}`, { title: 'Mine', post_type: 'rare' })).status, 200)
  assert.equal((await create({}, other)).status, 200)
  for (const _ of [1, 2]) assert.equal((await create({}, admin)).status, 200)
  await writer.call('DELETE', `/${id}`)
  assert.equal((await create()).status, 200)
})

test('a type may be for some types of users alone', async () => {
  const { write, create } = await defineFor('closed')
  const id = await write({ status: 'published' }, other)
  const restrict = (behaviors: object) => types.call('PUT', '/closed', { behaviors })
  assert.equal(
    (await restrict({ allowed_create_types: 'customer', allowed_read_types: ' customer, writer ' })).status,
    200,
  )
  assertError(await create(), 403, 'FORBIDDEN')
  assert.equal((await auditOf(app, 'authz_denied')).at(-1)?.details.post_type, 'closed')
  const plain = await writer.write()
  assertError(await writer.call('PUT', `/${plain}`, { post_type: 'closed' }), 403, 'FORBIDDEN')
  assert.equal((await create({}, admin)).status, 200)
  assertError(await readAsStranger(app, id), 404, 'NOT_FOUND')
  for (const who of [writer, reader, admin]) assert.equal((await who.read(id)).status, 200)
  const { rows } = await app.database
    .query<{ c: string[]; r: string[] }>(
      `SELECT allowed_create_types AS c, allowed_read_types AS r FROM post_types WHERE type_key = 'closed'`,
      [],
    )
    .then((found) => ({ rows: found }))
  assert.deepEqual(rows, [{ c: ['customer'], r: ['customer', 'writer'] }])
  await restrict({ allowed_read_types: 'customer' })
  assertError(await other.read(id), 404, 'NOT_FOUND')
  assert.equal((await reader.read(id)).status, 200)
  await restrict({ allowed_create_types: '', allowed_read_types: '' })
  assert.equal((await create()).status, 200)
  assert.equal((await readAsStranger(app, id)).status, 200)
})

test('a type with posts goes only when another takes them', async () => {
  const { write } = await defineFor('leaving', { field_schema: [field('text')] })
  const id = await write({ fields: { a_text: 'kept' }, status: 'published' })
  await writer.call('DELETE', `/${await write()}`)
  const details = assertError(await types.call('DELETE', '/leaving'), 409, 'IN_USE')
  assert.deepEqual(details, [{ field: 'posts', message: '2' }])
  for (const to of ['nothing', 'leaving', ''])
    refused(await types.call('DELETE', `/leaving?reassign_to=${to}`), 'reassign_to')
  assert.equal((await types.call('DELETE', '/leaving?reassignTo=post')).status, 200)
  const { post_type, fields } = (await readAsStranger(app, id)).json.data
  assert.deepEqual([post_type, fields], ['post', {}])
  refused(await writer.call('POST', '', { title: 'x', post_type: 'leaving' }), 'post_type')
})

test('lists hold, and count, what the types let somebody see', async () => {
  const [open, closed, own] = [await defineFor('open-l'), await defineFor('closed-l'), await defineFor('own-l')]
  for (const type of [open, closed, own]) {
    for (const who of [writer, other]) await type.write({ status: 'published' }, who)
  }
  await types.call('PUT', '/closed-l', { behaviors: { allowed_read_types: 'customer' } })
  await types.call('POST', '/own-l/deactivate')
  const seen = async (query: string, who?: Author) => {
    const path = `/api/v1/posts?limit=100&${query}`
    const { json, text } = await app.get(path, who && { headers: { 'x-session-id': who.sessionToken } })
    assert.equal(json.data?.length, json.meta?.total, `${path} ${text}`)
    const keys = json.data.map(({ post_type }: { post_type: string }) => post_type)
    return ['open-l', 'closed-l', 'own-l'].map((key) => keys.filter((one: string) => one === key).length)
  }
  for (const query of ['', `published_after=2020-01-01T12:00:00Z`, 'sort=title', 'visibility=public']) {
    assert.deepEqual(await seen(query), [2, 0, 0], query)
    assert.deepEqual(await seen(query, writer), [2, 0, 1], query)
    assert.deepEqual(await seen(query, reader), [2, 2, 0], query)
    assert.deepEqual(await seen(query, admin), [2, 2, 2], query)
  }
  assert.deepEqual(await seen('mine=true', writer), [1, 0, 1])
  assert.deepEqual(await seen(`author=${other.id}`, writer), [1, 0, 0])
  assert.deepEqual(await seen('post_type=own-l', writer), [0, 0, 1])
  assert.deepEqual(await seen('post_type=closed-l', writer), [0, 0, 0])
  const ofType = async (key: string, who: Author) => (await types.call('GET', `/${key}/posts?author=${who.id}`)).json
  const { data, meta, user_context } = await ofType('own-l', other)
  assert.deepEqual([data.length, meta.total, meta.cached, user_context.user_type], [1, 1, false, 'admin'])
  assert.deepEqual((await app.get('/api/v1/post-types/own-l/posts?post_type=post')).json.data, [])
  assertError(await app.get('/api/v1/post-types/nothing/posts'), 404, 'NOT_FOUND')
  assertError(await app.get('/api/v1/post-types/own-l/posts?sort=size'), 400, 'VALIDATION_ERROR')
})

test('sitemap and feeds hold posts of open types alone, under the prefix of the type, and none with noindex', async () => {
  const [open, closed, off] = [
    await defineFor('map-open', { slug_prefix: 'maps', behaviors: { enables_seo: true } }),
    await defineFor('map-closed', { behaviors: { allowed_read_types: 'writer' } }),
    await defineFor('map-off'),
  ]
  for (const type of [open, closed, off]) await type.write({ status: 'published' })
  await open.write({ status: 'published', seo: { noindex: true }, slug: 'map-open-unseen' })
  await types.call('POST', '/map-off/deactivate')
  const { data } = (await app.get('/api/v1/posts/sitemap?limit=1000')).json
  const slugs = data.map(({ slug }: { slug: string }) => slug).filter((slug: string) => slug.startsWith('map-'))
  assert.deepEqual(slugs, ['map-open'])
  const { url } = data.find(({ slug }: { slug: string }) => slug === 'map-open')
  assert.match(url, /\/blog\/maps\/map-open$/)
  const feed = await app.get('/api/v1/posts/feed.json?limit=50')
  assert.match(feed.text, /maps\/map-open"/)
  assert.doesNotMatch(feed.text, /map-closed|map-off|map-open-unseen/)
})

test('categories, tags and authors count what everyone may read, of no type that hides its posts', async () => {
  const quiet = await somebody(app, 'writer')
  const made = (path: string) => admin.call('POST', path, { name: 'Numbers' })
  const [category, tag] = [(await made('/categories')).json.data.id, (await made('/tags')).json.data.id]
  const under = { category_ids: [category], tag_ids: [tag] }
  const [closed, off] = [await defineFor('closed-n'), await defineFor('off-n')]
  for (const type of [closed, off]) {
    await type.write({ ...under, status: 'published' }, quiet)
    await type.write({ ...under, status: 'scheduled', scheduled_at: later() }, quiet)
  }
  app.clock.advance(2 * hour)
  const get = async (path: string) => (await app.get(`/api/v1/posts/${path}`)).json
  const counts = async () =>
    Promise.all([
      ...[`categories/${category}`, `tags/${tag}`].map(async (path) => (await get(path)).data.post_count),
      get(`authors/${quiet.id}`).then(({ data }) => data?.post_count ?? 0),
      get('authors?limit=100').then(
        ({ data }) => data.find((one: { id: string }) => one.id === quiet.id)?.post_count ?? 0,
      ),
    ])
  assert.deepEqual(await counts(), [4, 4, 4, 4])
  await types.call('PUT', '/closed-n', { behaviors: { allowed_read_types: 'customer' } })
  assert.deepEqual(await counts(), [2, 2, 2, 2])
  await types.call('POST', '/off-n/deactivate')
  assert.deepEqual(await counts(), [0, 0, 0, 0])
  assertError(await app.get(`/api/v1/posts/authors/${quiet.id}`), 404, 'NOT_FOUND')
  await quiet.write({ ...under, status: 'published' })
  assert.deepEqual(await counts(), [1, 1, 1, 1])
})
