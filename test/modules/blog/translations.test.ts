import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertError } from '../../http/support.ts'
import { withSession } from '../../support/people.ts'
import type { TestApp } from '../../support/test-app.ts'
import { type Author, everybody, readAsStranger, startBlog } from './support.ts'

let app: TestApp
let owner: Author
let translator: Author
let other: Author
let reader: Author
let admin: Author
before(async () => {
  app = await startBlog()
  ;[owner, translator, other, reader, admin] = await everybody(app, 'writer', 'writer', 'writer', 'customer', 'admin')
})
after(() => app?.stop())

const published = (members: Record<string, unknown> = {}) => owner.write({ status: 'published', ...members })
const translate = (who: Author, id: string, members: Record<string, unknown>) =>
  who.call('POST', `/id/${id}/translations`, members)
const rows = (id: string) =>
  app.ctx.db.selectFrom('post_translations').selectAll().where('post_id', '=', id).orderBy('lang').execute()

test('a post is translated, read in that language by its id and by the slug of the translation', async () => {
  const id = await published({ title: 'On engines', slug: 'on-engines', excerpt: 'Short' })
  const given = { lang: 'ES-mx'.toLowerCase(), title: ' Sobre máquinas ', body: '*Hola* <script>alert(1)</script>' }
  const saved = await translate(translator, id, given)
  assert.equal(saved.status, 200, saved.text)
  assert.deepEqual(saved.json, {
    data: { id, lang: 'es-MX', created: true },
    user_context: { authenticated: true, user_type: 'writer' },
    meta: { notes: ['HTML was removed from body: 1 script'] },
  })
  const list = (await app.get(`/api/v1/posts/${id}/translations`)).json.data
  const { created_at, updated_at, ...said } = list[0]
  assert.equal(created_at, updated_at)
  assert.deepEqual(
    [said, list.length],
    [
      {
        ...{ id, lang: 'es-MX', title: 'Sobre máquinas', slug: 'sobre-maquinas' },
        ...{ body: given.body, excerpt: null },
      },
      1,
    ],
  )
  for (const name of ['sobre-maquinas', 'on-engines?lang=es-MX', `${id}?lang=es-mx`, `id/${id}?lang=es-MX`]) {
    const { data, meta } = (await readAsStranger(app, name)).json
    assert.deepEqual(
      [data.lang, data.title, data.slug, data.body_html, data.excerpt, data.translations, meta],
      ['es-MX', 'Sobre máquinas', 'sobre-maquinas', '<p><em>Hola</em> </p>', 'Hola', ['es-MX'], { cached: false }],
    )
  }
  const original = (await readAsStranger(app, 'sobre-maquinas?lang=en')).json
  assert.deepEqual([original.data.title, original.meta], ['On engines', { cached: false }])
  const missing = (await readAsStranger(app, 'on-engines?lang=fr')).json
  assert.deepEqual([missing.data.lang, missing.meta], ['en', { cached: false, fallback_lang: 'en' }])
})

test('a save that expects another version of the translation is refused', async () => {
  const id = await published()
  const one = `/${id}/translations/es`
  const versionOf = async () => (await rows(id))[0]?.updated_at.toISOString()
  const create = (expected_updated_at: unknown, title = 'Versión') =>
    translate(owner, id, { lang: 'es', title, expected_updated_at })
  assertError(await create('2030-01-31T09:00:00Z'), 409, 'EDIT_CONFLICT')
  assert.equal((await create(null)).json.data.created, true)
  assertError(await create(null, 'Dos'), 409, 'EDIT_CONFLICT')
  const first = await versionOf()
  // The clock of the test does not advance, so the time alone would not tell the versions apart.
  assert.equal((await owner.call('PUT', one, { title: 'Tres', expected_updated_at: first })).status, 200)
  assertError(await owner.call('PUT', one, { title: 'Cuatro', expected_updated_at: first }), 409, 'EDIT_CONFLICT')
  assertError(await create(first, 'Cinco'), 409, 'EDIT_CONFLICT')
  assert.equal((await create(await versionOf(), 'Seis')).json.data.created, false)
  assert.equal((await owner.call('PUT', one, { excerpt: 'unconditional' })).status, 200)
  assert.deepEqual([(await rows(id))[0]?.title, (await rows(id))[0]?.excerpt], ['Seis', 'unconditional'])
  for (const refused of [await create('yesterday'), await owner.call('PUT', one, { expected_updated_at: 'yesterday' })])
    assert.equal(assertError(refused, 400, 'VALIDATION_ERROR')[0]?.field, 'expected_updated_at')
  const forbidden = { title: 'x', expected_updated_at: first }
  assertError(await other.call('PUT', one, forbidden), 403, 'FORBIDDEN')
  await owner.call('DELETE', one)
  assertError(await create(first), 409, 'EDIT_CONFLICT')
  assertError(await owner.call('PUT', one, forbidden), 404, 'NOT_FOUND')
})

