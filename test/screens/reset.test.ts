import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { hour } from '../../src/lib/time.ts'
import { wrong } from '../passwordless/support.ts'
import { registered, signedInAs, withSession } from '../support/people.ts'
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

/** Requests a link using the form on the page. */
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
    const page = textOf((await browser.open('/forgot/sent')).text)
    assert.ok(page.includes(`If there is an account for ${email}, we sent a message to it.`))
    pages.push(page.replaceAll(email, 'the address'))
  }
  assert.equal(pages[0], pages[1])
  assert.match(await askedFor(app, ada.email, 2), /^\/reset-password\?flow=[\w-]{12}&token=/)
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

  assert.match(textOf((await browser.send('/reset-password', { password: 'qwertyuiop' })).text), /too common/)
  const same = await browser.send('/reset-password', { password: ada.password })
  assert.match(textOf(same.text), /your current password/)
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
  assert.equal(foreign.status, 403)
  assert.doesNotMatch(foreign.text, /action="\/reset-password"/)
  const other = visitor(app)
  assert.equal((await other.open('/reset-password')).headers.location, '/forgot')
  assert.match(textOf((await other.send('/reset-password', { password })).text), /no longer valid/)
  assert.equal((await app.post('/auth/login', { email: ada.email, password })).status, 401)
})

/** Opens the form for a new password by the link, or by the code, of the message. */
async function proved(browser: ReturnType<typeof visitor>, email: string, by: 'link' | 'code'): Promise<string> {
  if (by === 'link') {
    await askedFor(app, email)
    await browser.open(linkIn(await resetMail(app, email)))
  } else {
    await browser.open('/forgot')
    await browser.send('/forgot', { email })
    await browser.open('/forgot/sent')
    const code = /^(\d{6})$/m.exec((await resetMail(app, email)).text)?.[1] ?? ''
    assert.equal((await browser.send('/forgot/sent', { code })).headers.location, '/reset-password')
  }
  const { text } = await browser.open('/reset-password')
  return /name="form_token" value="([^"]+)"/.exec(text.split('action="/reset-password"')[1] ?? '')?.[1] ?? ''
}

