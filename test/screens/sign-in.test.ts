import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { hour } from '../../src/lib/time.ts'
import { type OfferedMethod, secondStepPage } from '../../src/modules/two-factor/pages/second-step/view.ts'
import { registered, withSession } from '../support/people.ts'
import { requireSecondFactor } from '../support/second-factor.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'
import { withTotp, wrongCode } from '../two-factor/support.ts'
import { memberOf } from './account/support.ts'
import { contextFor, textOf } from './all-pages.ts'
import { visitor } from './support.ts'

let app: TestApp
before(async () => {
  app = await startTestApp({ modules: ['two-factor'] })
})
after(() => app.stop())

test('a password signs in, and the way out ends the session', async () => {
  const ada = await registered(app)
  const browser = visitor(app)
  await browser.open('/login')
  const wrong = await browser.send('/login', { identifier: ada.email, password: 'not the password' })
  assert.equal(wrong.status, 401)
  assert.match(textOf(wrong.text), /Incorrect email address, user name or password/)
  assert.match(
    wrong.text,
    /<input id="password"[^>]* aria-describedby="form-problem" autofocus>\n<a [^>]*href="\/forgot/,
  )
  assert.ok(wrong.text.includes(`value="${ada.email}"`))
  assert.ok(!wrong.text.includes('not the password'))
  const done = await browser.send('/login', { identifier: ada.user_name, password: ada.password })
  assert.deepEqual([done.status, done.headers.location, done.text], [303, '/account', ''])
  const account = await browser.open('/account')
  assert.match(textOf(account.text), new RegExp(ada.email))
  const sessionToken = /session_id=(ses_[\w-]+)/.exec(browser.cookie())?.[1] ?? ''
  assert.ok(!account.text.includes(sessionToken))
  const out = await browser.send('/logout')
  assert.deepEqual([out.status, out.headers.location], [303, '/login?logout=success'])
  assert.equal((await app.get('/auth/me', withSession(sessionToken))).status, 401)
  assert.equal((await browser.open('/account')).headers.location, '/login')
})

test('only a form of our own page, made for this browser a short while ago, signs in or out', async () => {
  const ada = await registered(app)
  const credentials = { identifier: ada.email, password: ada.password }
  const browser = visitor(app)
  const foreignForms: Record<string, string>[] = [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': '', origin: 'https://evil.example' },
  ]
  for (const headers of foreignForms) {
    await browser.open('/login')
    const refused = await browser.send('/login', credentials, headers)
    assert.deepEqual([refused.status, refused.cookies], [403, {}])
    // Neither the values nor a new token: another site could otherwise prefill a form that the user then submits.
    assert.doesNotMatch(refused.text, new RegExp(`${ada.email}|action="/login"`))
  }
  await browser.open('/login')
  assert.equal((await browser.send('/login', { ...credentials, form_token: 'x.y' })).status, 400)
  await browser.open('/login')
  app.clock.advance(3 * hour)
  assert.equal((await browser.send('/login', credentials)).status, 400)
  assert.equal((await browser.send('/login', credentials)).status, 303)

  await browser.open('/account')
  const forged = await browser.send('/logout', {}, { 'sec-fetch-site': 'cross-site' })
  assert.equal(forged.status, 403)
  assert.equal((await browser.open('/account')).status, 200)
  const other = visitor(app)
  await other.open('/login')
  await other.send('/login', credentials)
  const foreign = /action="\/logout">\s*<input type="hidden" name="form_token" value="([^"]+)"/.exec(
    (await other.open('/account')).text,
  )
  await browser.send('/logout', { form_token: foreign?.[1] ?? '' })
  assert.equal((await browser.open('/account')).status, 200)
})

test('who asked for a page of the account sees it once they are signed in, and no other address', async () => {
  const ada = await withTotp(app)
  const browser = visitor(app)
  const signIn = () => browser.send('/login', { identifier: ada.email, password: ada.password })
  assert.equal((await browser.open('/account/security')).headers.location, '/login')
  await browser.open('/login')
  assert.equal((await signIn()).headers.location, '/login/verify')
  await browser.open('/login/verify')
  const done = await browser.send('/login/verify', { code: ada.code() })
  assert.equal(done.headers.location, '/account/security')
  await browser.open('/account')
  await browser.send('/logout')
  assert.ok(!browser.cookie().includes('kept_wanted'))

  for (const address of ['//evil.example', 'https://evil.example/account', '/account/..//evil.example', '/docs']) {
    const grace = await registered(app, 'grace')
    const led = visitor(app)
    await led.open('/login')
    const cookie = `${led.cookie()}; kept_wanted=${Buffer.from(address).toString('base64url')}`
    const answer = await led.send('/login', { identifier: grace.email, password: grace.password }, { cookie })
    assert.equal(answer.headers.location, '/account', address)
  }
})