test('the same language again takes its place: for the translator, the owner and administrators only', async () => {
  const id = await published()
  await translate(translator, id, { lang: 'es', title: 'Uno', body: 'a', excerpt: 'b' })
  assertError(await translate(other, id, { lang: 'es', title: 'x' }), 403, 'FORBIDDEN')
  for (const who of [translator, owner, admin]) {
    const again = await translate(who, id, { lang: 'es', title: who.id })
    assert.deepEqual(again.json.data, { id, lang: 'es', created: false })
    const [row, ...more] = await rows(id)
    assert.deepEqual([row?.title, row?.body, row?.excerpt, row?.slug, more], [who.id, null, null, 'uno', []])
    assert.equal(row?.user_id, translator.id)
  }
  const one = `/${id}/translations/es`
  for (const [method, body] of [
    ['PUT', { title: 'x' }],
    ['DELETE', undefined],
  ] as const) {
    assertError(await other.call(method, one, body), 403, 'FORBIDDEN')
    assertError(await reader.call(method, one, body), 403, 'FORBIDDEN')
    assertError(await owner.call(method, `/${id}/translations/fr`, body), 404, 'NOT_FOUND')
  }
  const changes = { title: 'Dos', body: 'c', slug: 'dos-o-mas', excerpt: 'd' }
  assert.deepEqual((await translator.call('PUT', one, changes)).json.data, { id, lang: 'es', updated: true })
  const { data } = (await readAsStranger(app, 'dos-o-mas')).json
  assert.deepEqual([data.title, data.body_html, data.excerpt], ['Dos', '<p>c</p>', 'd'])
  assert.deepEqual((await translator.call('DELETE', one)).json.data, { id, lang: 'es', deleted: true })
  assert.deepEqual(await rows(id), [])
})

test('whoever may not read a post does not translate it', async () => {
  const draft = await owner.write()
  assertError(await translate(translator, draft, { lang: 'es', title: 'x' }), 404, 'NOT_FOUND')
  assertError(await readAsStranger(app, `${draft}/translations`), 404, 'NOT_FOUND')
  assert.equal((await translate(owner, draft, { lang: 'es', title: 'Borrador' })).status, 200)
  assertError(await readAsStranger(app, 'borrador'), 404, 'NOT_FOUND')
  const gone = await published()
  await owner.call('DELETE', `/${gone}`)
  for (const who of [translator, owner])
    assertError(await translate(who, gone, { lang: 'es', title: 'x' }), 404, 'NOT_FOUND')
  const locked = await published({ visibility: 'password', password: 'open sesame' })
  assertError(await translate(translator, locked, { lang: 'es', title: 'x' }), 403, 'PASSWORD_REQUIRED')
  assertError(await readAsStranger(app, `${locked}/translations`), 403, 'PASSWORD_REQUIRED')
  const opened = await app.call('POST', `/api/v1/posts/id/${locked}/translations`, {
    headers: { 'x-session-id': translator.sessionToken, 'x-post-password': 'open sesame' },
    body: { lang: 'es', title: 'Cerrado' },
  })
  assert.equal(opened.status, 200, opened.text)
  assertError(await readAsStranger(app, 'cerrado'), 403, 'PASSWORD_REQUIRED')
  assertError(await translate(reader, await published(), { lang: 'es', title: 'x' }), 403, 'FORBIDDEN')
})

const translateRaw = (id: string, body: string) =>
  app.call('POST', `/api/v1/posts/id/${id}/translations`, { ...withSession(owner.sessionToken), body })

test('what is no translation is refused and leaves nothing', async () => {
  const id = await published()
  const refused: [Record<string, unknown>, string][] = [
    [{ title: 'x' }, 'lang'],
    [{ lang: 'es' }, 'title'],
    [{ lang: 'en', title: 'x' }, 'lang'],
    [{ lang: 'EN', title: 'x' }, 'lang'],
    [{ lang: 'es_MX', title: 'x' }, 'lang'],
    [{ lang: 'es', title: ' ' }, 'title'],
    [{ lang: 'es', title: 'x'.repeat(256) }, 'title'],
    [{ lang: 'es', title: 'x', excerpt: 'x'.repeat(1001) }, 'excerpt'],
    [{ lang: 'es', title: 'a\u0007' }, 'title'],
    [{ lang: 'es', title: ['x'] }, 'title'],
    [{ lang: 'es', title: 'x', body: 7 }, 'body'],
    [{ lang: {}, title: 'x' }, 'lang'],
  ]
  for (const [body, field] of refused)
    assert.equal(assertError(await translate(owner, id, body), 400, 'VALIDATION_ERROR', field)[0]?.field, field)
  for (const text of ['"\\ud800"', '"a\\u0000"'])
    assertError(await translateRaw(id, `{"lang":"es","title":${text}}`), 400, 'VALIDATION_ERROR')
  assert.deepEqual(await rows(id), [])
  const json = await published({ body: { a: 1 }, body_format: 'json' })
  assertError(await translate(owner, json, { lang: 'es', title: 'x', body: '{' }), 400, 'VALIDATION_ERROR')
  assert.equal((await translate(owner, json, { lang: 'es', title: 'x', body: '{"a":2}' })).status, 200)
})

