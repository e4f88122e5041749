import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { day } from '../../../../src/lib/time.ts'
import { tagsOf, textOf } from '../../../screens/all-pages.ts'
import { signedInAs, withSession } from '../../../support/people.ts'
import type { TestApp } from '../../../support/test-app.ts'
import { type Author, everybody, startBlog } from '../support.ts'
import { browserOf } from './support.ts'

let app: TestApp
let writer: Author
let other: Author
before(async () => {
  const limits = { RATE_LIMIT_READ: '100000/1m', RATE_LIMIT_WRITE: '100000/1m', RATE_LIMIT_PREVIEW_LINK: '1000/1m' }
  app = await startBlog({ BLOG_TITLE: 'Engine notes', ...limits })
  ;[writer, other] = await everybody(app, 'writer', 'writer')
})
after(() => app?.stop())

const editorOf = (id: string) => `/admin/content/posts/${id}`
const linkIn = (html: string) => /<input id="preview-url"[^>]* value="([^"]*)"/.exec(html)?.[1]
const pathOf = (url: string | undefined) => new URL(url ?? '').pathname
const open = (path: string) => browserOf(app).open(path)
async function linkTo(id: string): Promise<string> {
  const { json } = await writer.call('POST', `/id/${id}/preview-links`, {})
  return pathOf(json.data.url)
}

test('a writer creates a link in the editor, and a visitor reads the post without an account', async () => {
  const id = await writer.write({ title: 'From the editor', body: 'Water, *heated*.', visibility: 'private' })
  const browser = browserOf(app, writer)
  await browser.open(editorOf(id))
  const created = await browser.send(`${editorOf(id)}/preview-links`, {})
  assert.equal(created.status, 200, created.text)
  assert.match(textOf(created.text), /The preview link is created/)
  const page = await open(pathOf(linkIn(created.text)))
  assert.equal(page.status, 200)
  assert.match(page.text, /<p>Water, <em>heated<\/em>\.<\/p>/)
  assert.match(textOf(page.text), /Preview\.\s+This post isn’t public\..*The link expires on /s)
  assert.equal(linkIn((await browser.open(editorOf(id))).text), undefined)
})

test('a preview is not indexed, cached, counted or sent in the Referer header', async () => {
  const id = await writer.write({ title: 'Hidden from robots', body: '[Out](https://example.com/)' })
  const page = await open(await linkTo(id))
  assert.equal(page.headers['cache-control'], 'no-store')
  assert.equal(page.headers['referrer-policy'], 'no-referrer')
  assert.match(page.text, /<meta name="robots" content="noindex">/)
  assert.deepEqual(
    tagsOf(page.text).filter(({ name }) => name === 'script'),
    [],
  )
  assert.doesNotMatch(page.text, /property="og:|rel="canonical"|application\/ld\+json/)
  assert.equal((await writer.call('GET', `/id/${id}/stats`)).json.data.views, 0)
})

test('the visitor is told whether the link expired or no longer works', async () => {
  const id = await writer.write({ title: 'Canary of a title', body: 'canary' })
  const [path, revoked] = [await linkTo(id), await linkTo(await writer.write({ title: 'Canary of a title' }))]
  const trashed = await writer.write({ title: 'Canary of a title' })
  const gone = await linkTo(trashed)
  await writer.call('DELETE', `/id/${trashed}`)
  for (const dead of [gone, `/blog/preview/pvw_${'A'.repeat(43)}`]) {
    const page = await open(dead)
    assert.equal(page.status, 404)
    assert.match(textOf(page.text), /This preview link doesn’t work/)
    assert.doesNotMatch(page.text, /Canary of a title/)
  }
  assert.equal((await open(revoked)).status, 200)
  app.clock.advance(7 * day)
  const page = await open(path)
  assert.deepEqual([page.status, page.headers['cache-control']], [410, 'no-store'])
  assert.match(textOf(page.text), /This preview link has expired.*valid for 7 days/s)
  assert.doesNotMatch(page.text, /Canary of a title/)
  ;[writer, other] = await everybody(app, 'writer', 'writer')
})

test('links are listed and revoked in the editor', async () => {
  const id = await writer.write({ title: 'Revoked' })
  const path = await linkTo(id)
  const browser = browserOf(app, writer)
  assert.match(textOf((await browser.open(editorOf(id))).text), /Valid until .*Created on /s)
  const answer = await browser.send(`${editorOf(id)}/preview-links/revoke`, {})
  assert.equal(answer.headers.location, `${editorOf(id)}?done=noPreviewLinks`)
  assert.equal((await open(path)).status, 404)
})

test('forged forms and other writers create and revoke no links', async () => {
  const id = await writer.write({ title: 'Not forged' })
  const path = await linkTo(id)
  for (const action of [`${editorOf(id)}/preview-links`, `${editorOf(id)}/preview-links/revoke`]) {
    const browser = browserOf(app, writer)
    await browser.open(editorOf(id))
    assert.equal((await browser.send(action, { form_token: 'x' })).status, 400, action)
    const intruder = browserOf(app, other)
    await intruder.open('/admin/content')
    assert.equal((await intruder.send(action, {})).status, 404, action)
  }
  assert.equal((await writer.call('GET', `/id/${id}/preview-links`)).json.data.length, 1)
  assert.equal((await open(path)).status, 200)
})

test('the preview of a published public post leads to its page, and other visibilities keep the preview', async () => {
  const id = await writer.write({ title: 'Now public' })
  const path = await linkTo(id)
  await writer.call('POST', `/id/${id}/publish`, {})
  const answer = await open(path)
  assert.deepEqual([answer.status, answer.headers.location], [303, '/blog/now-public'])
  await writer.call('PUT', `/id/${id}`, { visibility: 'auth' })
  assert.equal((await open(path)).status, 200)
  assert.equal((await open('/blog/now-public')).status, 404)
})

test('the languages of a preview lead to previews', async () => {
  const id = await writer.write({ title: 'In two languages' })
  await writer.call('POST', `/id/${id}/translations`, { lang: 'es', title: 'En dos idiomas', body: 'Vapor.' })
  const path = await linkTo(id)
  assert.match((await open(path)).text, new RegExp(`href="${path}\\?lang=es"`))
  const spanish = await open(`${path}?lang=es`)
  assert.match(textOf(spanish.text), /Vista previa\..*En dos idiomas/s)
  assert.match(spanish.text, new RegExp(`href="${path}" lang="en"`))
})

test('a superadmin who acts as the writer sees the editor without preview links', async () => {
  const id = await writer.write({ title: 'Looked at' })
  await linkTo(id)
  const root = await signedInAs(app, 'superadmin')
  const path = `/auth/admin/users/${writer.id}/impersonate`
  const { sessionId: sessionToken } = (await app.post(path, { reason: 'A look' }, withSession(root.sessionToken))).json
  const page = await browserOf(app, { ...writer, sessionToken }).open(editorOf(id))
  assert.equal(page.status, 200)
  assert.match(textOf(page.text), /Looked at/)
  assert.doesNotMatch(page.text, /id="preview-links"/)
})