test('after signing out, the browser stores nothing of the previous user', async () => {
  const browser = visitor(app)
  const ada = await registered(app)
  await browser.open('/login')
  await browser.send('/login', { identifier: ada.email, password: ada.password })
  await browser.open('/account')
  const out = await browser.send('/logout')
  for (const what of ['registered', 'reset', 'mailed', 'setup'])
    assert.equal(out.cookies[`kept_${what}`]?.maxAge, 0, what)
})

test('the sign-in page asks the API nothing: one visit is one read', async () => {
  const views = []
  for (let count = 0; count < 2; count++) views.push(await app.get('/login', { from: '203.0.113.60' }))
  const [first = 0, second = 0] = views.map(({ headers }) => Number(headers['x-ratelimit-remaining']))
  assert.equal(first - second, 1)
})

test('a page counts attempts as the API does, and says so', async () => {
  const ada = await registered(app)
  for (let count = 0; count < 5; count++) {
    await app.post('/auth/login', { email: ada.email, password: 'not the password' })
  }
  const browser = visitor(app)
  await browser.open('/login')
  const limited = await browser.send('/login', { identifier: ada.email, password: ada.password })
  assert.equal(limited.status, 429)
  assert.ok(Number(limited.headers['retry-after']) > 0)
  assert.match(textOf(limited.text), /Too many attempts. Please try again in 15 minutes/)
})

test('a mailed code signs in, and a wrong one does not', async () => {
  const ada = await registered(app)
  const browser = visitor(app)
  await browser.open('/login/mail')
  assert.equal((await browser.send('/login/mail', { email: 'nobody' })).status, 400)
  assert.equal((await browser.open('/login/code')).headers.location, '/login/mail')
  await browser.open('/login/mail')
  assert.equal((await browser.send('/login/mail', { email: ada.email })).headers.location, '/login/code')
  assert.match(textOf((await browser.open('/login/code')).text), /enter the code here/)
  const code = /\b(\d{6})\b/.exec((await app.mailTo(ada.email, 1)).text)?.[1] ?? ''
  assert.equal((await browser.send('/login/code', { code: wrongCode(code) })).status, 400)
  const half = await browser.send('/login/code', { code: code.slice(1) })
  assert.match(textOf(half.text), /Enter the 6-digit code from the message/)
  const withGap = `${code.slice(0, 3)} ${code.slice(3)} `
  const signedIn = await browser.send('/login/code', { code: withGap })
  const notice = await browser.open(String(signedIn.headers.location))
  assert.match(textOf(notice.text), /Your previous password was removed/)
  assert.match(notice.text, /href="\/account\/password"[\s\S]*href="\/account"/)
  assert.equal((await browser.open('/account/password')).status, 200)
  assert.equal((await visitor(app).open(String(signedIn.headers.location))).text.includes('was removed'), false)
})

test('a signed-in person learns of the error of a provider although the page of linked accounts does not exist', async () => {
  const browser = await memberOf(app)
  const path = '/login?social_login=error&error=provider_error'
  const reply = await browser.open(path)
  assert.equal(reply.status, 200)
  assert.match(textOf(reply.text), /The sign-in wasn’t completed/)
  assert.match(reply.text, /href="\/account"/)
})

test('a mailed code leads on without a notice if no password was removed', async () => {
  const ada = await registered(app)
  await sql`UPDATE users SET is_verified = true WHERE id = ${ada.id}`.execute(app.ctx.db)
  const browser = visitor(app)
  await browser.open('/login/mail')
  await browser.send('/login/mail', { email: ada.email })
  await browser.open('/login/code')
  const code = /\b(\d{6})\b/.exec((await app.mailTo(ada.email, 1)).text)?.[1] ?? ''
  assert.equal((await browser.send('/login/code', { code })).headers.location, '/account')
})

