import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { searchIndexJob } from '../../../src/modules/blog/lists/fill-search.ts'
import { signedInAs, withSession } from '../../support/people.ts'
import type { TestApp } from '../../support/test-app.ts'
import { type Author, somebody, startBlog } from './support.ts'

let app: TestApp
let ada: Author
before(async () => {
  app = await startBlog()
  ada = await somebody(app)
})
after(() => app?.stop())

/** The titles of the results and the total number of results. */
async function found(q: string, more = ''): Promise<string[]> {
  const reply = await app.get(`/api/v1/posts?q=${encodeURIComponent(q)}${more}`)
  assert.equal(reply.status, 200, reply.text)
  const titles = reply.json.data.map(({ title }: { title: string }) => title).toSorted()
  assert.equal(reply.json.meta.total, titles.length)
  return titles
}
const publish = (title: string, body: string, lang: string, more = {}) =>
  ada.write({ title, body, lang, status: 'published', ...more })

test('a search finds what is shown in the language that is asked for', async () => {
  const id = await publish('Steam engines', 'Boiling kettles.', 'en')
  await ada.call('POST', `/id/${id}/translations`, { lang: 'es', title: 'Máquinas de vapor', body: 'Calderas.' })
  for (const q of ['vapor', 'maquina', 'Máquina', 'calderas', 'vap']) {
    assert.deepEqual(await found(q, '&lang=es'), ['Máquinas de vapor'], q)
    assert.deepEqual(await found(q), [], q)
    assert.deepEqual(await found(q, '&lang=en'), [], q)
  }
  for (const q of ['steam', 'engine', 'kettle']) {
    assert.deepEqual(await found(q, '&lang=es'), [], q)
    assert.deepEqual(await found(q), ['Steam engines'], q)
    assert.deepEqual(await found(q, '&lang=en'), ['Steam engines'], q)
  }
  await ada.call('PUT', `/id/${id}/translations/es`, { title: 'Locomotoras' })
  assert.deepEqual(await found('vapor', '&lang=es'), [])
  assert.deepEqual(await found('locomotora', '&lang=es'), ['Locomotoras'])
  await ada.call('DELETE', `/id/${id}/translations/es`)
  assert.deepEqual(await found('locomotora', '&lang=es'), [])
})

test('accents, case and the form of a word make no difference', async () => {
  await publish('La canción', 'Los árboles caminaban despacio.', 'es')
  for (const q of ['cancion', 'CANCIÓN', 'canciones', 'arbol', 'canci', 'caminando', 'despacio arboles'])
    assert.deepEqual(await found(q), ['La canción'], q)
  for (const q of ['cancio n', 'despacio kettle']) assert.deepEqual(await found(q), [], q)
  await publish('Über Straßen', 'Häuser und Gärten', 'de')
  for (const q of ['uber', 'strassen', 'Straße', 'haus', 'garten'])
    assert.deepEqual(await found(q), ['Über Straßen'], q)
  await publish('Журнал', 'Ёлки', 'ru')
  for (const q of ['журнал', 'ЖУРНАЛЫ', 'елка']) assert.deepEqual(await found(q), ['Журнал'], q)
})

test('tags and addresses inside them are not words of a post', async () => {
  await publish('Tagged', '<strong>Bold</strong> <a href="https://zebra.example.com">link</a>', 'en', {
    body_format: 'html',
  })
  assert.deepEqual(await found('bold link'), ['Tagged'])
  assert.deepEqual(await found('strong'), [])
  assert.deepEqual(await found('zebra'), [])
})

test('of a translation behind a password, only the title is found', async () => {
  const id = await publish('Hidden thing', 'quicksilver', 'en', { visibility: 'password', password: 'sesame' })
  await ada.call('POST', `/id/${id}/translations`, { lang: 'fr', title: 'Chose cachée', body: 'mercure' })
  assert.deepEqual(await found('cachee', '&lang=fr'), ['Chose cachée'])
  for (const q of ['mercure', 'quicksilver', 'hidden']) assert.deepEqual(await found(q, '&lang=fr'), [], q)
})

test('a text that the parser of the database takes minutes for is saved at once', async () => {
  for (const unit of ['_a', 'a.b/c', '1e5.', '-a']) {
    const begin = performance.now()
    const reply = await ada.call('POST', '', { title: 'x', body: unit.repeat(30_000), body_format: 'text' })
    assert.equal(reply.status, 200, reply.text)
    assert.ok(performance.now() - begin < 5_000, `${unit} took ${performance.now() - begin} ms`)
  }
})

test('a repair of lost search tables does not rewrite posts, and everything in them is found again', async () => {
  const id = await publish('Antes', 'Canción antigua', 'es')
  await ada.call('POST', `/id/${id}/translations`, { lang: 'en', title: 'Before', body: 'Ancient songs' })
  await sql
    .raw(`DROP TABLE post_search, post_search_todo;
      DROP FUNCTION keep_post_search, keep_translation_search CASCADE`)
    .execute(app.ctx.db)
  const later = await publish('Meanwhile', 'Without the tables', 'en')
  const rows = () => sql<{ row: string }>`SELECT xmin::text AS row FROM posts ORDER BY id`.execute(app.ctx.db)
  const untouched = (await rows()).rows
  const admin = withSession((await signedInAs(app, 'admin')).sessionToken)
  const reply = await app.post(
    '/api/v1/modules/install/blog/run',
    { target: 'selected', components: ['core', 'ext-translations'], repair_missing: true },
    admin,
  )
  assert.deepEqual(reply.json.data?.result.repaired, ['core', 'ext-translations'], reply.text)
  // The application's own job may be running concurrently.
  const todo = () => sql`SELECT FROM post_search_todo`.execute(app.ctx.db)
  while ((await todo()).rows.length > 0) await searchIndexJob.run(app.ctx)
  assert.deepEqual(await found('cancion antiguas'), ['Antes'])
  assert.deepEqual(await found('song', '&lang=en'), ['Before'])
  assert.deepEqual(await found('tables'), ['Meanwhile'])
  assert.deepEqual((await rows()).rows, untouched)
  assert.equal((await ada.call('PUT', `/${later}`, { title: 'Afterwards' })).status, 200)
  assert.deepEqual(await found('afterward'), ['Afterwards'])
})
