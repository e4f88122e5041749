import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertError } from '../../http/support.ts'
import { auditOf } from '../../support/rows.ts'
import type { TestApp } from '../../support/test-app.ts'
import { type Author, somebody } from '../blog/support.ts'
import { administrator, base, type Editor, field, startTypes } from './support.ts'

let app: TestApp
let admin: Editor
let writer: Author
before(async () => {
  app = await startTypes({ USER_TYPES: 'editor' })
  admin = await administrator(app)
  writer = await somebody(app)
})
after(() => app.stop())

const fieldsOf = (reply: Parameters<typeof assertError>[0]) =>
  assertError(reply, 400, 'VALIDATION_ERROR').map((problem) => problem.field)
const defaults = {
  public_by_default: true,
  enables_seo: false,
  enables_comments: true,
  enables_reactions: true,
  enables_bookmarks: true,
  enables_views: true,
  enables_scheduling: true,
  requires_approval: false,
  allows_password_visibility: true,
  default_visibility: 'public',
  allowed_body_formats: ['markdown', 'html', 'text', 'json'],
  max_per_author: 0,
}

test('two types are built in; the inactive one is listed only when it is asked for', async () => {
  const { json } = await app.get(base)
  assert.deepEqual(json.user_context, { authenticated: false })
  assert.deepEqual(Object.keys(json.meta), ['cached', 'total'])
  assert.equal(json.meta.total, 1)
  const [{ id, created_at, updated_at, ...post }] = json.data
  assert.match(id, /^[0-9a-f-]{36}$/)
  assert.equal(created_at, updated_at)
  assert.deepEqual(post, {
    type_key: 'post',
    type_name: 'Post',
    description: '',
    slug_prefix: '',
    field_schema: [],
    behaviors: { ...defaults, enables_seo: true },
    icon: '',
    color: '',
    is_active: true,
    is_built_in: true,
    sort_order: 0,
  })
  const all = await app.get(`${base}/?active=false`)
  assert.deepEqual(
    all.json.data.map((type: { type_key: string; is_active: boolean }) => [type.type_key, type.is_active]),
    [
      ['post', true],
      ['page', false],
    ],
  )
  for (const active of ['1', 'no', '']) assertError(await app.get(`${base}?active=${active}`), 400, 'VALIDATION_ERROR')
  assert.equal((await app.get(`${base}/page`)).json.data.is_active, false)
  for (const key of ['schema', 'reorder', 'Post', 'constructor', '__proto__', 'x'.repeat(200)])
    assertError(await app.get(`${base}/${key}`), 404, 'NOT_FOUND')
})

test('an administrator defines, changes and deletes a type; everybody reads it', async () => {
  const made = await admin.call('POST', '', {
    typeKey: 'recipe',
    typeName: ' Recipe ',
    slug_prefix: 'recipes',
    fieldSchema: [
      { name: 'minutes', label: 'Minutes', type: 'integer', required: true },
      { name: 'course', label: 'Course', type: 'select', options: ['Main', 'Dessert'], maxLength: null },
      { name: 'story', label: 'Story', type: 'textarea', maxLength: 500, placeholder: 'Once…', help: '.*' },
    ],
    behaviors: { enablesSeo: true, max_per_author: 3, theme: 'warm', public_by_default: false },
    icon: 'utensils',
    color: '#fa0',
  })
  assert.equal(made.status, 200, made.text)
  assert.deepEqual([made.json.user_context, made.json.meta], [{ authenticated: true, user_type: 'admin' }, {}])
  const { id, created_at, updated_at, ...recipe } = made.json.data
  const behaviors = {
    ...defaults,
    enables_seo: true,
    max_per_author: 3,
    theme: 'warm',
    public_by_default: false,
    default_visibility: 'private',
  }
  assert.deepEqual(recipe, {
    type_key: 'recipe',
    type_name: 'Recipe',
    description: '',
    slug_prefix: 'recipes',
    field_schema: [
      { name: 'minutes', label: 'Minutes', type: 'integer', required: true },
      { name: 'course', label: 'Course', type: 'select', required: false, options: ['Main', 'Dessert'] },
      { name: 'story', label: 'Story', type: 'textarea', required: false, max_length: 500, placeholder: 'Once…' },
    ],
    behaviors,
    icon: 'utensils',
    color: '#fa0',
    is_active: true,
    is_built_in: false,
    sort_order: 2,
  })
  assert.deepEqual((await app.get(`${base}/recipe`)).json, { data: made.json.data })
  const { type_key, type_name, field_schema } = recipe
  const schema = (await app.get(`${base}/recipe/schema`)).json
  assert.deepEqual(schema.data, { type_key, type_name, field_schema, behaviors })
  assert.deepEqual(schema.user_context, { authenticated: false })

  app.clock.advance(5)
  const changes = { type_key: 'other', is_built_in: true, behaviors: { theme: '', max_per_author: 0 }, icon: '' }
  const changed = (await admin.call('PUT', '/recipe', changes)).json.data
  assert.deepEqual(changed, {
    ...made.json.data,
    behaviors: Object.fromEntries(
      Object.entries({ ...behaviors, max_per_author: 0 }).filter(([name]) => name !== 'theme'),
    ),
    icon: '',
    updated_at: changed.updated_at,
  })
  assert.ok(changed.updated_at > updated_at)
  assert.equal((await app.get(`${base}/recipe`)).json.data.icon, '')

  assertError(await admin.call('POST', '', { type_key: 'recipe', type_name: 'x' }), 409, 'KEY_TAKEN')
  const taken = { type_key: 'meal', type_name: 'Meal', slug_prefix: 'recipes' }
  assertError(await admin.call('POST', '', taken), 409, 'SLUG_PREFIX_TAKEN')
  assertError(await admin.call('PUT', '/page', { slug_prefix: 'recipes' }), 409, 'SLUG_PREFIX_TAKEN')
  assert.deepEqual((await admin.call('DELETE', '/recipe')).json.data, { type_key: 'recipe', deleted: true })
  assertError(await app.get(`${base}/recipe`), 404, 'NOT_FOUND')
  const trail = (await auditOf(app, 'post_type_changed')).map(({ details }) => details)
  assert.deepEqual(trail.slice(-3), [
    { type_key: 'recipe', change: 'created' },
    { type_key: 'recipe', change: 'updated', members: ['icon', 'behaviors'] },
    { type_key: 'recipe', change: 'deleted' },
  ])
})