test('a slug is one post or one translation of a language', async () => {
  const id = await published({ slug: 'spoken-for' })
  await owner.write({ lang: 'es', slug: 'ocupado' })
  await translate(owner, id, { lang: 'es', title: 'Ocupado' })
  assert.equal((await rows(id))[0]?.slug, 'ocupado-2')
  assertError(await owner.call('PUT', `/${id}/translations/es`, { slug: 'ocupado' }), 409, 'SLUG_TAKEN')
  for (const slug of ['new', 'Feed', 'a--b', id])
    assertError(await owner.call('PUT', `/${id}/translations/es`, { slug }), 400, 'VALIDATION_ERROR')
  assertError(await other.call('POST', '', { title: 'x', lang: 'es', slug: 'ocupado-2' }), 409, 'SLUG_TAKEN')
  const third = await other.call('POST', '', { title: 'Ocupado', lang: 'es' })
  assert.equal(third.json.data.slug, 'ocupado-3')
  assertError(await other.call('PUT', `/${third.json.data.id}`, { slug: 'ocupado-2' }), 409, 'SLUG_TAKEN')
  assertError(await owner.call('PUT', `/${id}`, { lang: 'es' }), 400, 'VALIDATION_ERROR')
  const trashed = await other.write({ lang: 'fr', slug: 'libre' })
  await other.call('DELETE', `/${trashed}`)
  await translate(owner, id, { lang: 'fr', title: 'Libre' })
  await admin.call('POST', `/${trashed}/restore`)
  assert.equal((await other.read(trashed)).json.data.slug, 'libre-2')
})

test('at one instant: one translation of a language, and one owner of a slug', async () => {
  const id = await published()
  const same = await Promise.all(
    Array.from({ length: 8 }, () => translate(owner, id, { lang: 'de', title: 'Zugleich', body: 'x' })),
  )
  assert.deepEqual(same.map(({ json }) => json.data.created).toSorted(), [...Array(7).fill(false), true])
  assert.equal((await rows(id)).length, 1)
  const posts = await Promise.all(Array.from({ length: 4 }, () => published()))
  const slugs = await Promise.all([
    ...posts.map((post) => translate(translator, post, { lang: 'it', title: 'Una cosa' })),
    ...posts.map(() => other.call('POST', '', { title: 'Una cosa', lang: 'it' })),
  ])
  assert.ok(slugs.every(({ status }) => status === 200))
  const { db } = app.ctx
  const [translated, written] = await Promise.all([
    db.selectFrom('post_translations').select('slug').where('lang', '=', 'it').execute(),
    db.selectFrom('posts').select('slug').where('lang', '=', 'it').execute(),
  ])
  assert.equal(new Set([...translated, ...written].map(({ slug }) => slug)).size, 8)
})

test('a translation is shown in the format in which it was written', async () => {
  const id = await published({ body: 'a', body_format: 'html' })
  await translate(translator, id, { lang: 'es', title: 'x', body: '<b onclick=x>uno</b>' })
  assert.equal((await rows(id))[0]?.body, '<b>uno</b>')
  await owner.call('PUT', `/${id}`, { body_format: 'text' })
  const { data } = (await readAsStranger(app, `${id}?lang=es`)).json
  assert.deepEqual([data.body_format, data.body_html], ['html', '<b>uno</b>'])
})

test('a translation that changes while the post waits for approval is a new version of the post', async () => {
  const id = await owner.write()
  await app.ctx.db.updateTable('posts').set({ status: 'pending' }).where('id', '=', id).execute()
  const versionOf = async () => (await admin.read(id)).json.data.updated_at
  const steps: [method: string, path: string, body?: object][] = [
    ['POST', '', { lang: 'es', title: 'Uno' }],
    ['PUT', '/es', { title: 'Dos' }],
    ['DELETE', '/es'],
  ]
  for (const [method, path, body] of steps) {
    const expected_updated_at = await versionOf()
    assert.equal((await owner.call(method, `/id/${id}/translations${path}`, body)).status, 200)
    assertError(await admin.call('POST', `/id/${id}/publish`, { expected_updated_at }), 409, 'EDIT_CONFLICT')
  }
  const empty = await admin.call('POST', `/id/${id}/publish`, { expected_updated_at: '' })
  assertError(empty, 400, 'VALIDATION_ERROR')
})
