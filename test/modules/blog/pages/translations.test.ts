import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { textOf } from '../../../screens/all-pages.ts'
import type { TestApp } from '../../../support/test-app.ts'
import { type Author, everybody, startBlog } from '../support.ts'
import { browserOf } from './support.ts'

let app: TestApp
let writer: Author
let other: Author
let admin: Author
before(async () => {
  app = await startBlog({ RATE_LIMIT_READ: '100000/1m', RATE_LIMIT_WRITE: '100000/1m' })
  ;[writer, other, admin] = await everybody(app, 'writer', 'writer', 'admin')
})
after(() => app?.stop())

const listOf = (id: string) => `/admin/content/posts/${id}/translations`
const translation = async (id: string, lang = 'es') =>
  (await writer.call('GET', `/id/${id}/translations`)).json.data.find((one: { lang: string }) => one.lang === lang)
const translate = (id: string, lang = 'es') =>
  writer.call('POST', `/id/${id}/translations`, { lang, title: 'Sobre máquinas', body: 'Vapor.', excerpt: 'Corto' })

test('a writer adds a language and translates next to the original', async () => {
  const id = await writer.write({ title: 'On engines', body: 'Water, *heated*.', excerpt: 'Short' })
  const browser = browserOf(app, writer)
  assert.match((await browser.open(`/admin/content/posts/${id}`)).text, new RegExp(`href="${listOf(id)}"`))
  const list = await browser.open(listOf(id))
  assert.match(textOf(list.text), /This post has no translations\./)
  assert.ok(list.text.includes(`href="${listOf(id)}/es"`), 'a link for a missing language')
  const chosen = await browser.open(`${listOf(id)}?lang=pt-br`)
  assert.equal(chosen.headers.location, `${listOf(id)}/pt-BR`)
  const page = await browser.open(`${listOf(id)}/es`)
  assert.match(page.text, /<textarea[^>]*id="source_body"[^>]*readonly[^>]*>\nWater, \*heated\*\./)
  assert.match(page.text, /id="source_title" readonly lang="en" value="On engines"/)
  const saved = await browser.send(`${listOf(id)}/es`, { title: 'Sobre máquinas', body: 'Agua.', excerpt: '' })
  assert.equal(saved.headers.location, `${listOf(id)}/es?done=translation`)
  assert.match((await browser.open(listOf(id))).text, new RegExp(`<a href="${listOf(id)}/es">Spanish</a>`))
  const { title, slug, body } = await translation(id)
  assert.deepEqual([title, slug, body], ['Sobre máquinas', 'sobre-maquinas', 'Agua.'])
  assert.equal((await writer.read(id)).json.data.body, 'Water, *heated*.')
})

test('a translation is changed and deleted, and refused values are marked', async () => {
  const id = await writer.write({ title: 'To change' })
  await translate(id)
  const path = `${listOf(id)}/es`
  const browser = browserOf(app, writer)
  const page = await browser.open(path)
  assert.match(page.text, /<textarea id="body"[^>]*>\nVapor\.<\/textarea>/)
  const refused = await browser.send(path, { title: '', slug: 'No Slug', body: 'canary', excerpt: '' })
  assert.equal(refused.status, 400)
  for (const name of ['title', 'slug']) assert.match(refused.text, new RegExp(`id="${name}-problem"`))
  assert.match(refused.text, />\ncanary<\/textarea>/)
  const saved = await browser.send(path, { title: 'Nuevo', slug: 'nuevo', body: 'Nuevo.', excerpt: '' })
  assert.equal(saved.headers.location, `${path}?done=translation`)
  const { title, slug, excerpt } = await translation(id)
  assert.deepEqual([title, slug, excerpt], ['Nuevo', 'nuevo', null])
  await browser.open(path)
  const removed = await browser.send(`${path}/delete`, {})
  assert.equal(removed.headers.location, `${listOf(id)}?done=noTranslation`)
  assert.equal(await translation(id), undefined)
})

test('a change by somebody else is not overwritten unnoticed, and no text is lost', async () => {
  const id = await writer.write({ title: 'Shared' })
  await translate(id)
  const path = `${listOf(id)}/es`
  const browser = browserOf(app, writer)
  await browser.open(path)
  await admin.call('PUT', `/id/${id}/translations/es`, { body: 'by the administrator' })
  const form = { title: 'Sobre máquinas', slug: '', body: 'by the writer', excerpt: '' }
  const refused = await browser.send(path, form)
  assert.equal(refused.status, 409)
  assert.match(textOf(refused.text), /Somebody else changed this translation/)
  assert.match(refused.text, />\nby the writer<\/textarea>/)
  assert.equal((await translation(id)).body, 'by the administrator')
  assert.equal((await browser.send(path, form)).status, 303)
  assert.equal((await translation(id)).body, 'by the writer')
})

