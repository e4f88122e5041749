import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { drawn, multipart, multipartType } from '../../../pictures/support.ts'
import { textOf } from '../../../screens/all-pages.ts'
import type { TestApp } from '../../../support/test-app.ts'
import { type Author, everybody, startBlog } from '../support.ts'
import { browserOf } from './support.ts'

let app: TestApp
let writer: Author
let other: Author
let admin: Author
let customer: Author
before(async () => {
  app = await startBlog({ RATE_LIMIT_READ: '100000/1m', RATE_LIMIT_WRITE: '100000/1m' })
  ;[writer, other, admin, customer] = await everybody(app, 'writer', 'writer', 'admin', 'customer')
})
after(() => app?.stop())

const content = '/admin/content'
const editorOf = (id: string) => `${content}/posts/${id}`
const valuesIn = (html: string) => ({
  title: textOf(/<input id="title"[^>]*value="([^"]*)"/.exec(html)?.[1] ?? ''),
  body: textOf(/<textarea id="body"[^>]*>\n([\s\S]*?)<\/textarea>/.exec(html)?.[1] ?? ''),
})
const usual = { lang: 'en', body_format: 'markdown', visibility: 'public', comments_enabled: 'on' }
/** The values that this post's form submits if the user changes nothing. */
const kept = async (id: string) => {
  const { title, slug, body, excerpt } = (await writer.read(id)).json.data
  return { ...usual, title, slug, body, excerpt }
}

test('a writer writes, previews, publishes and reads a post without a script', async () => {
  const browser = browserOf(app, writer)
  await browser.open(`${content}/new`)
  const text = { ...usual, title: 'From the console', body: 'Water, *heated*. <script>alert(1)</script>' }
  const preview = await browser.send(`${content}/new`, { ...text, action: 'preview' })
  assert.equal(preview.status, 200)
  assert.match(preview.text, /<p>Water, <em>heated<\/em>\.\s*<\/p>/)
  assert.doesNotMatch(preview.text, /<script>alert/)
  assert.deepEqual(valuesIn(preview.text).title, 'From the console')
  assert.equal((await writer.call('GET', '?mine=true')).json.meta.total, 0)
  const saved = await browser.send(`${content}/new`, { ...text, tags: '', action: 'publish' })
  assert.equal(saved.status, 303)
  assert.match(String(saved.headers.location), /^\/admin\/content\/posts\/[\da-f-]{36}\?done=published$/)
  const editor = await browser.open(String(saved.headers.location))
  assert.match(textOf(editor.text), /The post is published\./)
  assert.match(editor.text, /role="status">[\s\S]*?<a href="\/blog\/from-the-console">Open the page<\/a>/)
  const read = await browserOf(app).open('/blog/from-the-console')
  assert.equal(read.status, 200)
  assert.doesNotMatch(read.text, /Edit this post/)
  for (const [person, isEditor] of [
    [writer, true],
    [admin, true],
    [other, false],
    [customer, false],
  ] as const) {
    const { text } = await browserOf(app, person).open('/blog/from-the-console')
    assert.equal(/<a href="\/admin\/content\/posts\/[\da-f-]{36}">Edit this post</.test(text), isEditor)
  }
})

test('an excerpt that nobody wrote follows the text', async () => {
  const id = await writer.write({ title: 'Office hours', body: 'We close at three.' })
  const browser = browserOf(app, writer)
  const editor = await browser.open(editorOf(id))
  const [, excerpt] = /<textarea id="excerpt"[^>]*>\n([^<]*)</.exec(editor.text) ?? []
  assert.equal(excerpt, '')
  const { slug } = (await writer.read(id)).json.data
  const changed = { ...usual, title: 'Office hours', slug, body: 'We close at four.', excerpt: '', action: 'save' }
  assert.equal((await browser.send(editorOf(id), changed)).status, 303)
  assert.equal((await writer.read(id)).json.data.excerpt, 'We close at four.')
})

test('a list without posts has no search, and one link to write the first post', async () => {
  const empty = (await browserOf(app, other).open(content)).text
  assert.match(textOf(empty), /You haven’t written a post yet/)
  assert.doesNotMatch(empty, /role="search"/)
  assert.equal(empty.match(/Write a post/g)?.length, 1)
  assert.match((await browserOf(app, other).open(`${content}?q=nothing-like-this`)).text, /role="search"/)
})

