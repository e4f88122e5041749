import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { hour } from '../../src/lib/time.ts'
import { person, registered } from '../support/people.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'
import { tagsOf, textOf } from './all-pages.ts'
import { linkIn, visitor } from './support.ts'

let app: TestApp
before(async () => {
  app = await startTestApp()
})
after(() => app.stop())

const filled = ({ email, password } = person()) => ({ email, password, name: 'Ada', last_name: '' })

test('a person registers, is signed in, and proves the address by the link of the mail', async () => {
  const given = filled()
  const browser = visitor(app, { 'accept-language': 'es' })
  assert.match(textOf((await browser.open('/login')).text), /Crear una cuenta/)
  await browser.open('/register?with=password')
  const done = await browser.send('/register', given)
  assert.deepEqual([done.status, done.headers.location], [303, '/verify-email'])
  const waiting = await browser.open('/verify-email')
  assert.match(textOf(waiting.text), new RegExp(`Revisa tu correo[\\s\\S]*${given.email}[\\s\\S]*Omitir por ahora`))
  assert.ok(!waiting.text.includes('other=true'))
  const me = await app.get('/auth/me', { headers: { cookie: browser.cookie() } })
  assert.deepEqual([me.json.user.name, me.json.user.lang, me.json.user.is_verified], ['Ada', 'es', false])

  const again = await browser.send('/verify-email')
  assert.equal(again.headers.location, '/verify-email?sent=true')
  assert.match(textOf((await browser.open('/verify-email?sent=true')).text), /hemos enviado otro mensaje/)
  const link = linkIn(await app.mailTo(given.email, 1))
  assert.match(textOf((await browser.open(link)).text), /Confirma tu correo/)
  const proven = await browser.send('/auth/token/verify')
  const there = await browser.open(pathOf(proven.headers.location))
  assert.match(textOf(there.text), /Correo electrónico confirmado[\s\S]*Continuar/)
  assert.match(textOf((await browser.open('/verify-email')).text), /Ya estaba confirmado/)
})

test('what is refused is said at its field, and nothing but the password is asked for again', async () => {
  const ada = await registered(app)
  const browser = visitor(app)
  await browser.open('/register?with=password')
  const taken = await browser.send('/register', filled(ada))
  assert.equal(taken.status, 400)
  assert.match(textOf(taken.text), /already registered/)
  const given = filled()
  const weak = await browser.send('/register', { ...given, password: 'password1' })
  assert.match(textOf(weak.text), /This password is too common/)
  assert.ok(weak.text.includes(`value="${given.email}"`) && !weak.text.includes('password1'))
  assert.match(textOf((await browser.send('/register', { ...given, password: 'short' })).text), /Enter at least 8/)
  for (const [field, value] of [
    ['email', 'nobody'],
    ['name', 'x'.repeat(101)],
    ['last_name', 'a\nb'],
  ] as const) {
    const bad = await browser.send('/register', { ...given, [field]: value })
    const marked = tagsOf(bad.text).filter(({ attributes }) => attributes['aria-invalid'] === 'true')
    assert.deepEqual(
      marked.map(({ attributes }) => [attributes.name, attributes['aria-describedby']]),
      [[field, `${field}-problem`]],
    )
  }
  assert.equal((await browser.send('/register', given)).status, 303)
})

test('only a form of our own page, made for this browser a short while ago, registers anybody', async () => {
  const given = filled()
  const browser = visitor(app)
  await browser.open('/register?with=password')
  const foreign = await browser.send('/register', given, { 'sec-fetch-site': 'cross-site' })
  assert.deepEqual([foreign.status, foreign.cookies], [403, {}])
  await browser.open('/register?with=password')
  app.clock.advance(3 * hour)
  assert.match(textOf((await browser.send('/register', given)).text), /open for too long/)
  assert.equal((await app.post('/auth/login', given)).status, 401)
})

