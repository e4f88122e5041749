import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { textOf } from '../../screens/all-pages.ts'
import { signedInAs } from '../../support/people.ts'
import type { TestApp } from '../../support/test-app.ts'
import { browserOf } from '../blog/pages/support.ts'
import { type Author, somebody } from '../blog/support.ts'
import { administrator, type Editor, startTypes } from './support.ts'

let app: TestApp
let api: Editor
let writer: Author
before(async () => {
  app = await startTypes({ RATE_LIMIT_READ: '100000/1m', RATE_LIMIT_WRITE: '100000/1m' })
  ;[api, writer] = await Promise.all([administrator(app), somebody(app)])
})
after(() => app?.stop())

const home = '/admin/post-types'
const create = `${home}/new`
const pathOf = (key: string) => `${home}/types/${key}`
const administratorsBrowser = async () => browserOf(app, await signedInAs(app, 'admin'))
const read = async (key: string) => (await api.call('GET', `/${key}`)).json.data
/** The values that the form on a page would send if nothing were changed. */
function formIn(html: string): Record<string, string> {
  const form = html.split('<form class="editor"')[1]?.split('</form>')[0] ?? ''
  const values: Record<string, string> = {}
  for (const [tag] of form.matchAll(/<input [^>]*>/g)) {
    const [, name] = / name="([^"]*)"/.exec(tag) ?? []
    if (name === undefined) continue
    if (!tag.includes('type="checkbox"')) values[name] = textOf(/ value="([^"]*)"/.exec(tag)?.[1] ?? '')
    else if (tag.includes(' checked')) values[name] = 'on'
  }
  for (const [, name = '', text = ''] of form.matchAll(/<textarea [^>]*name="([^"]*)"[^>]*>\n([\s\S]*?)<\/textarea>/g))
    values[name] = textOf(text)
  for (const [, name = '', list = ''] of form.matchAll(/<select [^>]*name="([^"]*)"[^>]*>([\s\S]*?)<\/select>/g))
    values[name] = /value="([^"]*)" selected/.exec(list)?.[1] ?? ''
  return values
}
const fieldNames = (html: string) =>
  [...html.matchAll(/id="field_\d+_name"[^>]* value="([^"]*)"/g)].map(([, name]) => name)

test('a type is defined field by field without a script', async () => {
  const browser = await administratorsBrowser()
  let page = await browser.open(create)
  const text = { type_key: 'recipe', type_name: 'Recipe', slug_prefix: 'recipes' }
  page = await browser.send(create, { ...formIn(page.text), ...text, action: 'add' })
  assert.deepEqual([page.status, formIn(page.text).type_key], [200, 'recipe'])
  const first = { field_0_name: 'minutes', field_0_label: 'Minutes', field_0_type: 'integer', field_0_required: 'on' }
  page = await browser.send(create, { ...formIn(page.text), ...first, action: 'add' })
  const second = {
    ...{ field_1_name: 'course', field_1_label: 'Course', field_1_type: 'select' },
    field_1_options: 'Starter\n\n Main \n',
  }
  page = await browser.send(create, { ...formIn(page.text), ...second, action: 'add' })
  page = await browser.send(create, { ...formIn(page.text), action: 'up_1' })
  assert.deepEqual(fieldNames(page.text), ['course', 'minutes', ''])
  page = await browser.send(create, { ...formIn(page.text), action: 'drop_2' })
  assert.deepEqual(fieldNames(page.text), ['course', 'minutes'])
  assert.equal((await api.call('GET', '/recipe')).status, 404)
  const saved = await browser.send(create, { ...formIn(page.text), action: 'save' })
  assert.equal(saved.headers.location, `${pathOf('recipe')}?done=created`, textOf(saved.text))
  const { field_schema, slug_prefix, is_active, behaviors } = await read('recipe')
  assert.deepEqual(field_schema, [
    { name: 'course', label: 'Course', type: 'select', required: false, options: ['Starter', 'Main'] },
    { name: 'minutes', label: 'Minutes', type: 'integer', required: true },
  ])
  assert.deepEqual([slug_prefix, is_active, behaviors.enables_comments], ['recipes', true, true])
  const list = textOf((await browser.open(home)).text)
  assert.match(list, /Recipe.*Course.*One choice.*Minutes.*Required.*Whole number/s)
})

test('refused values are marked on their fields, and everything entered is kept', async () => {
  const browser = await administratorsBrowser()
  const page = await browser.open(create)
  const wrong = {
    ...{ type_key: 'Not A Key', type_name: 'Canary', slug_prefix: 'no/prefix', rows: '2' },
    ...{ field_0_name: 'Bad Name', field_0_label: 'Good', field_0_type: 'text' },
    ...{ field_1_name: 'choice', field_1_label: 'Choice', field_1_type: 'select', behavior_max_per_author: 'many' },
  }
  const problemsIn = (html: string) =>
    [...html.matchAll(/<p class="problem" id="([^"]*)-problem"/g)].map(([, id]) => id)
  const key = await browser.send(create, { ...formIn(page.text), ...wrong, action: 'save' })
  assert.equal(key.status, 400)
  assert.deepEqual(problemsIn(key.text), ['type_key'])
  const refused = await browser.send(create, { ...formIn(key.text), type_key: 'canary', action: 'save' })
  assert.equal(refused.status, 400)
  assert.deepEqual(problemsIn(refused.text), [
    ...['slug_prefix', 'field_0_name', 'field_1_options', 'behavior_max_per_author'],
  ])
  assert.match(textOf(refused.text), /Nothing was saved\. Correct the marked fields\./)
  assert.deepEqual([formIn(refused.text).type_name, formIn(refused.text).field_0_name], ['Canary', 'Bad Name'])
})

