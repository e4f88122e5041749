import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { day, minute } from '../../../src/lib/time.ts'
import { ownAddress } from '../../../src/ui/account/own-address.ts'
import { startTestApp, type TestApp } from '../../support/test-app.ts'
import { withTotp, wrongCode } from '../../two-factor/support.ts'
import { textOf } from '../all-pages.ts'
import { visitor } from '../support.ts'
import { memberOf, signedInBrowser } from './support.ts'

let app: TestApp
before(async () => {
  app = await startTestApp({ modules: ['two-factor'], env: { RATE_LIMIT_LOGIN: '100/15m' } })
})
after(() => app.stop())

test('visitors who are not signed in are redirected to sign in, with the reason', async () => {
  assert.equal((await visitor(app).open('/account')).headers.location, '/login')

  const late = await memberOf(app)
  app.clock.advance(40 * day)
  const expired = await late.open('/account')
  assert.equal(expired.headers.location, '/login?ended=session')
  assert.match(textOf((await late.open('/login?ended=session')).text), /Your session has ended/)

  const ended = await memberOf(app)
  await sql`UPDATE sessions SET status = 'revoked', ended_at = now() WHERE user_id = ${ended.id}`.execute(app.ctx.db)
  await app.post('/auth/invalidate/me', undefined, { headers: { cookie: ended.cookie() } })
  app.clock.advance(minute)
  assert.equal((await ended.open('/account')).headers.location, '/login?ended=session')

  const ada = await withTotp(app)
  const waiting = visitor(app)
  await waiting.open('/login')
  await waiting.send('/login', { identifier: ada.email, password: ada.password })
  assert.equal((await waiting.open('/account')).headers.location, '/login/verify')
})

test('the account speaks the language that its owner chose, else that of the browser', async () => {
  const ada = await memberOf(app)
  const headers = { cookie: ada.cookie(), 'accept-language': 'es' }
  assert.match((await app.get('/account', { headers })).text, /<html lang="es"/)
  await app.call('PUT', '/auth/profile', { body: { lang: 'en-GB' }, headers: { cookie: ada.cookie() } })
  assert.match((await app.get('/account', { headers })).text, /<html lang="en"/)
})

test('a code in the address says what was done, in words of ours only', async () => {
  const ada = await memberOf(app)
  assert.match(textOf((await ada.open('/account?done=confirmed')).text), /You can continue now/)
  for (const code of ['hacked', 'toString', '__proto__'])
    assert.doesNotMatch((await ada.open(`/account?done=${code}`)).text, /role="status"/)
})

test('a password proves who asks, and leads back to a page of the account and nowhere else', async () => {
  const ada = await memberOf(app)
  const asked = await ada.open('/account/confirm?next=/account/sessions')
  assert.match(textOf(asked.text), /To change security settings, confirm your identity/)
  assert.doesNotMatch(textOf(asked.text), /a while ago/, 'who comes by their own wish may have signed in just now')
  const wrong = await ada.send('/account/confirm', { proof: 'not the password' })
  assert.equal(wrong.status, 400)
  assert.match(textOf(wrong.text), /This password is incorrect/)
  const right = await ada.send('/account/confirm', { proof: ada.password })
  assert.deepEqual([right.status, right.headers.location], [303, '/account/sessions?done=confirmed'])

  await ada.open('/account/confirm?next=https://evil.example/')
  const away = await ada.send('/account/confirm', { proof: ada.password, next: '//evil.example' })
  assert.equal(away.headers.location, '/account?done=confirmed')
  await ada.open('/account/confirm')
  const forged = await ada.send('/account/confirm', { proof: ada.password }, { 'sec-fetch-site': 'cross-site' })
  assert.equal(forged.status, 403)
})

test('the way back is a path of the account', () => {
  for (const path of ['/account', '/account/privacy/export', '/account/security?way=a-b_c&x=1'])
    assert.equal(ownAddress(path), path)
  const foreign = [
    '//evil.example',
    '/account/..//evil',
    '/accounts',
    '/account\\evil',
    '/account/../login',
    '/account\n',
    'javascript:x',
  ]
  for (const wish of [...foreign, '', undefined]) assert.equal(ownAddress(wish), '/account')
})

test('second factors prove it, too; who has neither signs in anew', async () => {
  const ada = await withTotp(app)
  const browser = visitor(app)
  await browser.open('/login')
  await browser.send('/login', { identifier: ada.email, password: ada.password })
  await browser.send('/login/verify', {})
  await browser.open('/login/verify')
  await browser.send('/login/verify', { code: ada.code() })
  const page = await browser.open('/account/confirm?next=/account')
  const way = /way=([0-9a-f-]{36})">Code from an authenticator/.exec(page.text)?.[1]
  assert.ok(way, page.text)
  app.clock.advance(minute)
  await browser.open(`/account/confirm?next=/account&way=${way}`)
  const wrong = await browser.send('/account/confirm', { proof: wrongCode(ada.code()) })
  assert.match(textOf(wrong.text), /This code is wrong or has expired/)
  assert.equal(
    (await browser.send('/account/confirm', { proof: ada.code() })).headers.location,
    '/account?done=confirmed',
  )

  const grace = await memberOf(app)
  await sql`UPDATE users SET password_hash = NULL WHERE id = ${grace.id}`.execute(app.ctx.db)
  assert.match(textOf((await grace.open('/account/confirm')).text), /Sign out, sign in again/)
})

test('a code is sent on demand, to those who have one coming by mail', async () => {
  const ada = await memberOf(app)
  const headers = { cookie: ada.cookie() }
  const begun = await app.post('/auth/two_factor/email/setup', {}, { headers })
  const first = /\b(\d{6})\b/.exec((await app.mailTo(ada.email, 1)).text)?.[1] ?? ''
  const body = { action: 'setup', method_id: begun.json.method_id, code: first }
  assert.equal((await app.post('/auth/two_factor/verify', body, { headers })).status, 200)
  await ada.open(`/account/confirm?way=${begun.json.method_id}`)
  const sent = await ada.send('/account/confirm/send')
  assert.match(textOf(sent.text), /A new code is on its way/)
  const { text } = await app.mailTo(ada.email, 3)
  const code = /\b(\d{6})\b/.exec(text)?.[1] ?? ''
  assert.equal((await ada.send('/account/confirm', { proof: code })).headers.location, '/account?done=confirmed')
})

test('pages of modules that are not installed leave no trace', async () => {
  const plain = await startTestApp()
  try {
    const ada = await memberOf(plain)
    assert.doesNotMatch(textOf((await ada.open('/account/confirm')).text), /another way/i)
    const other = await signedInBrowser(plain, ada)
    assert.equal((await other.open('/account')).status, 200)
  } finally {
    await plain.stop()
  }
})
