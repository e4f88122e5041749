import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { routesOf } from '../../src/http/server/create-server.ts'
import { memberOf } from '../screens/account/support.ts'
import { registered, type SignedIn, signedInAs, withSession } from '../support/people.ts'
import { auditOf } from '../support/rows.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'

let app: TestApp
let boss: SignedIn
let ada: SignedIn
before(async () => {
  app = await startTestApp({ modules: ['two-factor', 'api-keys', 'oauth', 'privacy'], env: { ADMIN_REAUTH: 'true' } })
  ada = await registered(app)
  boss = await signedInAs(app, 'superadmin')
})
after(() => app.stop())

/** Valid requests, so that only the missing authentication refuses them. */
const requests = (id: string): Record<string, object> => ({
  'POST /auth/password-change/admin': { user_id: id, new_password: 'a much better passphrase' },
  'POST /auth/admin/users': { email: 'new@example.com', user_name: 'new_one', send_invite: true },
  'POST /auth/users': { email: 'new@example.com', user_name: 'new_one', send_invite: true },
  'PUT /auth/admin/users/:user_id': { user_type: 'superadmin' },
  'PUT /auth/users/:user_id': { user_type: 'superadmin' },
  'DELETE /auth/admin/users/:user_id': {},
  'DELETE /auth/users/:user_id': {},
  'POST /auth/admin/users/:user_id/restore': {},
  'POST /auth/admin/users/:user_id/block': { reason: 'Spam' },
  'POST /auth/admin/users/:user_id/unblock': {},
  'POST /auth/admin/users/:user_id/send': { message: 'password_reset' },
  'POST /auth/admin/users/:user_id/email-change': { new_email: 'next@example.com' },
  'DELETE /auth/admin/users/:user_id/sessions': {},
  'DELETE /auth/admin/users/:user_id/sessions/:session_id': {},
  'DELETE /auth/admin/users/:user_id/passkeys': {},
  'DELETE /auth/admin/users/:user_id/keys': {},
  'DELETE /auth/admin/users/:user_id/grants': {},
  'PUT /auth/admin/users/:user_id/roles': { roles: [] },
  'DELETE /auth/admin/users/:user_id/two_factor': {},
  'DELETE /auth/users/:user_id/two_factor': {},
  'POST /auth/admin/users/:user_id/privacy/delete-request': {},
  'DELETE /auth/admin/users/:user_id/privacy/delete-request': {},
  'POST /auth/admin/users/:user_id/privacy/export': {},
  'POST /api/v1/modules/install/run': {},
  'POST /api/v1/modules/install/:module_id/run': {},
  'POST /api/v1/modules/install/:module_id/update': {},
})

const call = (name: string, body: object) => {
  const [method = '', path = ''] = name.split(' ')
  const url = path.replace(':user_id', ada.id).replace(':id', ada.id).replace(':module_id', 'blog')
  return app.call(method, url, { ...withSession(boss.sessionToken), body })
}

test('with ADMIN_REAUTH, a session without recent authentication changes no user and no module', async () => {
  app.clock.advance(app.ctx.config.REAUTH_WINDOW + 1)
  const declared = routesOf(app.http).flatMap(({ rule, method, url }) =>
    rule.access.adminReauth && method !== 'PATCH' ? [`${method} ${url}`] : [],
  )
  assert.deepEqual(declared.toSorted(), Object.keys(requests('')).toSorted())
  const users = await app.ctx.db.selectFrom('users').selectAll().orderBy('id').execute()
  for (const [name, body] of Object.entries(requests(ada.id))) {
    const { status, json } = await call(name, body)
    assert.deepEqual([status, json.code], [403, 'REAUTH_REQUIRED'], name)
  }
  assert.deepEqual(await app.ctx.db.selectFrom('users').selectAll().orderBy('id').execute(), users)
  const denied = (await auditOf(app, 'authz_denied')).filter(({ actor_id }) => actor_id === boss.id)
  assert.equal(denied.length, declared.length)
})

test('reading, planning and invalid requests do not require it', async () => {
  assert.equal((await call('GET /auth/admin/users/:user_id', {})).status, 200)
  assert.equal((await call('POST /api/v1/modules/install/:module_id/dry-run', {})).status, 200)
  assert.equal((await call('PUT /auth/admin/users/:user_id', { name: 5 })).json.code, 'VALIDATION_ERROR')
})

test('after reauthentication, the change is made', async () => {
  const proof = await app.post('/auth/reauthenticate', { password: boss.password }, withSession(boss.sessionToken))
  assert.equal(proof.status, 200, proof.text)
  assert.equal((await call('PUT /auth/admin/users/:user_id', { name: 'Augusta' })).status, 200)
})

test('the console keeps what was entered and asks for the confirmation', async () => {
  const admin = await memberOf(app)
  await app.ctx.db.updateTable('users').set({ user_type: 'admin' }).where('id', '=', admin.id).execute()
  app.clock.advance(app.ctx.config.REAUTH_WINDOW + 1)
  await admin.open(`/admin/people/${ada.id}/block`)
  const { status, text } = await admin.send(`/admin/people/${ada.id}/block`, { reason: 'Charged back twice' })
  assert.equal(status, 403, text)
  assert.match(text, /Charged back twice/)
  assert.match(text, /\/account\/confirm/)
})

test('without ADMIN_REAUTH, existing clients need no recent authentication', async (t) => {
  const usual = await startTestApp()
  t.after(() => usual.stop())
  const [admin, grace] = [await signedInAs(usual, 'admin'), await registered(usual)]
  usual.clock.advance(usual.ctx.config.REAUTH_WINDOW + 1)
  const path = `/auth/admin/users/${grace.id}`
  const body = { name: 'Grace' }
  assert.equal((await usual.call('PUT', path, { ...withSession(admin.sessionToken), body })).status, 200)
})