test('a taken key or prefix is marked on its field', async () => {
  await api.define('taken', { slug_prefix: 'taken' })
  const browser = await administratorsBrowser()
  const page = await browser.open(create)
  const send = (members: object) =>
    browser.send(create, { ...formIn(page.text), type_name: 'Again', ...members, action: 'save' })
  const key = await send({ type_key: 'taken' })
  assert.equal(key.status, 409)
  assert.match(key.text, /id="type_key-problem"/)
  assert.match((await send({ type_key: 'again', slug_prefix: 'taken' })).text, /id="slug_prefix-problem"/)
})

test('a change that affects existing posts is saved only after its effects were shown', async () => {
  await api.define('book', {
    slug_prefix: 'books',
    field_schema: [
      { name: 'pages', label: 'Pages', type: 'integer' },
      { name: 'genre', label: 'Genre', type: 'select', options: ['Novel', 'Poem'] },
      { name: 'note', label: 'Note', type: 'text', max_length: 100 },
      { name: 'isbn', label: 'ISBN', type: 'text' },
    ],
  })
  const browser = await administratorsBrowser()
  const path = pathOf('book')
  let page = await browser.open(path)
  page = await browser.send(path, { ...formIn(page.text), action: 'drop_3' })
  const changes = {
    ...{ field_0_required: 'on', field_1_options: 'Novel', field_2_max_length: '50', slug_prefix: 'tomes' },
    is_active: '',
  }
  const warned = await browser.send(path, { ...formIn(page.text), ...changes, action: 'save' })
  assert.equal(warned.status, 200)
  const text = textOf(warned.text)
  for (const effect of [
    /“ISBN” is removed\. Stored values are kept/,
    /“Pages” becomes required/,
    /“Genre” no longer has these options: Poem/,
    /“Note” with more than 50 characters/,
    /addresses of all posts of this type change/,
    /read only by their owners and administrators/,
  ])
    assert.match(text, effect)
  assert.equal((await read('book')).field_schema.length, 4)
  const { accepted: _shown, ...unread } = formIn(warned.text)
  assert.equal((await browser.send(path, { ...unread, accepted: '', action: 'save' })).status, 200)
  const saved = await browser.send(path, { ...formIn(warned.text), action: 'save' })
  assert.equal(saved.headers.location, `${path}?done=saved`)
  const { field_schema, slug_prefix, is_active } = await read('book')
  assert.deepEqual([field_schema.length, slug_prefix, is_active], [3, 'tomes', false])
})

test('a change without effects is saved at once, and a later version is not replaced unnoticed', async () => {
  await api.define('note', { behaviors: { enables_views: false, editor_hint: 'kept' } })
  const browser = await administratorsBrowser()
  const path = pathOf('note')
  const form = formIn((await browser.open(path)).text)
  assert.equal(form.behavior_enables_views, undefined)
  const saved = await browser.send(path, {
    ...form,
    type_name: 'Notice',
    behavior_enables_comments: '',
    action: 'save',
  })
  assert.equal(saved.headers.location, `${path}?done=saved`, textOf(saved.text))
  const { type_name, behaviors } = await read('note')
  assert.deepEqual(
    [type_name, behaviors.enables_comments, behaviors.enables_views, behaviors.editor_hint],
    ['Notice', false, false, 'kept'],
  )
  const stale = formIn((await browser.open(path)).text)
  await api.call('PUT', '/note', { type_name: 'By somebody else' })
  const conflict = await browser.send(path, { ...stale, description: 'mine', action: 'save' })
  assert.match(textOf(conflict.text), /Somebody else changed this type/)
  assert.equal((await read('note')).type_name, 'By somebody else')
  await api.call('PUT', '/note', { type_name: 'By somebody else again' })
  const again = await browser.send(path, { ...formIn(conflict.text), action: 'save' })
  assert.match(textOf(again.text), /Somebody else changed this type/, 'the effects were accepted for an older version')
  assert.equal((await read('note')).type_name, 'By somebody else again')
  const accepted = await browser.send(path, { ...formIn(again.text), action: 'save' })
  assert.equal(accepted.headers.location, `${path}?done=saved`)
  assert.equal((await read('note')).description, 'mine')
})