test('a second factor comes between, and its partial session leaves the address at once', async () => {
  const ada = await withTotp(app)
  const browser = visitor(app)
  await browser.open('/login')
  const first = await browser.send('/login', { identifier: ada.email, password: ada.password })
  assert.equal(first.headers.location, '/login/verify')
  assert.equal((await browser.open('/account')).headers.location, '/login/verify')
  const arrived = await browser.open('/login?social_login=success&requires_2fa=true&session_id=ses_x&provider=google')
  assert.equal(arrived.headers.location, '/login/verify')
  assert.match(textOf((await browser.open('/login/verify?method=recovery')).text), /one of your recovery codes/)
  await browser.open('/login/verify')
  const wrong = await browser.send('/login/verify', { code: wrongCode(ada.code()) })
  assert.equal(wrong.status, 400)
  assert.match(textOf(wrong.text), /4 attempts left/)
  const done = await browser.send('/login/verify', { code: ada.code() })
  assert.equal(done.headers.location, '/account')
  assert.equal((await browser.open('/account')).status, 200)

  const again = visitor(app)
  await again.open('/login')
  await again.send('/login', { identifier: ada.email, password: ada.password })
  await again.open('/login/verify?method=recovery')
  const byRecovery = await again.send('/login/verify', { code: (ada.recoveryCodes[0] ?? '').toUpperCase() })
  assert.equal(byRecovery.headers.location, '/account')
})

test('a code by mail is sent again when it is asked for, and another way first sends one', async () => {
  const grace = await registered(app, 'grace')
  await requireSecondFactor(app, grace.id)
  const browser = visitor(app)
  await browser.open('/login')
  await browser.send('/login', { identifier: grace.email, password: grace.password })
  const step = await browser.open('/login/verify')
  assert.match(textOf(step.text), /code that we sent by email to g\*\*\*@example\.com[\s\S]*Send a new code/)
  const again = await browser.send('/login/verify/send')
  assert.match(String(again.headers.location), /^\/login\/verify\?method=[\w-]+&sent=true$/)
  assert.match(textOf((await browser.open(String(again.headers.location))).text), /new code is on its way/)
  const code = /\b(\d{6})\b/.exec((await app.mailTo(grace.email, 2)).text)?.[1] ?? ''
  assert.equal((await browser.send('/login/verify', { code })).headers.location, '/account')

  const page = contextFor('en')
  const [first, other] = ['totp', 'email'].map(
    (method) => ({ id: method, method, identifier: 'g***@x.test' }) as OfferedMethod,
  )
  assert.ok(first && other)
  const data = { forms: { verify: 'v', send: 's', logout: 'l' }, methods: [first, other], chosen: other, next: '/' }
  assert.match(textOf(secondStepPage(data, page)), /Code by email to g\*\*\*@x\.test\nSend code/)
  assert.match(textOf(secondStepPage({ ...data, sendOutcome: 'sent' }, page)), /Enter the code that we sent by email/)
})

test('the second step is for those who wait for it: others are led to the first', async () => {
  const browser = visitor(app)
  assert.equal((await browser.open('/login/verify')).headers.location, '/login?ended=true')
  assert.match(textOf((await browser.open('/login?ended=true')).text), /sign in again/)
})

test('what is not installed or not offered leaves no trace, and a front end elsewhere gets its people back', async () => {
  const plain = await startTestApp({
    env: { FRONTEND_URL: 'https://app.example.com', TOKEN_LOGIN_ENABLED: 'false', PASSKEYS_ENABLED: 'false' },
  })
  try {
    const browser = visitor(plain)
    for (const path of ['/login/verify', '/login/mail']) assert.equal((await browser.open(path)).status, 404, path)
    const { text } = await browser.open('/login')
    assert.doesNotMatch(textOf(text), /passkey|Continue|by email/)
    const sent = await browser.send('/login', { identifier: 'nobody', password: 'nothing' })
    assert.equal(sent.status, 401)
  } finally {
    await plain.stop()
  }
})

test('a form of a browser without a user agent is recorded without one', async () => {
  const ada = await registered(app)
  const browser = visitor(app, { 'user-agent': undefined as never })
  await browser.open('/login')
  await browser.send('/login', { identifier: ada.email, password: ada.password })
  const { rows } = await sql`SELECT user_agent FROM sessions WHERE user_id = ${ada.id} AND proof = 'password'`.execute(
    app.ctx.db,
  )
  assert.deepEqual(rows, [{ user_agent: '' }])
})
