import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { textOf } from '../../../screens/all-pages.ts'
import type { TestApp } from '../../../support/test-app.ts'
import { type Author, everybody, startBlog } from '../support.ts'
import { browserOf } from './support.ts'

let app: TestApp
let writer: Author
let admin: Author
before(async () => {
  app = await startBlog({ RATE_LIMIT_READ: '100000/1m', RATE_LIMIT_WRITE: '100000/1m', RATE_LIMIT_ADMIN: '100000/1m' })
  ;[writer, admin] = await everybody(app, 'writer', 'admin')
})
after(() => app?.stop())

const home = '/admin/content/tags'
const mergeOf = (id: string) => `${home}/${id}/merge`
const tag = async (name: string, members: object = {}): Promise<string> =>
  (await admin.call('POST', '/tags', { name, ...members })).json.data.id

test('an administrator chooses a tag, sees how many posts change, and merges', async () => {
  const [steam, vapour, other] = [await tag('Steam'), await tag('Vapour <b>'), await tag('Vapor', { lang: 'es' })]
  await writer.write({ tag_ids: [vapour] })
  const both = await writer.write({ tag_ids: [vapour, steam] })
  const browser = browserOf(app, admin)
  assert.match((await browser.open(home)).text, new RegExp(`href="${mergeOf(vapour)}"`))
  const choice = (await browser.open(mergeOf(vapour))).text
  assert.ok(choice.includes(`href="${mergeOf(vapour)}?into=${steam}"`))
  for (const id of [vapour, other]) assert.ok(!choice.includes(`into=${id}`), 'only other tags of the language')
  const confirmation = await browser.open(`${mergeOf(vapour)}?into=${steam}`)
  assert.match(textOf(confirmation.text), /2 posts have this tag.*1 of these posts already has the other tag/s)
  assert.doesNotMatch(confirmation.text, /Vapour <b>/)
  assert.equal((await app.get(`/api/v1/posts/tags/${vapour}`)).status, 200)
  const merged = await browser.send(mergeOf(vapour), {})
  assert.equal(merged.headers.location, `${home}?done=merged`)
  assert.match(textOf((await browser.open(`${home}?done=merged`)).text), /The tags are merged\./)
  assert.equal((await admin.read(both)).json.data.tags.length, 1)
})

test('tags are searched by name', async () => {
  await tag('Boilers')
  const page = textOf((await browserOf(app, admin).open(`${home}?q=boil`)).text)
  assert.match(page, /Boilers/)
  assert.doesNotMatch(page, /Steam/)
  assert.match(textOf((await browserOf(app, admin).open(`${home}?q=nothing`)).text), /No tag matches/)
})

test('writers see no tags to merge, and forged forms merge nothing', async () => {
  const [from, into] = [await tag('From'), await tag('Into')]
  const path = mergeOf(from)
  for (const address of [home, path, `${path}?into=${into}`])
    assert.equal((await browserOf(app, writer).open(address)).status, 403, address)
  const intruder = browserOf(app, writer)
  await intruder.open('/admin/content')
  assert.equal((await intruder.send(path, { into })).status, 403)
  const browser = browserOf(app, admin)
  await browser.open(`${path}?into=${into}`)
  assert.equal((await browser.send(path, { into, form_token: 'x' })).status, 400)
  assert.equal((await app.get(`/api/v1/posts/tags/${from}`)).status, 200)
  for (const address of [`${path}?into=x`, `${path}?into=${from}`, mergeOf('x')])
    assert.equal((await browser.open(address)).status, 404, address)
})