test('drafts are scheduled in the time zone of the writer, and unpublished again', async () => {
  const id = await writer.write({ title: 'Later', body: 'Soon.' })
  await app.call('PUT', '/auth/profile', {
    headers: { 'x-session-id': writer.sessionToken },
    body: { tmz: 'America/New_York' },
  })
  const browser = browserOf(app, writer)
  await browser.open(editorOf(id))
  const form = { ...(await kept(id)), scheduled_at: '2099-07-01T09:00', action: 'schedule' }
  const scheduled = await browser.send(editorOf(id), form)
  assert.equal(scheduled.headers.location, `${editorOf(id)}?done=scheduled`)
  const { data } = (await writer.read(id)).json
  assert.deepEqual([data.status, data.scheduled_at], ['scheduled', '2099-07-01T13:00:00.000Z'])
  const shown = await browser.open(editorOf(id))
  assert.match(shown.text, /value="2099-07-01T09:00"/)
  await browser.send(editorOf(id), { ...(await kept(id)), action: 'unpublish' })
  assert.equal((await writer.read(id)).json.data.status, 'draft')
})

test('the first button saves, so the Enter key in a one-line field does not publish', async () => {
  const id = await writer.write({ title: 'Entered', body: 'x' })
  for (const path of [`${content}/new`, editorOf(id)]) {
    const page = await browserOf(app, writer).open(path)
    const [, form = ''] = page.text.split('id="editor"')
    const [, first, label] = /<button(?: class="plain")? name="action" value="(\w+)">([^<]*)</.exec(form) ?? []
    assert.deepEqual([first, label], ['save', 'Save as draft'], path)
    assert.equal(
      /<(button|input type="(submit|image)")[^>]*>/.exec(form)?.[0],
      '<button class="plain" name="action" value="save">',
    )
  }
  const browser = browserOf(app, writer)
  await browser.open(editorOf(id))
  const preview = await browser.send(editorOf(id), { ...(await kept(id)), action: 'preview' })
  const [button] = /<button[^>]*form="editor"[^>]*>/.exec(preview.text) ?? []
  assert.equal(button, '<button class="plain" form="editor" name="action" value="save">', 'also above the form')
  await writer.call('PUT', `/${id}`, { status: 'scheduled', scheduled_at: '2099-07-01T13:00:00Z' })
  const scheduled = await browserOf(app, writer).open(editorOf(id))
  assert.match(scheduled.text, /value="save">Save changes</)
})

test('a change by somebody else is not overwritten unnoticed, and no text is lost', async () => {
  const id = await writer.write({ title: 'Shared', body: 'first' })
  const browser = browserOf(app, writer)
  await browser.open(editorOf(id))
  app.clock.advance(1000)
  await admin.call('PUT', `/${id}`, { body: 'by the administrator' })
  const form = { ...(await kept(id)), body: 'by the writer', action: 'save' }
  const refused = await browser.send(editorOf(id), form)
  assert.equal(refused.status, 409)
  assert.match(textOf(refused.text), /Somebody else changed this post/)
  assert.equal(valuesIn(refused.text).body, 'by the writer')
  assert.equal((await writer.read(id)).json.data.body, 'by the administrator')
  const deliberate = await browser.send(editorOf(id), form)
  assert.equal(deliberate.status, 303)
  assert.equal((await writer.read(id)).json.data.body, 'by the writer')
})

test('refused input marks its field and keeps what was entered', async () => {
  const browser = browserOf(app, writer)
  await browser.open(`${content}/new`)
  const refused = await browser.send(`${content}/new`, { ...usual, title: '', body: 'canary text', slug: 'Not A Slug' })
  assert.equal(refused.status, 400)
  assert.match(refused.text, /id="title-problem"/)
  assert.match(refused.text, /id="slug-problem"/)
  assert.match(refused.text, /<input id="title"[^>]* autofocus>/)
  assert.match(textOf(refused.text), /Enter a title of at most 255 characters\./)
  const empty = await browser.send(`${content}/new`, { ...usual, title: 'No text', body: '', action: 'publish' })
  assert.match(textOf(empty.text), /Without text, you can only save the post as a draft\./)
  assert.equal(valuesIn(refused.text).body, 'canary text')
})

