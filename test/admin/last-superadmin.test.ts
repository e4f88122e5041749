import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import { sql } from 'kysely'
import { minute } from '../../src/lib/time.ts'
import { createAuthenticator } from '../support/authenticator.ts'
import { addOwnPasskey, homeOf } from '../support/passkeys.ts'
import { registered, type SignedIn, signedInAs, withSession } from '../support/people.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'

let app: TestApp
let grace: SignedIn
let alan: SignedIn
beforeEach(async () => {
  app = await startTestApp({ env: { RATE_LIMIT_ADMIN: '100000/1h' } })
  grace = await signedInAs(app, 'superadmin', 'grace')
  alan = await signedInAs(app, 'superadmin', 'alan')
  await sql`UPDATE users SET is_verified = false`.execute(app.ctx.db)
})
afterEach(() => app.stop())

const set = (assignment: ReturnType<typeof sql>, ...users: SignedIn[]) =>
  sql`UPDATE users SET ${assignment} WHERE id = ANY(${users.map(({ id }) => id)}::uuid[])`.execute(app.ctx.db)
const addPasskeyOf = async ({ sessionToken }: SignedIn) =>
  assert.equal((await addOwnPasskey(app, sessionToken, createAuthenticator(homeOf(app)))).status, 200)
const leave = ({ sessionToken }: SignedIn) =>
  app.call('DELETE', '/auth/user/me', { ...withSession(sessionToken), body: { confirmation: 'DELETE' } })
const change = (target: SignedIn, by: SignedIn, body: Record<string, unknown>) =>
  app.call('PUT', `/auth/admin/users/${target.id}`, { ...withSession(by.sessionToken), body })

test('a superadmin who cannot sign in does not count: the other one stays', async () => {
  await set(sql`password_hash = NULL`, alan)
  const by = withSession(alan.sessionToken)
  const replies = [
    await leave(grace),
    await change(grace, alan, { user_type: 'customer' }),
    await app.call('DELETE', `/auth/admin/users/${grace.id}`, by),
    await app.post(`/auth/admin/users/${grace.id}/block`, { reason: 'Left' }, by),
  ]
  for (const { status, json } of replies) assert.deepEqual([status, json.code], [403, 'LAST_SUPERADMIN'])
  await addPasskeyOf(alan)
  assert.equal((await leave(grace)).status, 200)
})

test('a link to add a passkey counts until it expires', async () => {
  await addPasskeyOf(alan)
  await set(sql`password_hash = NULL`, alan)
  const reset = await app.call('DELETE', `/auth/admin/users/${alan.id}/passkeys`, withSession(grace.sessionToken))
  assert.equal(reset.status, 200, reset.text)
  app.clock.advance(31 * minute)
  const { json } = await app.post('/auth/login', { email: grace.email, password: grace.password })
  const again = { ...grace, sessionToken: json.sessionId }
  assert.equal((await leave(again)).json.code, 'LAST_SUPERADMIN')
  await app.call('DELETE', `/auth/admin/users/${alan.id}/passkeys`, withSession(again.sessionToken))
  assert.equal((await leave(again)).status, 200)
})

test('the verified address of the last superadmin who can sign in stays verified', async () => {
  await set(sql`password_hash = NULL, is_verified = true`, grace, alan)
  assert.equal((await change(alan, grace, { is_verified: false })).status, 200)
  const { status, json } = await change(grace, alan, { is_verified: false })
  assert.deepEqual([status, json.code], [403, 'LAST_SUPERADMIN'])
  assert.equal((await app.get('/auth/me', withSession(grace.sessionToken))).json.user.is_verified, true)
})

test('another user whose address is no longer verified signs in with a link to it, which verifies it again', async () => {
  const ada = await registered(app)
  await set(sql`password_hash = NULL, is_verified = true`, ada)
  assert.equal((await change(ada, grace, { is_verified: false })).status, 200)
  const { token_id } = (await app.post('/auth/token/login', { identifier: ada.email })).json
  const code = /\b\d{6}\b/.exec((await app.mailTo(ada.email, 1)).text)?.[0]
  const { status, json } = await app.post('/auth/token/login', { token_id, code })
  assert.equal(status, 200, JSON.stringify(json))
  assert.equal((await app.get('/auth/me', withSession(json.sessionId))).json.user.is_verified, true)
})