test('a change that the page has not read yet is not replaced either', async () => {
  await api.define('cached')
  const browser = await administratorsBrowser()
  const path = pathOf('cached')
  const form = formIn((await browser.open(path)).text)
  // As on a node that has not been told of the change yet.
  const change = { type_name: 'On another node', updated_at: new Date(app.clock.now() + 1000) }
  await app.ctx.db.updateTable('post_types').set(change).where('type_key', '=', 'cached').execute()
  const refused = await browser.send(path, { ...form, type_name: 'Mine', action: 'save' })
  assert.equal(refused.status, 409)
  assert.match(textOf(refused.text), /Somebody else has just changed this type/)
  assert.equal(formIn(refused.text).type_name, 'Mine')
  // Any change of a type updates the cached definitions.
  await api.define('cached-too')
  assert.equal((await read('cached')).type_name, 'On another node')
  const warned = await browser.send(path, { ...formIn(refused.text), action: 'save' })
  assert.match(textOf(warned.text), /Your version replaces the other version/)
  const saved = await browser.send(path, { ...formIn(warned.text), action: 'save' })
  assert.equal(saved.headers.location, `${path}?done=saved`)
})

test('a type with posts is deleted only together with a type for its posts', async () => {
  await api.define('draft-type')
  const id = await writer.write({ post_type: 'draft-type' })
  const browser = await administratorsBrowser()
  const path = `${pathOf('draft-type')}/delete`
  await browser.open(pathOf('draft-type'))
  const refused = await browser.send(path, { reassign_to: '' })
  assert.equal(refused.status, 409)
  assert.match(textOf(refused.text), /1 post has this type\. Choose the type/)
  const deleted = await browser.send(path, { reassign_to: 'post' })
  assert.equal(deleted.headers.location, `${home}?done=deleted`)
  assert.equal((await writer.read(id)).json.data.post_type, 'post')
  assert.doesNotMatch((await browser.open(pathOf('post'))).text, /\/delete"/)
})

test('writers see no types in the console, and forged forms change nothing', async () => {
  await api.define('guarded')
  for (const path of [home, create, pathOf('guarded')]) {
    assert.equal((await browserOf(app, writer).open(path)).status, 403, path)
    assert.equal((await browserOf(app).open(path)).headers.location, '/login', path)
  }
  const path = pathOf('guarded')
  const browser = await administratorsBrowser()
  const form = formIn((await browser.open(path)).text)
  const forged = { ...form, type_name: 'Forged', form_token: 'x', action: 'save' }
  assert.equal((await browser.send(path, forged)).status, 400)
  assert.equal((await browser.send(`${path}/delete`, { form_token: 'x' })).status, 400)
  assert.equal((await browser.send(create, { ...forged, type_key: 'forged' })).status, 400)
  assert.equal((await browserOf(app, writer).send(path, { ...form, action: 'save' })).status, 403)
  assert.equal((await read('guarded')).type_name, 'guarded')
  assert.equal((await api.call('GET', '/forged')).status, 404)
  assert.equal((await browser.open(pathOf('unknown'))).status, 404)
})

test('markup in names and fields stays text', async () => {
  const text = '"><script>alert(1)</script>'
  const field = { name: 'a', label: text, type: 'select', options: [text], placeholder: text }
  await api.define('markup', { type_name: text, description: text, field_schema: [field] })
  const browser = await administratorsBrowser()
  for (const path of [home, pathOf('markup')]) {
    const page = await browser.open(path)
    assert.equal(page.status, 200)
    assert.doesNotMatch(page.text, /<script>alert/)
  }
})

test('posts of a type with the prefix preview keep their addresses, next to the previews', async () => {
  await api.define('teaser', { slug_prefix: 'preview' })
  const members = { post_type: 'teaser', title: 'Soon in cinemas' }
  const id = await writer.write({ ...members, status: 'published' })
  const { slug } = (await writer.read(id)).json.data
  const page = await browserOf(app).open(`/blog/preview/${slug}`)
  assert.equal(page.status, 200)
  assert.match(textOf(page.text), /Soon in cinemas/)
  const draft = await writer.write({ ...members, title: 'Not announced' })
  const { token } = (await writer.call('POST', `/id/${draft}/preview-links`, {})).json.data
  assert.match(textOf((await browserOf(app).open(`/blog/preview/${token}`)).text), /Not announced/)
})

test('the preview of a published post leads to its page only if everyone may read posts of its type', async () => {
  await api.define('internal')
  const id = await writer.write({ post_type: 'internal', title: 'For customers' })
  const { token } = (await writer.call('POST', `/id/${id}/preview-links`, {})).json.data
  await writer.call('POST', `/id/${id}/publish`, {})
  const preview = () => browserOf(app).open(`/blog/preview/${token}`)
  assert.deepEqual([(await preview()).status, (await preview()).headers.location], [303, '/blog/for-customers'])
  for (const members of [
    { behaviors: { allowed_read_types: 'customer' } },
    { behaviors: { allowed_read_types: '' }, is_active: false },
  ]) {
    await api.call('PUT', '/internal', members)
    const page = await preview()
    assert.equal(page.status, 200, JSON.stringify(members))
    assert.match(textOf(page.text), /This post isn’t public\..*For customers/s)
    assert.equal((await browserOf(app).open('/blog/for-customers')).status, 404)
  }
})