test('a change that expects another version of the type is refused', async () => {
  const { updated_at } = await admin.define('versioned')
  const change = (members: object) => admin.call('PUT', '/versioned', members)
  const first = await change({ type_name: 'One', expected_updated_at: updated_at })
  assert.equal(first.status, 200, first.text)
  // Both versions are saved at the same time of the test clock.
  assert.ok(first.json.data.updated_at > String(updated_at))
  assertError(await change({ type_name: 'Two', expected_updated_at: updated_at }), 409, 'EDIT_CONFLICT')
  await admin.call('POST', '/reorder', { order: [{ type_key: 'versioned', sort_order: 77 }] })
  const stale = { type_name: 'Three', expected_updated_at: first.json.data.updated_at }
  assertError(await change(stale), 409, 'EDIT_CONFLICT')
  assert.equal((await change({ description: 'unconditional' })).json.data.type_name, 'One')
  assert.deepEqual(fieldsOf(await change({ type_name: '', expected_updated_at: 'x' })), ['expected_updated_at'])
  assert.equal((await admin.call('DELETE', '/versioned')).status, 200)
  assertError(await change({ expected_updated_at: updated_at }), 404, 'NOT_FOUND')
})

test('built-in types stay, and `post` stays active', async () => {
  assertError(await admin.call('DELETE', '/post'), 409, 'BUILT_IN')
  assertError(await admin.call('DELETE', '/page'), 409, 'BUILT_IN')
  assertError(await admin.call('POST', '/post/deactivate'), 409, 'BUILT_IN')
  assertError(await admin.call('PUT', '/post', { is_active: false }), 409, 'BUILT_IN')
  const active = { type_key: 'page', is_active: true }
  assert.deepEqual((await admin.call('POST', '/page/activate')).json.data, active)
  assert.deepEqual((await admin.call('POST', '/page/activate')).json.data, active)
  assert.equal((await app.get(base)).json.meta.total, 2)
  assert.deepEqual((await admin.call('POST', '/page/deactivate')).json.data, { ...active, is_active: false })
  assert.equal((await app.get(base)).json.meta.total, 1)
})

