import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertError } from '../../http/support.ts'
import type { TestApp } from '../../support/test-app.ts'
import { type Author, readAsStranger, somebody, startBlog } from './support.ts'

let app: TestApp
let writer: Author
before(async () => {
  app = await startBlog()
  writer = await somebody(app)
})
after(() => app.stop())

const published = (slug: string, more = {}) => writer.write({ title: slug, slug, status: 'published', ...more })
const rename = async (id: string, changes: object) => {
  const { status, text } = await writer.call('PUT', `/${id}`, changes)
  assert.equal(status, 200, text)
}
/**
 * The id, the current slug and `redirected_from` that a visitor without a session gets for a slug, or the error status.
 */
async function found(name: string) {
  const { status, json } = await readAsStranger(app, name)
  return status === 200 ? [json.data.id, json.data.slug, json.meta.redirected_from] : status
}

test('links to every slug that a published post had lead to it, and say that there is another one', async () => {
  const id = await published('first')
  await rename(id, { slug: 'second' })
  await rename(id, { slug: 'third' })
  assert.deepEqual(await found('third'), [id, 'third', undefined])
  assert.deepEqual(await found('first'), [id, 'third', 'first'])
  assert.deepEqual(await found('second'), [id, 'third', 'second'])
  // The former slug becomes the current slug again.
  await rename(id, { slug: 'first' })
  assert.deepEqual(await found('first'), [id, 'first', undefined])
  assert.deepEqual(await found('third'), [id, 'first', 'third'])
})

test('a former slug is free: whoever takes it is found under it, and whoever had it last after that', async () => {
  const [one, other] = [await published('shared'), await writer.write({ title: 'other', slug: 'other' })]
  await rename(one, { slug: 'moved' })
  await rename(other, { slug: 'shared' })
  // A draft with this slug does not hide the published post that had it before.
  assert.deepEqual(await found('shared'), [one, 'moved', 'shared'])
  await writer.call('PUT', `/${other}`, { body: 'words', status: 'published' })
  assert.deepEqual(await found('shared'), [other, 'shared', undefined])
  await rename(other, { slug: 'moved-too' })
  assert.deepEqual(await found('shared'), [other, 'moved-too', 'shared'])
  assert.equal((await writer.call('POST', '', { title: 'new', slug: 'shared' })).status, 200)
})

test('what somebody may not read is not found under its former slugs either', async () => {
  const id = await published('known')
  await rename(id, { slug: 'hidden-now', visibility: 'private' })
  assert.equal(await found('known'), 404)
  assert.equal((await writer.call('GET', '/known')).json.data.id, id)
  await rename(id, { visibility: 'password', password: 'difference' })
  assertError(await readAsStranger(app, 'known'), 403, 'PASSWORD_REQUIRED')
  await rename(id, { visibility: 'public' })
  assert.deepEqual(await found('known'), [id, 'hidden-now', 'known'])
  await writer.call('DELETE', `/${id}`)
  assert.equal(await found('known'), 404)
  const draft = await writer.write({ title: 'x', slug: 'never-seen' })
  await rename(draft, { slug: 'seen', status: 'published', body: 'words' })
  assert.equal(await found('never-seen'), 404)
})

test('what somebody may not read hides nothing that had the same slug in another language', async () => {
  const [english, spanish] = [await published('both', { lang: 'en' }), await published('both', { lang: 'es' })]
  await rename(english, { slug: 'both-in-english', visibility: 'private' })
  await rename(spanish, { slug: 'both-in-spanish' })
  assert.deepEqual(await found('both'), [spanish, 'both-in-spanish', 'both'])
})

test('another language of a post, and the slugs of its translations, are no dead ends', async () => {
  const id = await published('hello', { lang: 'en' })
  const translations = `/id/${id}/translations`
  await writer.call('POST', translations, { lang: 'es', title: 'Hola' })
  await writer.call('PUT', `${translations}/es`, { slug: 'buenos-dias' })
  assert.deepEqual(await found('hola'), [id, 'buenos-dias', 'hola'])
  assert.deepEqual(await found('buenos-dias'), [id, 'buenos-dias', undefined])
  await rename(id, { lang: 'fr', slug: 'bonjour' })
  assert.deepEqual(await found('hello'), [id, 'bonjour', 'hello'])
})
