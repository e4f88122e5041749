import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { TestApp } from '../../support/test-app.ts'
import { browserOf } from '../blog/pages/support.ts'
import { type Author, somebody } from '../blog/support.ts'
import { administrator, field, startTypes } from './support.ts'

let app: TestApp
let writer: Author
before(async () => {
  app = await startTypes({
    RATE_LIMIT_READ: '100000/1m',
    RATE_LIMIT_WRITE: '100000/1m',
    POST_EDIT_APPROVAL: 'true',
  })
  writer = await somebody(app)
  const kinds = ['text', 'textarea', 'richtext', 'number', 'integer', 'boolean', 'date', 'datetime', 'email']
  const others = ['url', 'select', 'multiselect', 'color', 'json']
  const admin = await administrator(app)
  await admin.define('recipe', {
    slug_prefix: 'recipes',
    field_schema: [...kinds, ...others].map((kind) => field(kind)),
  })
})
after(() => app?.stop())

const create = '/admin/content/new'
const usual = { lang: 'en', post_type: 'recipe', body_format: 'markdown', visibility: 'public' }

test('the editor has the fields of the post type, and the API checks their values', async () => {
  const browser = browserOf(app, writer)
  await browser.open(`${create}?type=recipe`)
  const entered = {
    field_a_text: 'plain "text"',
    field_a_textarea: 'two\nlines',
    field_a_richtext: '<b>bold</b><script>alert(1)</script>',
    field_a_number: '1.5',
    field_a_integer: '30',
    field_a_boolean: 'on',
    field_a_date: '2030-01-31',
    field_a_datetime: '2030-01-31T09:00',
    field_a_email: 'ada@example.com',
    field_a_url: 'https://example.com/',
    field_a_select: 'two',
    'field_a_multiselect.1': 'on',
    field_a_color: '#ffaa00',
    field_a_json: '{"a": [1]}',
  }
  const form = { ...usual, title: 'A soup', body: 'Boil.', ...entered, action: 'publish' }
  const refused = await browser.send(create, { ...form, field_a_integer: 'many' })
  assert.equal(refused.status, 400)
  assert.match(refused.text, /id="field_a_integer-problem"/)
  assert.match(refused.text, /value="plain &quot;text&quot;"/)
  const saved = await browser.send(create, form)
  assert.equal(saved.status, 303)
  const [path = ''] = String(saved.headers.location).split('?')
  const { data } = (await writer.read(path.split('/').at(-1) ?? '')).json
  assert.deepEqual(data.fields, {
    a_text: 'plain "text"',
    a_textarea: 'two\nlines',
    a_richtext: '<b>bold</b>',
    a_number: 1.5,
    a_integer: 30,
    a_boolean: true,
    a_date: '2030-01-31',
    a_datetime: '2030-01-31T09:00:00.000Z',
    a_email: 'ada@example.com',
    a_url: 'https://example.com/',
    a_select: 'two',
    a_multiselect: ['two'],
    a_color: '#ffaa00',
    a_json: { a: [1] },
  })
  const editor = await browser.open(path)
  for (const shown of [
    /name="field_a_multiselect\.1" checked/,
    /value="2030-01-31T09:00"/,
    /<option value="two" selected/,
  ])
    assert.match(editor.text, shown)
  assert.match(editor.text, /href="\/blog\/recipes\/a-soup"/)
})

test('a post is read below the prefix of its type', async () => {
  assert.equal((await browserOf(app).open('/blog/recipes/a-soup')).status, 200)
  assert.equal((await browserOf(app).open('/blog/a-soup')).headers.location, '/blog/recipes/a-soup')
  assert.equal((await browserOf(app).open('/blog/others/a-soup')).headers.location, '/blog/recipes/a-soup')
})

test('the editor tells a writer when approval is needed, and lets an administrator publish', async () => {
  const types = await administrator(app)
  await types.define('checked', { behaviors: { requires_approval: true } })
  const administers = await somebody(app, 'admin')
  const id = await writer.write({ post_type: 'checked', title: 'Checked' })
  const path = `/admin/content/posts/${id}`
  const [asWriter, asAdmin] = [browserOf(app, writer), browserOf(app, administers)]
  const form = { ...usual, post_type: 'checked', title: 'Checked', body: 'Words.' }

  const draft = (await asWriter.open(path)).text
  assert.match(draft, />Send for approval</)
  assert.doesNotMatch(draft, /needs approval again/)
  const sent = await asWriter.send(path, { ...form, action: 'publish' })
  const pending = (await asWriter.open(String(sent.headers.location))).text
  assert.match(pending, /The post awaits approval\./)
  assert.doesNotMatch(pending, /value="publish"/)

  assert.match((await asAdmin.open(path)).text, />Publish now</)
  await asAdmin.send(path, { ...form, action: 'publish' })
  assert.doesNotMatch((await asAdmin.open(path)).text, /needs approval again/)
  assert.match((await asWriter.open(path)).text, /If you save changes, the post needs approval again\./)
  const edited = await asWriter.send(path, { ...form, body: 'Other words.', action: 'save' })
  assert.match(String(edited.headers.location), /done=pending$/)
})
