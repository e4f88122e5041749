import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { minute } from '../../src/lib/time.ts'
import { textOf } from '../screens/all-pages.ts'
import { staffOf } from '../screens/console/support.ts'
import { linkIn, visitor } from '../screens/support.ts'
import { createAuthenticator } from '../support/authenticator.ts'
import { addOwnPasskey, homeOf, passkeyLogin } from '../support/passkeys.ts'
import { registered, type SignedIn, signedInAs, withSession } from '../support/people.ts'
import { auditOf, rowCounts } from '../support/rows.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'
import { withTotp } from '../two-factor/support.ts'

let app: TestApp
let admin: SignedIn
let superadmin: SignedIn
before(async () => {
  app = await startTestApp({ env: { RATE_LIMIT_ADMIN: '1000/1h', RATE_LIMIT_LOGIN: '1000/15m' } })
  admin = await signedInAs(app, 'admin')
  superadmin = await signedInAs(app, 'superadmin')
})
after(() => app?.stop())

async function owner(of = app, ada?: SignedIn) {
  const user = ada ?? (await registered(of))
  await sql`UPDATE users SET is_verified = true WHERE id = ${user.id}`.execute(of.ctx.db)
  const authenticator = createAuthenticator(homeOf(of))
  const added = await addOwnPasskey(of, user.sessionToken, authenticator)
  assert.equal(added.status, 200, added.text)
  return { ...user, authenticator, passkey: String(added.json.id) }
}

const reset = (id: string, who = admin, of = app) =>
  of.call('DELETE', `/auth/admin/users/${id}/passkeys`, withSession(who.sessionToken))
const useLink = (token: string | undefined, of = app) => of.post('/auth/passkey/link', { token })

/** The newest link that the user has received. */
async function linkOf(email: string, count: number, of = app) {
  const mail = await of.mailTo(email, count)
  assert.match(mail.text, /An administrator removed the passkeys and recovery codes/)
  assert.match(mail.text, /30 minutes/)
  const link = linkIn(mail)
  return { link, token: new URL(link, 'http://x').searchParams.get('token') ?? undefined }
}

test('an administrator removes the passkeys, ends the sessions, and the owner adds a new one with the link', async () => {
  const ada = await owner()
  assert.equal((await reset(ada.id)).status, 200)
  assert.equal((await app.get('/auth/me', withSession(ada.sessionToken))).json.code, 'INVALID_SESSION')
  assert.equal((await passkeyLogin(app, ada.authenticator)).status, 401)
  const event = (await auditOf(app, 'passkeys_reset')).at(-1)
  assert.deepEqual([event?.actor_id, event?.target_id, event?.details], [admin.id, ada.id, { passkeys: [ada.passkey] }])
  const { rows } = await sql`SELECT FROM events WHERE type = 'passkey.removed' AND target_id = ${ada.id}`.execute(
    app.ctx.db,
  )
  assert.equal(rows.length, 1)

  const { link } = await linkOf(ada.email, 2)
  const browser = visitor(app)
  assert.equal((await browser.open(link)).headers.location, '/passkey-link')
  assert.match(textOf((await browser.open('/passkey-link')).text), /Continue to sign in and add a new one/)
  assert.equal((await browser.send('/passkey-link')).headers.location, '/account/security/add')
  assert.equal((await browser.open('/account/security/add')).status, 200)
  const headers = { cookie: browser.cookie() }
  const { options } = (await app.post('/auth/passkeys/options', {}, { headers })).json
  const authenticator = createAuthenticator(homeOf(app))
  const added = await app.post('/auth/passkeys', { response: authenticator.create(options) }, { headers })
  assert.equal(added.status, 200, added.text)
  assert.equal((await passkeyLogin(app, authenticator)).status, 200)

  const again = visitor(app)
  await again.open(link)
  await again.open('/passkey-link')
  const spent = await again.send('/passkey-link')
  assert.equal(spent.status, 400)
  assert.match(textOf(spent.text), /This link isn’t valid[\s\S]*Go to the sign-in page/)
})

test('a link works once, for half an hour, and only if it is the newest one to the current address', async () => {
  const ada = await owner()
  await reset(ada.id)
  const first = await linkOf(ada.email, 2)
  await reset(ada.id)
  const second = await linkOf(ada.email, 3)
  assert.equal((await useLink(first.token)).json.code, 'INVALID_TOKEN')
  const signedIn = await useLink(second.token)
  assert.deepEqual([signedIn.status, signedIn.json.user.email], [200, ada.email])
  assert.equal((await useLink(second.token)).json.code, 'INVALID_TOKEN')
  const reasons = (await auditOf(app, 'token_rejected')).map(({ details }) => details.reason)
  assert.ok(reasons.includes('passkey_link'))

  await reset(ada.id)
  const third = await linkOf(ada.email, 4)
  await sql`UPDATE users SET email = 'moved@example.com' WHERE id = ${ada.id}`.execute(app.ctx.db)
  assert.equal((await useLink(third.token)).json.code, 'INVALID_TOKEN')
  await sql`UPDATE users SET email = ${ada.email} WHERE id = ${ada.id}`.execute(app.ctx.db)
  app.clock.advance(30 * minute)
  assert.equal((await useLink(third.token)).json.code, 'INVALID_TOKEN')
})

test('an unverified user loses what was added before the address was proven', async () => {
  const ada = await owner()
  await sql`UPDATE users SET is_verified = false WHERE id = ${ada.id}`.execute(app.ctx.db)
  await reset(ada.id)
  const { token } = await linkOf(ada.email, 2)
  assert.equal((await useLink(token)).status, 200)
  assert.equal((await app.post('/auth/login', ada)).status, 401)
})