test('categories are chosen, and chosen again in the form', async () => {
  const { id: category } = (await admin.call('POST', '/categories', { name: 'Engines', lang: 'en' })).json.data
  const browser = browserOf(app, writer)
  await browser.open(`${content}/new`)
  const form = { ...usual, title: 'Placed', body: 'Words.', action: 'save' }
  const saved = await browser.send(`${content}/new`, { ...form, [`category_${category}`]: 'on' })
  const [path = ''] = String(saved.headers.location).split('?')
  const editor = await browser.open(path)
  assert.match(editor.text, new RegExp(`name="category_${category}" checked`))
  const id = path.split('/').at(-1) ?? ''
  assert.equal((await writer.read(id)).json.data.categories[0].id, category)
  await browser.send(path, { ...(await kept(id)), action: 'save' })
  assert.deepEqual((await writer.read(id)).json.data.categories, [])
})

test('tags are entered by name, and only administrators create new ones', async () => {
  await admin.call('POST', '/tags', { name: 'Steam', lang: 'en' })
  const browser = browserOf(app, writer)
  await browser.open(`${content}/new`)
  const form = { ...usual, title: 'Tagged', body: 'Words.', action: 'save' }
  const unknown = await browser.send(`${content}/new`, { ...form, tags: 'steam, never seen' })
  assert.deepEqual([unknown.status, /doesn’t exist/.test(textOf(unknown.text))], [400, true])
  const saved = await browser.send(`${content}/new`, { ...form, tags: 'steam' })
  const id = String(saved.headers.location).slice(editorOf('').length, editorOf('').length + 36)
  assert.deepEqual(
    (await writer.read(id)).json.data.tags.map(({ name }: { name: string }) => name),
    ['Steam'],
  )
  const grace = browserOf(app, admin)
  await grace.open(editorOf(id))
  await grace.send(editorOf(id), { ...(await kept(id)), tags: 'Steam, Valves', action: 'save' })
  assert.equal((await writer.read(id)).json.data.tags.length, 2)
})

test('writers see and change only their own posts, and other roles nothing', async () => {
  const id = await writer.write({ title: 'Own draft', body: 'canary of a draft' })
  const published = await writer.write({ title: 'Own published', status: 'published' })
  for (const path of [editorOf(id), editorOf(published)]) {
    assert.equal((await browserOf(app, other).open(path)).status, 404, path)
    assert.equal((await browserOf(app, customer).open(path)).status, 403, path)
    assert.equal((await browserOf(app, admin).open(path)).status, 200, path)
    assert.equal((await browserOf(app).open(path)).headers.location, '/login')
  }
  assert.doesNotMatch((await browserOf(app, other).open(`${content}?state=draft`)).text, /Own draft/)
  assert.match((await browserOf(app, admin).open(`${content}?state=draft`)).text, /Own draft/)
  const intruder = browserOf(app, other)
  await intruder.open(content)
  const sent = await intruder.send(editorOf(id), { ...usual, title: 'Taken', body: 'x', action: 'publish' })
  assert.equal(sent.status, 404)
  assert.equal((await writer.read(id)).json.data.title, 'Own draft')
  assert.match((await browserOf(app, writer).open('/account')).text, /href="\/admin\/content"/)
})

test('the filters of the list are folded until one of them is active', async () => {
  await writer.write({ title: 'Filtered', body: 'x', lang: 'es' })
  const browser = browserOf(app, writer)
  const all = await browser.open(`${content}?state=mine&q=filt`)
  assert.match(all.text, /<details class="filters">/)
  assert.match(all.text, /<input id="q" name="q"[^>]*value="filt"/)
  const some = await browser.open(`${content}?state=mine&lang=es&sort=title`)
  assert.match(some.text, /<details class="filters" open>/)
  assert.match(some.text, /<option value="title" selected>/)
  assert.match(textOf(some.text), /Filters · 1 active/)
  assert.match(some.text, /<a class="button quiet" href="\/admin\/content\?state=mine">/)
})

