import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createSetupLink } from '../../src/admin/setup-link.ts'
import { person } from '../support/people.ts'
import { switchPasswords } from '../support/switch-passwords.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'
import { memberOf } from './account/support.ts'
import { textOf } from './all-pages.ts'
import { staffOf } from './console/support.ts'
import { linkIn, type Visitor, visitor } from './support.ts'

let app: TestApp
let ada: Visitor & { email: string }
let grace: Visitor
before(async () => {
  app = await startTestApp({ env: { TOKEN_LOGIN_AUTO_REGISTER: 'true' }, modules: ['two-factor'] })
  ada = await memberOf(app)
  grace = await staffOf(app, 'superadmin')
  await switchPasswords(app, 'off')
})
after(() => app.stop())

const hasPasswordField = ({ text }: { text: string }) => /type="password"|href="\/(forgot|account\/password)/.test(text)

test('no page has a field for a password or a link to one', async () => {
  const someone = visitor(app)
  for (const path of ['/login', '/register', '/forgot', '/reset-password', '/login/mail'])
    assert.equal(hasPasswordField(await someone.open(path)), false, path)
  const own = ['/account', '/account/password', '/account/confirm', '/account/email', '/account/sessions']
  for (const path of own) assert.equal(hasPasswordField(await ada.open(path)), false, path)
  for (const path of ['/admin', '/admin/people/new'])
    assert.equal(hasPasswordField(await grace.open(path)), false, path)
})

test('the pages about passwords say that passwords are switched off, and where to go', async () => {
  const someone = visitor(app)
  for (const path of ['/forgot', '/reset-password']) {
    let page = await someone.open(path)
    if (page.status === 303) page = await someone.open(String(page.headers.location))
    assert.equal(page.status, 403)
    assert.match(textOf(page.text), /Passwords are switched off/)
    assert.match(page.text, /href="\/login"/)
  }
  const page = await ada.open('/account/password')
  assert.equal(page.status, 403)
  assert.match(textOf(page.text), /Passwords are switched off[\s\S]*Go to your account/)
})

test('without passwords and passkeys, a person registers with a sign-in link', async () => {
  const env = { PASSWORDS_ENABLED: 'false', PASSKEYS_ENABLED: 'false', TOKEN_LOGIN_AUTO_REGISTER: 'true' }
  const other = await startTestApp({ env })
  try {
    const someone = visitor(other)
    assert.match((await someone.open('/login')).text, /href="\/login\/mail"/)
    const page = await someone.open('/register')
    assert.deepEqual([page.status, page.headers.location], [303, '/login/mail'])
  } finally {
    await other.stop()
  }
})

test('an invitation leads to a page that signs the user in without a password', async () => {
  const { email } = person()
  await grace.open('/admin/people/new')
  const done = await grace.send('/admin/people/new', { email, way: 'invitation' })
  assert.equal(done.status, 303, textOf(done.text))
  const invited = visitor(app)
  await invited.open(linkIn(await app.mailTo(email)))
  const page = await invited.open('/reset-password')
  assert.match(textOf(page.text), /Welcome to/)
  assert.equal(hasPasswordField(page), false)
  const accepted = await invited.send('/reset-password')
  assert.deepEqual([accepted.status, accepted.headers.location], [303, '/account'])
  assert.ok(textOf((await invited.open('/account')).text).includes(email))
})

test('the pages name no password as a way to sign in, and the start page links to the registration', async () => {
  assert.doesNotMatch(textOf((await visitor(app).open('/login/mail')).text), /password/i)
  const start = await visitor(app).open('/')
  assert.doesNotMatch(textOf(start.text), /password/i)
  assert.match(start.text, /<a href="\/register">Open the registration page/)
  const form = textOf((await grace.open('/admin/people/new')).text)
  assert.match(form, /emails the user a link to the new account/)
  assert.doesNotMatch(form, /password/i)
})

test('the console offers no reset link', async () => {
  const { id } = ada as unknown as { id: string }
  const page = textOf((await grace.open(`/admin/people/${id}`)).text)
  assert.doesNotMatch(page, /reset/i)
  assert.match(page, /sign-in link/i)
})

test('the set-up link creates the first superadmin without a password and signs in, even without a mail server', async () => {
  const fresh = await startTestApp({ env: { PASSWORDS_ENABLED: 'false' } })
  try {
    const link = new URL((await createSetupLink(fresh.ctx)) ?? '')
    const browser = visitor(fresh)
    await browser.open(`${link.pathname}${link.search}`)
    assert.equal(hasPasswordField(await browser.open('/setup')), false)
    const done = await browser.send('/setup', { email: 'root@example.com', name: 'Grace' })
    assert.deepEqual([done.status, done.headers.location], [303, '/admin?done=set-up'])
    const me = await fresh.get('/auth/me', { headers: { cookie: browser.cookie() } })
    assert.equal(me.json.user.user_type, 'superadmin')
  } finally {
    await fresh.stop()
  }
})

test('the set-up page requires a password while passwords are on', async () => {
  const fresh = await startTestApp()
  try {
    const token = new URL((await createSetupLink(fresh.ctx)) ?? '').searchParams.get('token')
    const reply = await fresh.post('/auth/setup', { token, email: 'root@example.com' })
    assert.deepEqual([reply.status, reply.json.code], [400, 'VALIDATION_ERROR'])
  } finally {
    await fresh.stop()
  }
})