for (const by of ['link', 'code'] as const)
  test(`a form that was made for one ${by} sets no password by another`, async () => {
    const [ada, mallory] = [await registered(app), await registered(app)]
    const browser = visitor(app)
    const page = await proved(browser, ada.email, by)
    assert.notEqual(page, '')
    // While the form is open, an attacker makes the browser open the form for the attacker's account.
    await proved(browser, mallory.email, by)
    const refused = await browser.send('/reset-password', { form_token: page, password: 'moths around a quiet lamp' })
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

test('a person without scripts sets a new password by the code of the mail', async () => {
  const ada = await registered(app)
  const browser = visitor(app, { 'accept-language': 'es' })
  await browser.open('/forgot')
  await browser.send('/forgot', { email: ` ${ada.email} ` })
  const { text } = await resetMail(app, ada.email)
  const code = /^(\d{6})$/m.exec(text)?.[1] ?? ''
  assert.match(textOf((await browser.open('/forgot/sent')).text), /escribe aquí el código/)
  const wrong = await browser.send('/forgot/sent', { code: String((Number(code) + 1) % 1_000_000).padStart(6, '0') })
  assert.deepEqual([wrong.status, /es incorrecto o ha caducado/.test(textOf(wrong.text))], [400, true])
  assert.match(textOf((await browser.send('/forgot/sent', { code: '12' })).text), /código de 6 cifras/)
  const right = await browser.send('/forgot/sent', { code: `${code.slice(0, 3)} ${code.slice(3)}` })
  assert.deepEqual([right.status, right.headers.location], [303, '/reset-password'])
  await browser.open('/reset-password')
  assert.equal((await browser.send('/reset-password', { password: 'short' })).status, 400)
  const done = await browser.send('/reset-password', { password: 'moths around a quiet lamp' })
  assert.equal(done.headers.location, '/login?reset=success')
  const { email } = ada
  assert.equal((await app.post('/auth/login', { email, password: 'moths around a quiet lamp' })).status, 200)
  assert.equal((await browser.open('/reset-password')).headers.location, '/forgot')
})

test('a code is refused in the same words, whether the address is known or not, and for a form of another site', async () => {
  const ada = await registered(app)
  const pages = []
  for (const email of [ada.email, 'nobody@example.com']) {
    const browser = visitor(app)
    await browser.open('/forgot')
    await browser.send('/forgot', { email })
    await browser.open('/forgot/sent')
    const refused = await browser.send('/forgot/sent', { code: '000000' })
    pages.push([refused.status, textOf(refused.text).replaceAll(email, 'the address')])
    await browser.open('/forgot/sent')
    assert.equal((await browser.send('/forgot/sent', { code: '000000', formToken: 'x' })).status, 400)
  }
  assert.deepEqual(pages[0], pages[1])
  const elsewhere = visitor(app)
  assert.doesNotMatch((await elsewhere.open('/forgot/sent')).text, /name="code"/)
  assert.equal((await elsewhere.send('/forgot/sent', { code: '000000' })).headers.location, '/forgot')
})

test('an address is never taken for a typed code, and another site cannot make the browser forget a link', async () => {
  const ada = await registered(app)
  const browser = visitor(app)
  await browser.open('/forgot')
  await browser.send('/forgot', { email: ada.email })
  const mail = await resetMail(app, ada.email)
  const code = /^(\d{6})$/m.exec(mail.text)?.[1] ?? ''
  const guesser = visitor(app)
  for (let guess = 0; guess < 6; guess++) {
    await guesser.open(`/reset-password?token=${encodeURIComponent(`${wrong(code)} ${ada.email}`)}`)
    assert.equal((await guesser.open('/reset-password')).status, 400)
  }
  const valid = await app.post('/auth/password-reset/validate', { email: ada.email, code })
  assert.equal(valid.json.valid, true)

  await browser.open(linkIn(mail))
  const foreign = await app.post('/reset-password', 'password=moths+around+a+quiet+lamp', {
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://evil.test' },
  })
  assert.deepEqual([foreign.status, foreign.headers['set-cookie']], [400, undefined])
})

test('an invitation welcomes the person with the email address, which is also filled in for the sign-in that follows', async () => {
  const root = await signedInAs(app, 'superadmin')
  const own = withSession(root.sessionToken)
  await app.call('PUT', '/auth/profile', { ...own, body: { name: 'Grace', last_name: 'Hopper' } })
  const email = 'invited@example.com'
  await app.post('/auth/admin/users', { email, send_invite: true }, own)
  const mail = await app.mailTo(email)
  assert.match(mail.text, /^Grace Hopper invited you to Wardenry\./m)
  const browser = visitor(app)
  await browser.open(linkIn(mail))
  const { text } = await browser.open('/reset-password')
  assert.match(textOf(text), /Welcome to Wardenry\s+Choose a password for your new account\./)
  assert.doesNotMatch(textOf(text), /signed out everywhere/)
  assert.match(text, /value="invited@example.com"[^>]* readonly/)
  const weak = await browser.send('/reset-password', { email, password: 'short' })
  assert.match(textOf(weak.text), /Welcome to Wardenry/)
  const done = await browser.send('/reset-password', { email, password: 'moths around a quiet lamp' })
  assert.equal(done.headers.location, '/login?reset=success')
  assert.match((await browser.open('/login?reset=success')).text, /id="identifier"[^>]* value="invited@example.com"/)
  assert.doesNotMatch((await browser.open('/login')).text, /invited@example.com/)
  assert.doesNotMatch((await visitor(app).open('/login?reset=success')).text, /invited@example.com/)
})

test('a link for a person who has a password neither welcomes nor shows the email address', async () => {
  const ada = await registered(app)
  const browser = visitor(app)
  await browser.open(await askedFor(app, ada.email))
  const { text } = await browser.open('/reset-password')
  assert.doesNotMatch(text, new RegExp(`Welcome|${ada.email}`))
  await browser.send('/reset-password', { password: 'moths around a quiet lamp' })
  assert.doesNotMatch((await browser.open('/login?reset=success')).text, new RegExp(ada.email))
})
