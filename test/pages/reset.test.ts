import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { hour } from '../../src/lib/time.ts'
import { registered } from '../support/people.ts'
import { proveInbox } from '../support/second-factor.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'
import { withTotp } from '../two-factor/support.ts'
import { textOf } from './all-pages.ts'
import { linkIn, resetMail, visitor } from './support.ts'

let app: TestApp
before(async () => {
  app = await startTestApp()
})
after(() => app.stop())

/** Asks for a link, as a person does. */
async function askedFor(at: TestApp, email: string, count = 1): Promise<string> {
  const browser = visitor(at)
  await browser.open('/forgot')
  await browser.send('/forgot', { email })
  return linkIn(await at.mailTo(email, count))
}

test('a link is asked for in the same words, whether the address is known or not', async () => {
  const ada = await registered(app)
  const pages = []
  for (const email of [ada.email, 'nobody@example.com']) {
    const browser = visitor(app)
    await browser.open('/forgot')
    assert.match(textOf((await browser.send('/forgot', { email: 'nobody' })).text), /Enter an email address, such as/)
    const sent = await browser.send('/forgot', { email })
    assert.deepEqual([sent.status, sent.headers.location, sent.text], [303, '/forgot/sent', ''])
    pages.push(textOf((await browser.open('/forgot/sent')).text))
  }
  assert.equal(pages[0], pages[1])
  assert.match(await askedFor(app, ada.email, 2), /^\/reset-password\?token=/)
})

test('the secret of the link leaves the address at once, and sets one password', async () => {
  const ada = await registered(app)
  const link = await askedFor(app, ada.email)
  const token = link.split('token=')[1] ?? ''
  const browser = visitor(app)
  const opened = await browser.open(link)
  assert.deepEqual([opened.status, opened.headers.location, opened.text], [303, '/reset-password', ''])
  assert.equal(opened.headers['referrer-policy'], 'no-referrer')
  const { kept_reset: cookie } = opened.cookies
  assert.deepEqual([cookie?.httpOnly, cookie?.sameSite, cookie?.maxAge], [true, 'Lax', 3600])
  const page = await browser.open('/reset-password')
  assert.match(textOf(page.text), /Choose a new password/)
  assert.ok(!page.text.includes(token))

  assert.match(textOf((await browser.send('/reset-password', { password: 'qwertyuiop' })).text), /Many people use/)
  const same = await browser.send('/reset-password', { password: ada.password })
  assert.match(textOf(same.text), /the password that you have/)
  const done = await browser.send('/reset-password', { password: 'moths around a quiet lamp' })
  assert.deepEqual([done.headers.location, done.cookies.session_id], ['/login?reset=success', undefined])
  assert.match(textOf((await browser.open('/login?reset=success')).text), /Your password is set/)
  assert.ok(!browser.cookie().includes('kept_reset'))
  const { status } = await app.post('/auth/login', { email: ada.email, password: 'moths around a quiet lamp' })
  assert.equal(status, 200)

  await browser.open(link)
  const spent = await browser.open('/reset-password')
  assert.equal(spent.status, 400)
  assert.match(textOf(spent.text), /no longer valid/)
  assert.equal((await browser.open('/reset-password')).headers.location, '/forgot')
})

test('a link that ends while its page is open leads to another one', async () => {
  const ada = await registered(app)
  const browser = visitor(app)
  await browser.open(await askedFor(app, ada.email))
  const { text } = await browser.open('/reset-password')
  assert.match(textOf(text), /Choose/)
  app.clock.advance(hour)
  const late = await browser.send('/reset-password', { password: 'moths around a quiet lamp' })
  assert.equal(late.status, 400)
  assert.match(late.text, /no longer valid[\s\S]*action="\/forgot"|action="\/forgot"[\s\S]*no longer valid/)
})

test('only our own form sets a password, and only in the browser that opened the link', async () => {
  const ada = await registered(app)
  const browser = visitor(app)
  await browser.open(await askedFor(app, ada.email))
  await browser.open('/reset-password')
  const password = 'moths around a quiet lamp'
  const foreign = await browser.send('/reset-password', { password }, { 'sec-fetch-site': 'cross-site' })
  assert.match(textOf(foreign.text), /open for too long/)
  const other = visitor(app)
  assert.equal((await other.open('/reset-password')).headers.location, '/forgot')
  assert.match(textOf((await other.send('/reset-password', { password })).text), /no longer valid/)
  assert.equal((await app.post('/auth/login', { email: ada.email, password })).status, 401)
})

test('a form that was made for one link sets no password by another', async () => {
  const [ada, mallory] = [await registered(app), await registered(app)]
  const browser = visitor(app)
  await browser.open(await askedFor(app, ada.email))
  const { text } = await browser.open('/reset-password')
  const page = /name="page" value="([^"]+)"/.exec(text.split('action="/reset-password"')[1] ?? '')?.[1] ?? ''
  // Somebody else leads this browser to a link of their own while the form is open.
  await browser.open(await askedFor(app, mallory.email))
  const refused = await browser.send('/reset-password', { page, password: 'moths around a quiet lamp' })
  assert.equal(refused.status, 400)
  assert.match(textOf(refused.text), /open for too long/)
  assert.equal((await app.post('/auth/login', mallory)).status, 200)
})

test('with RESET_AUTO_LOGIN the new password signs in, and a second factor still comes between', async () => {
  const kind = await startTestApp({
    modules: ['two-factor'],
    env: { RESET_AUTO_LOGIN: 'true', PUBLIC_URL: 'https://id.example.com' },
  })
  try {
    for (const [somebody, next] of [
      [await registered(kind), '/account'],
      [await withTotp(kind), '/login/verify'],
    ] as const) {
      await proveInbox(kind, somebody.id)
      const browser = visitor(kind)
      await browser.open('/forgot')
      await browser.send('/forgot', { email: somebody.email })
      const { cookies } = await browser.open(linkIn(await resetMail(kind, somebody.email)))
      assert.equal(cookies['__Host-kept_reset']?.secure, true)
      await browser.open('/reset-password')
      const done = await browser.send('/reset-password', { password: 'moths around a quiet lamp' })
      assert.equal(done.headers.location, next)
      assert.equal((await browser.open(next)).status, 200)
    }
  } finally {
    await kind.stop()
  }
})