test('forged forms change nothing', async () => {
  const id = await writer.write({ title: 'Not forged', body: 'x' })
  for (const path of [editorOf(id), `${editorOf(id)}/delete`, `${content}/new`]) {
    const browser = browserOf(app, writer)
    await browser.open(editorOf(id))
    const form = { ...usual, title: 'Forged', body: 'y', tags: 'forged', form_token: 'x', action: 'publish' }
    assert.equal((await browser.send(path, form)).status, 400, path)
    const crossSite = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }
    assert.equal((await browser.send(path, { ...form, action: 'save' }, crossSite)).status, 403, path)
  }
  const { data } = (await writer.read(id)).json
  assert.deepEqual([data.title, data.status], ['Not forged', 'draft'])
  assert.equal((await writer.call('GET', '?mine=true&q=forged')).json.data[0].title, 'Not forged')
})

test('a deleted post is in the trash, from which an administrator restores it', async () => {
  const id = await writer.write({ title: 'Thrown away', body: 'x' })
  const browser = browserOf(app, writer)
  await browser.open(editorOf(id))
  const removed = await browser.send(`${editorOf(id)}/delete`, {})
  assert.equal(removed.headers.location, `${content}?done=removed`)
  assert.doesNotMatch((await browser.open(`${content}?state=trash`)).text, /Thrown away/)
  assert.equal((await writer.call('GET', '?status=deleted')).status, 403)
  const grace = browserOf(app, admin)
  const link = '<a href="/admin/content?state=trash">Open the trash</a>'
  assert.ok((await grace.open(`${content}?done=removed`)).text.includes(link))
  assert.ok(!(await browser.open(`${content}?done=removed`)).text.includes(link))
  assert.match((await grace.open(`${content}?state=trash`)).text, /Thrown away/)
  const restored = await grace.send(`${content}/restore`, { id })
  assert.equal(restored.headers.location, `${content}?state=draft&done=restored`)
  assert.equal((await writer.read(id)).json.data.status, 'draft')
})

test('a picture is uploaded by a form, and a file that is no picture is refused', async () => {
  const id = await writer.write({ title: 'Pictured', body: 'x' })
  const browser = browserOf(app, writer)
  const page = await browser.open(editorOf(id))
  const action = `${editorOf(id)}/picture`
  const token = page.text.split(`action="${action}">`)[1]?.match(/name="form_token" value="([^"]+)"/)?.[1] ?? ''
  const post = (bytes: Uint8Array | string, formToken = token) => {
    const field = { name: 'form_token', bytes: formToken, head: 'Content-Disposition: form-data; name="form_token"' }
    const own = { accept: 'text/html', 'sec-fetch-site': 'same-origin', cookie: `session_id=${writer.sessionToken}` }
    const headers = { ...own, ...multipartType }
    return app.call('POST', action, { headers, body: multipart([field, { name: 'image', bytes }]) })
  }
  const svg = await post('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')
  assert.equal(svg.status, 400)
  const forged = await post(await drawn(40, 30).png().toBuffer(), 'x')
  assert.equal(forged.status, 403)
  assert.equal((await writer.read(id)).json.data.featured_image, null)
  const stored = await post(await drawn(40, 30).png().toBuffer())
  assert.equal(stored.headers.location, `${editorOf(id)}?done=picture`)
  assert.match((await writer.read(id)).json.data.featured_image, /\.webp$/)
})

test('a featured image of another host is named instead of a picture that the browser blocks', async () => {
  const elsewhere = 'https://www.example.com/engine.webp'
  const id = await writer.write({ title: 'Elsewhere', body: 'x', featured_image: elsewhere })
  const page = await browserOf(app, writer).open(editorOf(id))
  assert.doesNotMatch(page.text, /<img class="thumbnail"/)
  assert.match(textOf(page.text), /hosted elsewhere/)
  assert.ok(page.text.includes(`href="${elsewhere}"`))
})

test('markup in posts stays text in the console', async () => {
  const text = '"><script>alert(1)</script>'
  const id = await writer.write({ title: text, body: `</textarea>${text}`, excerpt: text })
  for (const path of [editorOf(id), `${content}?state=mine`, `${content}?q=${encodeURIComponent(text)}`]) {
    const page = await browserOf(app, writer).open(path)
    assert.doesNotMatch(page.text, /<script>alert/)
    assert.equal(page.status, 200)
  }
})
