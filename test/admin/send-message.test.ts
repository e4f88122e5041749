import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { registered, type SignedIn, signedInAs, withSession } from '../support/people.ts'
import { auditOf } from '../support/rows.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'

let app: TestApp
let admin: SignedIn
before(async () => {
  app = await startTestApp({ env: { RATE_LIMIT_ADMIN: '100000/1h' } })
  admin = await signedInAs(app, 'admin')
})
after(() => app.stop())

const post = (path: string, body: object, who = admin) => app.post(path, body, withSession(who.sessionToken))
const send = (who: { id: string }, message: string) => post(`/auth/admin/users/${who.id}/send`, { message })

test('an administrator sends a link to set a password or to sign in, and both are recorded', async () => {
  const ada = await registered(app)
  assert.equal((await send(ada, 'password_reset')).status, 200)
  assert.match((await app.mailTo(ada.email, 1)).text, /reset-password\?token=/)
  assert.equal((await send(ada, 'sign_in_link')).status, 200)
  assert.match((await app.mailTo(ada.email, 2)).text, /token=/)
  const sent = (await auditOf(app, 'admin_message_sent')).filter(({ target_id: id }) => id === ada.id)
  assert.deepEqual(
    sent.map(({ actor_id, details }) => [actor_id, details.message]),
    [
      [admin.id, 'password_reset'],
      [admin.id, 'sign_in_link'],
    ],
  )
})

test('neither the email nor the events of the user contain the IP address and browser of the administrator', async () => {
  const ada = await registered(app)
  const headers = { ...withSession(admin.sessionToken).headers, 'user-agent': 'browser-of-admin' }
  for (const [place, message] of ['password_reset', 'sign_in_link', 'verification'].entries()) {
    const from = '203.0.113.66'
    assert.equal((await app.post(`/auth/admin/users/${ada.id}/send`, { message }, { headers, from })).status, 200)
    assert.doesNotMatch((await app.mailTo(ada.email, place + 1)).text, /203\.0\.113\.66|browser-of-admin/)
  }
  const exported = await app.get('/auth/user/me/export', withSession(ada.sessionToken))
  assert.equal(exported.status, 200)
  assert.doesNotMatch(exported.text, /203\.0\.113\.66|browser-of-admin/)
})

test('an invitation is sent again until it is accepted, and ends the earlier one', async () => {
  const invite = { email: 'invited.twice@example.com', send_invite: true }
  const invited = (await post('/auth/admin/users', invite)).json.data.user
  const tokenIn = (text: string) => /reset-password\?token=([\w-]{43})/.exec(text)?.[1]
  const first = tokenIn((await app.mailTo(invite.email)).text)
  assert.equal((await send(invited, 'invitation')).status, 200)
  const mail = await app.mailTo(invite.email, 1)
  assert.match(mail.text, /24 hours/)
  const accept = (token?: string) =>
    app.post('/auth/password-reset/reset', { token, newPassword: 'a much better passphrase' })
  assert.equal((await accept(first)).json.code, 'INVALID_TOKEN')
  await post(`/auth/admin/users/${invited.id}/block`, { reason: 'A test' })
  assert.equal((await send(invited, 'invitation')).status, 400)
  await post(`/auth/admin/users/${invited.id}/unblock`, {})
  assert.equal((await send(invited, 'invitation')).status, 200)
  assert.equal((await accept(tokenIn((await app.mailTo(invite.email, 2)).text))).status, 200)
  const refused = await send(invited, 'invitation')
  assert.deepEqual([refused.status, refused.json.details[0].field], [400, 'message'])
  assert.equal((await send(await registered(app), 'invitation')).status, 400)
})

test('only a superadmin sends links to a superadmin, and unknown messages are refused', async () => {
  const superadmin = await signedInAs(app, 'superadmin')
  assert.equal((await send(superadmin, 'sign_in_link')).status, 403)
  assert.equal((await send(await registered(app), 'invoice')).status, 400)
  assert.equal((await send({ id: '019a8d5e-3f6b-7c21-9d0e-5b1f6a7c8d90' }, 'verification')).status, 404)
})

test('a change of the address needs the confirmation of both inboxes', async () => {
  const ada = await registered(app)
  const path = `/auth/admin/users/${ada.id}/email-change`
  assert.equal((await post(path, { new_email: 'not an address' })).status, 400)
  assert.equal((await post(path, { new_email: ada.email })).status, 400)
  assert.equal((await post(path, { new_email: 'ada.new@example.com' })).status, 200)
  await app.mailTo('ada.new@example.com')
  const superadmin = await signedInAs(app, 'superadmin')
  const refused = await post(`/auth/admin/users/${superadmin.id}/email-change`, { new_email: 'mine@example.com' })
  assert.deepEqual([refused.status, refused.json.code], [403, 'FORBIDDEN'])
  const details = await app.get(`/auth/admin/users/${ada.id}`, withSession(admin.sessionToken))
  assert.equal(details.json.data.user.email, ada.email)
  const [started] = (await auditOf(app, 'email_change_started')).filter(({ target_id: id }) => id === ada.id)
  assert.equal(started?.actor_id, admin.id)
})

test('the details of a user name the password, identities and metadata, and no secret', async () => {
  const ada = await registered(app)
  const { data } = (await app.get(`/auth/admin/users/${ada.id}`, withSession(admin.sessionToken))).json
  assert.deepEqual([data.has_password, data.identities, data.profile.metadata], [true, [], {}])
})

test('an update that names an older state of the user is refused', async () => {
  const ada = await registered(app)
  const path = `/auth/admin/users/${ada.id}`
  const { updated_at: read } = (await app.get(path, withSession(admin.sessionToken))).json.data.user
  app.clock.advance(1_000)
  const put = (body: object) => app.call('PUT', path, { ...withSession(admin.sessionToken), body })
  assert.equal((await put({ name: 'One', expected_updated_at: read })).status, 200)
  const late = await put({ name: 'Two', expected_updated_at: read })
  assert.deepEqual([late.status, late.json.code], [409, 'EDIT_CONFLICT'])
  assert.equal((await put({ name: 'Two', expected_updated_at: 'yesterday' })).status, 400)
  assert.equal((await app.get(path, withSession(admin.sessionToken))).json.data.user.name, 'One')
})