test('types are put in order, by their places or by numbers', async () => {
  for (const key of ['b-type', 'a-type']) await admin.define(key, { sort_order: 7 })
  const keys = async () =>
    (await app.get(`${base}?active=false`)).json.data.map(({ type_key }: { type_key: string }) => type_key)
  assert.deepEqual(await keys(), ['post', 'page', 'a-type', 'b-type'])
  const reply = await admin.call('POST', '/reorder', { order: ['b-type', 'post'] })
  assert.deepEqual(reply.json.data, [
    { type_key: 'b-type', sort_order: 0 },
    { type_key: 'page', sort_order: 1 },
    { type_key: 'post', sort_order: 1 },
    { type_key: 'a-type', sort_order: 7 },
  ])
  await admin.call('POST', '/reorder', {
    order: [
      { type_key: 'post', sort_order: 0 },
      { type_key: 'b-type', sort_order: 9 },
    ],
  })
  assert.deepEqual(await keys(), ['post', 'page', 'a-type', 'b-type'])
  const bad = [['post', 'post'], ['nothing'], [{ type_key: 'post', sort_order: -1 }], [{ type_key: 'post' }], [{}], [1]]
  for (const order of bad) {
    const named = fieldsOf(await admin.call('POST', '/reorder', { order }))
    assert.match(String(named[0]), /^order/, JSON.stringify(order))
  }
  assertError(await admin.call('POST', '/reorder', {}), 400, 'VALIDATION_ERROR')
  for (const key of ['a-type', 'b-type']) await admin.call('DELETE', `/${key}`)
})

test('what a definition must not say is named, and nothing is written', async () => {
  const long = 'x'.repeat(10_000)
  const one = (more: object) => ({ field_schema: [{ name: 'x', label: 'X', type: 'text', ...more }] })
  const at = (name: string) => `field_schema.0.${name}`
  const cases: [Record<string, unknown>, string][] = [
    ...['', 'A', 'ab!', '1a', 'a', 'x'.repeat(41), 'id', 'schema', 'reorder', 'constructor', 'ｒecipe', 'é1'].map(
      (type_key): [Record<string, unknown>, string] => [{ type_key }, 'type_key'],
    ),
    [{ type_name: ' ' }, 'type_name'],
    [{ type_name: 'x'.repeat(81) }, 'type_name'],
    [{ type_name: 7 }, 'type_name'],
    [{ description: 'x'.repeat(501) }, 'description'],
    [{ description: 'a\u0007' }, 'description'],
    [{ slug_prefix: 'A' }, 'slug_prefix'],
    [{ slug_prefix: 'a/b' }, 'slug_prefix'],
    [{ icon: '<svg>' }, 'icon'],
    [{ icon: 'x'.repeat(65) }, 'icon'],
    [{ color: 'red' }, 'color'],
    [{ color: '#ggg' }, 'color'],
    [{ is_active: 'true' }, 'is_active'],
    [{ sort_order: -1 }, 'sort_order'],
    [{ sort_order: 10_001 }, 'sort_order'],
    [{ field_schema: {} }, 'field_schema'],
    [{ field_schema: ['text'] }, 'field_schema.0'],
    [
      { field_schema: Array.from({ length: 61 }, (_, n) => ({ name: `f${n}`, label: 'x', type: 'text' })) },
      'field_schema',
    ],
    [{ field_schema: [...one({}).field_schema, ...one({}).field_schema] }, 'field_schema.1.name'],
    [one({ name: undefined }), at('name')],
    [one({ name: 'Title' }), at('name')],
    ...['title', 'body', 'seo', 'constructor', 'prototype', 'x'.repeat(41), 'a-b'].map(
      (name): [Record<string, unknown>, string] => [one({ name }), at('name')],
    ),
    [one({ label: undefined }), at('label')],
    [one({ label: '' }), at('label')],
    [one({ label: long }), at('label')],
    [one({ type: 'regex' }), at('type')],
    [one({ pattern: '^(a+)+$' }), at('pattern')],
    [one({ regex: '' }), at('regex')],
    [one({ type: 'constructor' }), at('type')],
    [one({ type: undefined }), at('type')],
    [one({ required: 1 }), at('required')],
    [one({ placeholder: 'x'.repeat(201) }), at('placeholder')],
    [one({ options: ['a'] }), at('options')],
    [one({ type: 'select' }), at('options')],
    [one({ type: 'select', options: [] }), at('options')],
    [one({ type: 'select', options: ['a', 'a'] }), at('options')],
    [one({ type: 'select', options: [long] }), at('options.0')],
    [one({ type: 'select', options: [''] }), at('options.0')],
    [one({ type: 'select', options: Array.from({ length: 101 }, String) }), at('options')],
    [one({ max_length: 0 }), at('max_length')],
    [one({ max_length: 100_001 }), at('max_length')],
    [one({ max_length: '5' }), at('max_length')],
    [one({ type: 'integer', max_length: 5 }), at('max_length')],
    [one({ max_length: 5, maxLength: 6 }), at('max_length')],
    [{ behaviors: [] }, 'behaviors'],
    [{ behaviors: { enables_seo: 'yes' } }, 'behaviors.enables_seo'],
    [{ behaviors: { max_per_author: -1 } }, 'behaviors.max_per_author'],
    [{ behaviors: { max_per_author: 1.5 } }, 'behaviors.max_per_author'],
    [{ behaviors: { default_visibility: 'secret' } }, 'behaviors.default_visibility'],
    [
      { behaviors: { default_visibility: 'password', allows_password_visibility: false } },
      'behaviors.default_visibility',
    ],
    [{ behaviors: { allowed_body_formats: [] } }, 'behaviors.allowed_body_formats'],
    [{ behaviors: { allowed_body_formats: ['pdf'] } }, 'behaviors.allowed_body_formats'],
    [{ behaviors: { allowed_body_formats: ['text', 'text'] } }, 'behaviors.allowed_body_formats'],
    [{ behaviors: { further: 1 } }, 'behaviors.further'],
    [{ behaviors: { further: 'x'.repeat(501) } }, 'behaviors.further'],
    [{ behaviors: { 'a-b': 'x' } }, 'behaviors.a-b'],
    [{ behaviors: { constructor: 'x' } }, 'behaviors.constructor'],
    [{ behaviors: Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`k${n}`, 'x'])) }, 'behaviors'],
    [{ behaviors: { allowed_read_types: 'writer,nobody' } }, 'behaviors.allowed_read_types'],
  ]
  for (const [members, expected] of cases) {
    const reply = await admin.call('POST', '', { type_key: 'refused', type_name: 'Refused', ...members })
    assert.deepEqual(fieldsOf(reply), [expected], `${JSON.stringify(members).slice(0, 200)} → ${reply.text}`)
  }
  const text = (raw: string) => admin.call('POST', '', raw)
  assert.deepEqual(fieldsOf(await text('{"type_key":"ab","type_name":"\\ud800"}')), ['type_name'])
  fieldsOf(await text('{"type_key":"ab","type_name":"x","behaviors":{"__proto__":{"enables_seo":true}}}'))
  fieldsOf(
    await text('{"type_key":"ab","type_name":"x","field_schema":[{"name":"__proto__","label":"x","type":"text"}]}'),
  )
  const several = await admin.call('POST', '', {
    type_key: 'ab',
    type_name: '',
    icon: '!',
    color: '!',
    ...one({ type: 'x' }),
  })
  assert.deepEqual(fieldsOf(several), ['type_name', 'field_schema.0.type', 'icon', 'color'])
  assert.equal((await app.get(`${base}?active=false`)).json.meta.total, 2)
})

