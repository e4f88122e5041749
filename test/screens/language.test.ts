import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { registered, withSession } from '../support/people.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'
import { tagsOf } from './all-pages.ts'
import { visitor } from './support.ts'

let app: TestApp
before(async () => {
  app = await startTestApp()
})
after(() => app.stop())

const languageOf = (html: string) => tagsOf(html)[0]?.attributes.lang
const spanish = { 'accept-language': 'es-MX, en;q=0.5' }

test('a page is in the language that the browser prefers, until another one is chosen on it', async () => {
  assert.equal(languageOf((await app.get('/login', { headers: spanish })).text), 'es')
  const browser = visitor(app)
  assert.equal(languageOf((await browser.open('/login?logout=success')).text), 'en')
  const chosen = await browser.send('/language', { lang: 'es' })
  assert.deepEqual([chosen.status, chosen.headers.location], [303, '/login?logout=success'])
  assert.equal(languageOf((await browser.open('/docs')).text), 'es')
  const { lang } = chosen.cookies
  assert.deepEqual([lang?.httpOnly, lang?.sameSite, lang?.path, lang?.domain], [true, 'Lax', '/', undefined])
})

test('whoever is signed in reads their own language, and can still choose another', async () => {
  const ada = await registered(app)
  await app.call('PUT', '/auth/profile', { ...withSession(ada.sessionToken), body: { lang: 'es-MX' } })
  const browser = visitor(app)
  await browser.open('/login')
  await browser.send('/language', { lang: 'en' })
  await browser.open('/login')
  await browser.send('/login', { identifier: ada.email, password: ada.password })
  assert.equal(languageOf((await browser.open('/account')).text), 'es', 'what was chosen before is not what Ada reads')
  await browser.send('/language', { lang: 'en' })
  assert.equal(languageOf((await browser.open('/account')).text), 'en')
  assert.equal(
    (await app.get('/auth/me', withSession(ada.sessionToken))).json.user.lang,
    'es-MX',
    'no account has changed',
  )
})

test('the switch leads back to the page itself, and to nowhere else', async () => {
  const browser = visitor(app)
  const refused = await browser.open('/login').then(() => browser.send('/login', { identifier: 'a', password: 'b' }))
  assert.equal(refused.status, 401)
  assert.equal((await browser.send('/language', { lang: 'es' })).headers.location, '/login')
  assert.equal((await browser.open('/no/such/page?token=abc')).status, 404)
  assert.equal((await browser.send('/language', { lang: 'es' })).headers.location, '/no/such/page')
  for (const back of [
    '//evil.example',
    'https://evil.example/',
    '/\\evil.example',
    'javascript:alert(1)',
    '',
    '/\x01',
    '/\u0100',
    '/ä',
  ]) {
    await browser.open('/login')
    assert.equal((await browser.send('/language', { lang: 'es', back })).headers.location, '/', back)
  }
})

test('a form of another site, or a language that we do not speak, chooses nothing', async () => {
  const browser = visitor(app)
  const attempts: [status: number, fields: Record<string, string>, headers?: Record<string, string>][] = [
    [403, { lang: 'es' }, { 'sec-fetch-site': 'cross-site' }],
    [303, { lang: 'es', form_token: '' }],
    [303, { lang: 'xx' }],
  ]
  for (const [status, fields, headers] of attempts) {
    await browser.open('/login')
    const reply = await browser.send('/language', fields, headers)
    assert.deepEqual([reply.status, reply.cookies], [status, {}])
  }
  assert.equal(languageOf((await app.get('/login', { headers: { cookie: 'lang=xx.' } })).text), 'en')
})