test('a save refused for another reason still conflicts with a change by somebody else', async () => {
  const id = await writer.write({ title: 'Refused first' })
  await translate(id)
  const path = `${listOf(id)}/es`
  const browser = browserOf(app, writer)
  await browser.open(path)
  await admin.call('PUT', `/id/${id}/translations/es`, { body: 'by the administrator' })
  const form = { title: 'Sobre máquinas', slug: '', body: 'by the writer', excerpt: '' }
  assert.equal((await browser.send(path, { ...form, title: '' })).status, 400)
  assert.equal((await browser.send(path, { ...form, form_token: 'x' })).status, 400)
  assert.equal((await browser.send(path, form)).status, 409)
  assert.equal((await translation(id)).body, 'by the administrator')
})

test('a translation that somebody else has created or deleted meanwhile is not replaced unnoticed', async () => {
  const id = await writer.write({ title: 'Created twice' })
  const path = `${listOf(id)}/es`
  const form = { title: 'Mi título', body: 'by the writer', excerpt: '' }
  const browser = browserOf(app, writer)
  await browser.open(path)
  await translate(id)
  const created = await browser.send(path, form)
  assert.equal(created.status, 409)
  assert.match(created.text, />\nby the writer<\/textarea>/)
  assert.equal((await translation(id)).body, 'Vapor.')
  assert.equal((await browser.send(path, form)).status, 303)
  await browser.open(path)
  await writer.call('DELETE', `/id/${id}/translations/es`)
  const deleted = await browser.send(path, form)
  assert.equal(deleted.status, 409)
  assert.match(deleted.text, />\nby the writer<\/textarea>/)
  assert.equal(await translation(id), undefined)
  assert.equal((await browser.send(path, form)).status, 303)
  assert.equal((await translation(id)).title, 'Mi título')
})

test('other writers and forged forms change no translation', async () => {
  const id = await writer.write({ title: 'Guarded', status: 'published' })
  await translate(id)
  const path = `${listOf(id)}/es`
  for (const address of [listOf(id), path]) assert.equal((await browserOf(app, other).open(address)).status, 404)
  const forged = { title: 'Forged', body: 'x', form_token: 'x' }
  for (const action of [path, `${path}/delete`, `${listOf(id)}/fr`]) {
    const browser = browserOf(app, writer)
    await browser.open(path)
    const version = (await translation(id)).updated_at
    const form = { ...forged, ...(action === path && { version }), ...(action.endsWith('fr') && { version: '' }) }
    assert.equal((await browser.send(action, action.endsWith('delete') ? { form_token: 'x' } : form)).status, 400)
    const intruder = browserOf(app, other)
    await intruder.open('/admin/content')
    assert.equal((await intruder.send(action, {})).status, 404, action)
  }
  assert.equal((await translation(id)).title, 'Sobre máquinas')
  assert.equal(await translation(id, 'fr'), undefined)
})

test('the original and impossible languages lead elsewhere', async () => {
  const id = await writer.write({ title: 'Original' })
  const browser = browserOf(app, writer)
  assert.equal((await browser.open(`${listOf(id)}/en`)).headers.location, `/admin/content/posts/${id}`)
  assert.equal((await browser.open(`${listOf(id)}/not_one`)).status, 404)
  const wrong = await browser.open(`${listOf(id)}?lang=not_one`)
  assert.equal(wrong.status, 400)
  assert.match(wrong.text, /id="lang-problem"/)
})

test('markup in a translation stays text', async () => {
  const text = '</textarea>"><script>alert(1)</script>'
  const id = await writer.write({ title: text, body: text, excerpt: text })
  await writer.call('POST', `/id/${id}/translations`, { lang: 'es', title: text, body: text, excerpt: text })
  for (const path of [listOf(id), `${listOf(id)}/es`]) {
    const page = await browserOf(app, writer).open(path)
    assert.equal(page.status, 200)
    assert.doesNotMatch(page.text, /<script>alert/)
  }
})
