import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { day } from '../../src/lib/time.ts'
import { endAllSessions } from '../../src/sessions/end-all-sessions.ts'
import { createAuthenticator } from '../support/authenticator.ts'
import { addPasskey, homeOf, type PasskeyOwner, passkeyLogin, passkeyOwner } from '../support/passkeys.ts'
import { type SignedIn, signedInAs, withSession } from '../support/people.ts'
import { auditOf } from '../support/rows.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'

let app: TestApp
let admin: SignedIn
before(async () => {
  app = await startTestApp({
    modules: ['two-factor'],
    env: { TWO_FACTOR_REMEMBER: '30d', TWO_FACTOR_REQUIRED_FOR: 'writer', RATE_LIMIT_ADMIN: '1000/1h' },
  })
  admin = await signedInAs(app, 'admin')
})
after(() => app?.stop())

/** Signs in with a password and a passkey. `remember` is the value of `remember_device`. */
async function signIn(at: TestApp, owner: PasskeyOwner, remember?: boolean) {
  const { json } = await at.post('/auth/login', owner)
  const start = await at.post('/auth/two_factor/passkey/start', {}, withSession(json.sessionId))
  const response = owner.authenticator.get(start.json.options)
  const body = { method: 'passkey', response, ...(remember !== undefined && { remember_device: remember }) }
  const reply = await at.post('/auth/two_factor/verify', body, withSession(json.sessionId))
  assert.equal(reply.status, 200, reply.text)
  return reply
}

const loginFrom = (cookie: string | undefined, owner: PasskeyOwner, at = app, more: object = {}) =>
  at.post('/auth/login', { ...owner, ...more }, { headers: { cookie: `cb=${cookie}` } })

async function remembered(owner: PasskeyOwner): Promise<string> {
  const value = (await signIn(app, owner, true)).cookies.cb?.value
  assert.ok(value)
  return value
}

test('users who choose it are not asked again in this browser, but in all others', async () => {
  const ada = await passkeyOwner(app)
  assert.equal((await signIn(app, ada)).cookies.cb, undefined)
  assert.equal((await signIn(app, ada, false)).cookies.cb, undefined)
  const { cb } = (await signIn(app, ada, true)).cookies
  assert.deepEqual([cb?.httpOnly, cb?.sameSite, cb?.path, cb?.maxAge], [true, 'Lax', '/', (30 * day) / 1000])
  assert.ok(cb && !cb.value.includes(ada.id))

  const again = await loginFrom(cb.value, ada)
  assert.deepEqual([again.json.success, again.json.requires_2fa], [true, false])
  const view = await app.get('/auth/validation', withSession(again.json.sessionId))
  assert.equal(view.json.session.two_factor_verified, 0)
  assert.equal((await auditOf(app, 'login_success')).at(-1)?.details.confirmed, 'earlier')
  assert.equal((await app.post('/auth/login', ada)).json.requires_2fa, true)
  const wrong = await loginFrom(cb.value, ada, app, { password: 'not this one' })
  assert.equal(wrong.json.code, 'INVALID_CREDENTIALS')
})

test('what one browser was given is nothing for another user, nor with a letter changed', async () => {
  const [ada, grace] = [await passkeyOwner(app), await passkeyOwner(app, 'grace')]
  const value = await remembered(ada)
  const changed = value.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))
  const kd = (await passkeyLogin(app, ada.authenticator)).cookies.kd?.value
  const useless: [shown: string | undefined, owner: PasskeyOwner][] = [
    [value, grace],
    [changed, ada],
    ['', ada],
    ['..', ada],
    [kd, ada],
  ]
  for (const [shown, owner] of useless)
    assert.equal((await loginFrom(shown, owner)).json.requires_2fa, true, `${shown}`)
  assert.equal((await loginFrom(`${value}; cb=other`, ada)).json.requires_2fa, true)
  assert.equal((await loginFrom(value, ada)).json.requires_2fa, false)
})

const toggleByAdmin = (id: string, two_factor: boolean) =>
  app.call('PUT', `/auth/admin/users/${id}`, { ...withSession(admin.sessionToken), body: { two_factor } })

