import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { registered } from '../support/people.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'
import { tagsOf, textOf } from './all-pages.ts'
import { linkIn, visitor } from './support.ts'

let app: TestApp
before(async () => {
  app = await startTestApp({ env: { RATE_LIMIT_READ: '20/1m' } })
})
after(() => app.stop())

const person = {
  accept: 'text/html,application/xhtml+xml,*/*;q=0.8',
  'accept-language': 'es',
  'sec-fetch-dest': 'document',
}
const buttonsOf = (html: string) =>
  tagsOf(html)
    .flatMap(({ name, attributes }) => (name === 'a' && attributes.class ? [attributes.href] : []))
    .slice(1)

test('a person who is lost sees a page in their language with a way on, a program the API', async () => {
  for (const path of ['/nothing', '/auth/nothing', '/api/v1/nothing']) {
    const page = await app.get(path, { headers: person })
    assert.equal(page.status, 404)
    assert.match(textOf(page.text), /Página no encontrada/)
    assert.deepEqual(buttonsOf(page.text), ['/account'])
    for (const headers of [{ accept: 'application/json' }, { accept: '*/*' }, {}]) {
      assert.equal((await app.get(path, { headers })).json.code, 'NOT_FOUND')
    }
  }
  assert.equal((await app.get('/auth/nothing', { headers: { accept: 'text/html' } })).json.code, 'NOT_FOUND')
  const wrong = await app.get('/login/verify/send', { headers: person })
  assert.deepEqual([wrong.status, buttonsOf(wrong.text)], [405, ['/account']])
})

test('a person who comes too often reads when to come again, and gets back by a button', async () => {
  const from = '203.0.113.9'
  let page = await app.get('/register', { headers: person, from })
  for (let count = 0; page.status === 200 && count < 30; count++)
    page = await app.get('/register', { headers: person, from })
  assert.equal(page.status, 429)
  assert.match(textOf(page.text), /Inténtalo de nuevo dentro de (un minuto|2 minutos)/)
  assert.deepEqual(buttonsOf(page.text), ['/register', '/account'])
})

test('when the service fails, a form answers with a page, and no secret of it', async () => {
  const browser = visitor(app)
  await browser.open('/login')
  await app.database.query('ALTER TABLE users RENAME TO lost', [])
  const failed = await browser.send('/login', { identifier: 'ada@example.com', password: 'nine harbour bells' })
  await app.database.query('ALTER TABLE lost RENAME TO users', [])
  assert.equal(failed.status, 500)
  assert.match(textOf(failed.text), /Something went wrong on our side/)
  assert.ok(!failed.text.includes('harbour'))
})

test('a link that was used says where another one is to be had', async () => {
  const ada = await registered(app)
  const link = linkIn(await app.mailTo(ada.email))
  const browser = visitor(app)
  await app.post('/auth/resend-verification', { email: ada.email })
  const newer = linkIn(await app.mailTo(ada.email, 1))
  await browser.open(link)
  const replaced = await browser.send('/auth/token/verify')
  assert.deepEqual([replaced.status, buttonsOf(replaced.text)], [400, ['/verify-email']])
  await browser.open(newer)
  await browser.send('/auth/token/verify')
  await browser.open(newer)
  const again = await browser.send('/auth/token/verify')
  assert.deepEqual([again.status, buttonsOf(again.text)], [200, ['/account']])

  await app.post('/auth/token/login', { email: ada.email })
  const signIn = linkIn(await app.mailTo(ada.email, 2))
  for (const expected of [303, 400]) {
    await browser.open(signIn)
    const pressed = await browser.send('/auth/token/login')
    assert.equal(pressed.status, expected)
    if (expected === 400) assert.deepEqual(buttonsOf(pressed.text), ['/login/mail'])
  }
})

test('a provider that is not set up is named as the reason, and the way on leads back to sign-in', async () => {
  const headers = { ...person, 'sec-fetch-mode': 'navigate', 'accept-language': 'en' }
  const page = await app.get('/auth/social/google/login', { headers })
  assert.equal(page.status, 503)
  assert.match(textOf(page.text), /This sign-in method isn’t available[\s\S]*Back to sign-in/)
  assert.doesNotMatch(textOf(page.text), /503|Something went wrong/)
  assert.deepEqual(buttonsOf(page.text), ['/login'])
})