test('the link ends when the user has added a passkey in another way', async () => {
  const ada = await owner()
  await reset(ada.id)
  const { token } = await linkOf(ada.email, 2)
  const { json } = await app.post('/auth/login', ada)
  const added = await addOwnPasskey(app, json.sessionId, createAuthenticator(homeOf(app)))
  assert.equal(added.status, 200, added.text)
  assert.equal((await useLink(token)).json.code, 'INVALID_TOKEN')
})

test('a blocked user cannot use the link', async () => {
  const ada = await owner()
  await reset(ada.id)
  const { token } = await linkOf(ada.email, 2)
  await app.post(`/auth/admin/users/${ada.id}/block`, { reason: 'A test' }, withSession(admin.sessionToken))
  const refused = await useLink(token)
  assert.equal(refused.status >= 400 && refused.json.success, false)
  assert.equal(refused.cookies.session_id, undefined)
})

test('roles say who may do it to whom, and a rejection leaves a trace', async () => {
  const [ada, writer] = [await owner(), await signedInAs(app, 'writer')]
  const denied: [who: SignedIn, whom: string][] = [
    [writer, ada.id],
    [admin, superadmin.id],
    [admin, admin.id],
    [superadmin, superadmin.id],
  ]
  const before = (await auditOf(app, 'authz_denied')).length
  for (const [who, whom] of denied) {
    const reply = await reset(whom, who)
    assert.deepEqual([reply.status, reply.json.code], [403, 'FORBIDDEN'])
  }
  assert.equal((await auditOf(app, 'authz_denied')).length, before + denied.length)
  assert.equal((await passkeyLogin(app, ada.authenticator)).status, 200)
  assert.equal((await reset('01a1f9c7-c1cb-7224-b5ca-dee52c4e92cf')).status, 404)
  assert.equal((await reset(admin.id, superadmin)).status, 200)
  admin = await signedInAs(app, 'admin')
})

test('if no mail can be sent, nothing is removed', async () => {
  const ada = await owner()
  const before = await rowCounts(app)
  const mailer = app.ctx.mailer as { isConfigured: boolean }
  mailer.isConfigured = false
  try {
    const refused = await reset(ada.id)
    assert.deepEqual([refused.status, refused.json.code], [503, 'NOT_CONFIGURED'])
    assert.match(refused.json.error, /Email is not configured/)
  } finally {
    mailer.isConfigured = true
  }
  assert.deepEqual(await rowCounts(app), before)
  assert.equal((await passkeyLogin(app, ada.authenticator)).status, 200)
})

test('the page of a user lists the passkeys, and resets them', async () => {
  const ada = await owner()
  await app.call('PUT', `/auth/passkeys/${ada.passkey}`, {
    ...withSession(ada.sessionToken),
    body: { name: 'Old phone' },
  })
  const { data } = (await app.get(`/auth/admin/users/${ada.id}`, withSession(admin.sessionToken))).json
  const [{ name, authenticator, backed_up, last_used_at }] = data.passkeys
  assert.deepEqual([name, authenticator, backed_up, last_used_at], ['Old phone', 'Passkey', false, null])
  const staff = await staffOf(app, 'admin')
  const page = textOf((await staff.open(`/admin/people/${ada.id}`)).text)
  assert.match(page, /Passkeys\nOld phone\nPasskey · Only on one device · Added on .* · Not used yet/)
  const action = `/admin/people/${ada.id}/reset-passkeys`
  assert.match(textOf((await staff.open(action)).text), /All passkeys and recovery codes are removed/)
  const next = await staff.send(action)
  assert.match(textOf((await staff.open(String(next.headers.location))).text), /A link to add a new one is on its way/)
  assert.match(textOf((await staff.open(`/admin/people/${ada.id}`)).text), /No passkey was added/)
})

test('staff who may not see the devices of a user do not see the passkeys', async () => {
  const support = await signedInAs(app, 'support')
  const { data } = (await app.get(`/auth/admin/users/${superadmin.id}`, withSession(support.sessionToken))).json
  assert.equal('passkeys' in data, false)
})

describe('with second factors', () => {
  let own: TestApp
  before(async () => {
    own = await startTestApp({ modules: ['two-factor'], env: { RATE_LIMIT_LOGIN: '1000/15m' } })
  })
  after(() => own?.stop())

  test('the link does not replace a second factor that the user still has', async () => {
    const boss = await signedInAs(own, 'admin')
    const enrolled = await withTotp(own)
    const ada = await owner(own, enrolled)
    assert.equal((await reset(ada.id, boss, own)).status, 200)
    const token = /passkey-link\?token=([\w-]+)/
    let text = ''
    for (let count = 0; !token.test(text); count++) ({ text } = await own.mailTo(ada.email, count))
    const browser = visitor(own)
    await browser.open(`/passkey-link?token=${token.exec(text)?.[1]}`)
    await browser.open('/passkey-link')
    assert.equal((await browser.send('/passkey-link')).headers.location, '/login/verify')
    const headers = { cookie: browser.cookie() }
    assert.equal((await own.post('/auth/passkeys/options', {}, { headers })).json.code, 'TWO_FACTOR_REQUIRED')
    await browser.open('/login/verify')
    const next = await browser.send('/login/verify', { code: enrolled.code() })
    assert.equal(next.headers.location, '/account/security/add')
    assert.equal((await browser.open('/account/security/add')).status, 200)
  })
})