const changes: [what: string, change: (owner: PasskeyOwner) => Promise<unknown>][] = [
  [
    'a new password',
    async (owner) => {
      const body = { current_password: owner.password, new_password: 'another river of stones' }
      await app.post('/auth/password-change/self', body, withSession(owner.sessionToken))
      owner.password = body.new_password
    },
  ],
  ['one more method', (owner) => addPasskey(app, owner.sessionToken, createAuthenticator(homeOf(app)))],
  [
    'one method less',
    async (owner) => {
      const body = { verification_code: owner.recoveryCodes[1] }
      await app.call('DELETE', `/auth/two_factor/${owner.methodId}`, { ...withSession(owner.sessionToken), body })
      await addPasskey(app, owner.sessionToken, createAuthenticator(homeOf(app)))
    },
  ],
  [
    'switching it off and on again',
    async (owner) => {
      const off = { enabled: false, verification_code: owner.recoveryCodes[1] }
      assert.equal((await app.post('/auth/two_factor/toggle', off, withSession(owner.sessionToken))).status, 200)
      app.clock.advance(1)
      assert.equal(
        (await app.post('/auth/two_factor/toggle', { enabled: true }, withSession(owner.sessionToken))).status,
        200,
      )
    },
  ],
  [
    'an administrator who switches it off and on again',
    async (owner) => {
      assert.equal((await toggleByAdmin(owner.id, false)).status, 200)
      app.clock.advance(1)
      assert.equal((await toggleByAdmin(owner.id, true)).status, 200)
    },
  ],
  [
    'new recovery codes',
    async ({ sessionToken }) => {
      assert.equal((await app.post('/auth/two_factor/recovery/regenerate', {}, withSession(sessionToken))).status, 200)
    },
  ],
  [
    'ending all other sessions',
    async ({ sessionToken }) => {
      assert.equal((await app.call('DELETE', '/auth/sessions', withSession(sessionToken))).status, 200)
    },
  ],
  [
    'an administrator who ends all sessions',
    async ({ id }) => {
      const reply = await app.call('DELETE', `/auth/admin/users/${id}/sessions`, withSession(admin.sessionToken))
      assert.equal(reply.status, 200, reply.text)
    },
  ],
]
for (const [what, change] of changes) {
  test(`${what} ends the memory of browsers`, async () => {
    const owner = await passkeyOwner(app)
    const value = await remembered(owner)
    assert.equal((await loginFrom(value, owner)).json.requires_2fa, false)
    await change(owner)
    assert.equal((await loginFrom(value, owner)).json.requires_2fa, true)
  })
}

test('a link by mail needs no second factor there either, and a back end has no browser', async () => {
  const ada = await passkeyOwner(app)
  const value = await remembered(ada)
  const headers = { cookie: `cb=${value}` }
  await app.post('/auth/token/login', { email: ada.email })
  const token = /token=([\w-]{43})/.exec((await app.mailTo(ada.email, 2)).text)?.[1]
  assert.equal((await app.post('/auth/token/login', { token }, { headers })).json.requires_2fa, false)
})

test('for whom a second factor is required there is no such memory', async () => {
  const writer = await passkeyOwner(app)
  const value = await remembered(writer)
  await toggleRole(writer.id)
  assert.equal((await loginFrom(value, writer)).json.requires_2fa, true)
  assert.equal((await signIn(app, writer, true)).cookies.cb, undefined)
})

const toggleRole = (id: string) =>
  app.call('PUT', `/auth/admin/users/${id}`, { ...withSession(admin.sessionToken), body: { user_type: 'writer' } })

test('a browser is remembered for the configured time', async () => {
  const owner = await passkeyOwner(app)
  const value = await remembered(owner)
  app.clock.advance(30 * day)
  assert.equal((await loginFrom(value, owner)).json.requires_2fa, true)
})

test('without the setting nothing is remembered, whatever a person ticks', async () => {
  const plain = await startTestApp({ modules: ['two-factor'] })
  try {
    const ada = await passkeyOwner(plain)
    assert.equal((await signIn(plain, ada, true)).cookies.cb, undefined)
  } finally {
    await plain.stop()
  }
})

test('ending all sessions of an installation forgets the browsers of every user', async (t) => {
  const other = await startTestApp({ modules: ['two-factor'], env: { TWO_FACTOR_REMEMBER: '30d' } })
  t.after(() => other.stop())
  const owners = [await passkeyOwner(other), await passkeyOwner(other, 'grace')]
  const cookies: (string | undefined)[] = []
  for (const owner of owners) cookies.push((await signIn(other, owner, true)).cookies.cb?.value)
  const again = (at: number) => loginFrom(cookies[at], owners[at]!, other)
  for (const at of owners.keys()) assert.equal((await again(at)).json.requires_2fa, false)
  await other.database.query("UPDATE sessions SET status = 'expired', ended_at = now() WHERE user_id = $1", [
    owners[1]?.id,
  ])
  await endAllSessions(other.ctx, () => {})
  for (const at of owners.keys()) assert.equal((await again(at)).json.requires_2fa, true)
})