test('only administrators change types, and writers try values', async () => {
  const asWriter = (method: string, path: string, body: unknown) =>
    app.call(method, base + path, {
      headers: { 'x-session-id': writer.sessionToken },
      body,
    })
  for (const [method, path] of [
    ['POST', ''],
    ['PUT', '/page'],
    ['DELETE', '/page'],
    ['POST', '/page/activate'],
    ['POST', '/page/deactivate'],
    ['POST', '/reorder'],
  ] as const)
    assertError(
      await asWriter(method, path, { type_key: 'mine', type_name: 'Mine', order: ['page'] }),
      403,
      'FORBIDDEN',
    )
  await admin.define('tried', { field_schema: [field('integer', { required: true }), field('email')] })
  const attempt = (body: unknown) => asWriter('POST', '/tried/validate', body)
  assert.deepEqual((await attempt({ fields: { a_integer: 3 } })).json, {
    data: { valid: true, errors: [] },
    user_context: { authenticated: true, user_type: 'writer' },
    meta: {},
  })
  const missing = { field: 'fields.a_integer', message: 'is required' }
  assert.deepEqual((await attempt({})).json.data, { valid: false, errors: [missing] })
  assert.deepEqual((await attempt({ publish: false })).json.data, { valid: true, errors: [] })
  const { errors } = (await attempt({ fields: { a_integer: '3', a_email: 'x', other: 1 } })).json.data
  assert.deepEqual(
    errors.map((problem: { field: string }) => problem.field),
    ['fields.a_integer', 'fields.a_email', 'fields.other'],
  )
  const { json } = await attempt({ fields: { a_email: 'x' } })
  assert.deepEqual(
    json.data.errors.map((problem: { field: string }) => problem.field),
    ['fields.a_email', 'fields.a_integer'],
  )
  assertError(await attempt({ fields: [] }), 400, 'VALIDATION_ERROR')
  assertError(await asWriter('POST', '/nothing/validate', {}), 404, 'NOT_FOUND')
  assertError(await app.post(`${base}/tried/validate`, {}), 401, 'INVALID_SESSION')
})