test('another message is sent to whoever needs one, and the page tells nobody who does', async () => {
  const ada = await registered(app)
  const pages = []
  for (const email of [ada.email, 'nobody@example.com']) {
    const browser = visitor(app)
    assert.match(textOf((await browser.open('/verify-email')).text), /Enter the email address/)
    assert.equal((await browser.send('/verify-email', { email: 'nobody' })).status, 400)
    const sent = await browser.send('/verify-email', { email })
    assert.equal(sent.headers.location, '/verify-email?sent=true')
    const { text } = await browser.open('/verify-email?sent=true')
    pages.push(textOf(text).replace(email, ''))
    assert.match(textOf((await browser.open('/verify-email?other=true')).text), /Enter the email address/)
    assert.match(textOf((await browser.open('/verify-email')).text), /Enter the email address/)
  }
  assert.equal(pages[0], pages[1])
  assert.ok(linkIn(await app.mailTo(ada.email, 1)))
})

test('where addresses must be proven first, nobody is signed in before, and sign-in leads to another message', async () => {
  const strict = await startTestApp({ env: { VERIFY_REGISTRATION: 'true', REGISTRATION_REVEAL: 'hide' } })
  try {
    const given = filled()
    const waiting = []
    for (const { email } of [given, given]) {
      const browser = visitor(strict)
      await browser.open('/register?with=password')
      const done = await browser.send('/register', { ...given, email })
      assert.deepEqual([done.headers.location, done.cookies.session_id], ['/verify-email', undefined])
      waiting.push(textOf((await browser.open('/verify-email')).text))
    }
    assert.equal(waiting[0], waiting[1])
    assert.match(waiting[0] ?? '', /Use another address/)
    const browser = visitor(strict)
    await browser.open('/login')
    const refused = await browser.send('/login', { identifier: given.email, password: given.password })
    assert.match(refused.text, /isn’t confirmed yet[\s\S]*href="\/verify-email"/)
    assert.match(textOf((await browser.open('/verify-email')).text), new RegExp(`message we sent to ${given.email}`))
  } finally {
    await strict.stop()
  }
})

test('where people cannot register, the page says so, and no other leads there', async () => {
  const ways: Record<string, string>[] = [{ REGISTRATION_ENABLED: 'false' }, { REGISTRATION_REQUIRES_BRIDGE: 'true' }]
  for (const env of ways) {
    const closed = await startTestApp({ env })
    try {
      const browser = visitor(closed)
      assert.ok(!(await browser.open('/login')).text.includes('/register'))
      const page = await browser.open('/register?with=password')
      assert.equal(page.status, 403)
      assert.match(textOf(page.text), /Registration is closed/)
      assert.equal((await browser.send('/register', filled())).status, 403)
    } finally {
      await closed.stop()
    }
  }
})

const pathOf = (location: unknown): string => {
  const { pathname, search } = new URL(String(location), 'http://localhost')
  return `${pathname}${search}`
}

test('a person without scripts proves the address by the code of the mail, signed in or not', async () => {
  for (const isSignedIn of [true, false]) {
    const given = filled()
    const browser = visitor(app)
    if (isSignedIn) {
      await browser.open('/register?with=password')
      await browser.send('/register', given)
    } else {
      await app.post('/auth/register/public', given)
      await browser.open('/verify-email')
      await browser.send('/verify-email', { email: given.email })
    }
    const code = /^(\d{6})$/m.exec((await app.mailTo(given.email, isSignedIn ? 0 : 1)).text)?.[1] ?? ''
    await browser.open('/verify-email')
    const wrong = await browser.send('/verify-email/code', {
      code: String((Number(code) + 1) % 1_000_000).padStart(6, '0'),
    })
    assert.deepEqual([wrong.status, /is wrong or has expired/.test(textOf(wrong.text))], [400, true])
    const proven = await browser.send('/verify-email/code', { code })
    assert.deepEqual([proven.status, proven.headers.location], [303, '/login?verification=success'])
    assert.match(textOf((await browser.open('/login?verification=success')).text), /Email address confirmed/i)
    const { json } = await app.post('/auth/login', { email: given.email, password: given.password })
    assert.equal(json.user.is_verified, true)
  }
  assert.equal((await visitor(app).send('/verify-email/code', { code: '000000' })).headers.location, '/verify-email')
})
