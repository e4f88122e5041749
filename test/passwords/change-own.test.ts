import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { minute } from '../../src/lib/time.ts'
import { assertError } from '../http/support.ts'
import { registered, type SignedIn, withSession } from '../support/people.ts'
import { auditOf, rowCounts } from '../support/rows.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'

let app: TestApp
before(async () => {
  app = await startTestApp()
})
after(() => app.stop())

const fresh = 'moths around the relay'
const change = (
  { sessionToken }: { sessionToken: string },
  body: unknown,
  more: { headers?: Record<string, string> } = {},
) =>
  app.post('/auth/password-change/self', body, { headers: { ...withSession(sessionToken).headers, ...more.headers } })
const login = ({ email }: SignedIn, password: string) => app.post('/auth/login', { email, password })
const me = (sessionToken: string) => app.get('/auth/me', withSession(sessionToken))
const tokenIn = (text: string): string => /token=([\w-]{43})/.exec(text)?.[1] ?? ''

test('the current password changes it: the own session keeps its value, the others end, and the owner is told', async () => {
  const ada = await registered(app)
  const verification = tokenIn((await app.mailTo(ada.email)).text)
  const other = (await login(ada, ada.password)).json.sessionId
  assert.equal((await me(other)).status, 200)
  const reply = await change(ada, { currentPassword: ada.password, newPassword: fresh })
  assert.equal(reply.status, 200)
  assert.deepEqual(Object.keys(reply.cookies), ['kd'])
  assert.equal((await me(ada.sessionToken)).status, 200)
  assertError(await me(other), 401, 'INVALID_SESSION')
  assert.equal((await login(ada, ada.password)).status, 401)
  assert.equal((await login(ada, fresh)).status, 200)
  assertError(await app.post('/auth/token/verify', { token: verification }), 400, 'INVALID_TOKEN')
  assert.match((await app.mailTo(ada.email, 1)).subject ?? '', /password was changed/)
  const [trace, ...more] = (await auditOf(app, 'password_changed')).filter(({ target_id }) => target_id === ada.id)
  assert.ok(trace?.request_id)
  assert.deepEqual(more, [])
})

test('a wrong current password is 400 and never 401, and changes nothing', async () => {
  const ada = await registered(app)
  const before = await rowCounts(app)
  const reply = await change(ada, { current_password: 'not the password', new_password: fresh })
  assertError(reply, 400, 'INVALID_CURRENT_PASSWORD')
  assert.deepEqual(await rowCounts(app), before)
  assert.equal((await me(ada.sessionToken)).status, 200)
  assert.equal((await auditOf(app, 'reauth_fail')).filter(({ target_id }) => target_id === ada.id).length, 1)
})

test('guesses count on the account, together with those at sign-in', async () => {
  const ada = await registered(app)
  for (let count = 0; count < 3; count++) await change(ada, { current_password: 'wrong', new_password: fresh })
  for (let count = 0; count < 2; count++) assert.equal((await login(ada, 'not the password')).status, 401)
  const limited = await change(ada, { current_password: ada.password, new_password: fresh })
  assertError(limited, 429, 'RATE_LIMITED')
  assert.ok(Number(limited.headers['retry-after']) > 0)
  app.clock.advance(15 * minute)
  assert.equal((await change(ada, { current_password: ada.password, new_password: fresh })).status, 200)
})

test('a browser that is remembered has its own few guesses', async () => {
  const ada = await registered(app)
  const cookie = `kd=${ada.reply.cookies.kd?.value}`
  for (let count = 0; count < 5; count++) await login(ada, 'not the password')
  const body = { current_password: ada.password, new_password: fresh }
  assertError(await change(ada, body), 429, 'RATE_LIMITED')
  assert.equal((await change(ada, body, { headers: { cookie } })).status, 200)
})

test('without the current password nothing is changed', async () => {
  const ada = await registered(app)
  for (const current_password of [undefined, null, '', [], { $ne: null }, true]) {
    const details = assertError(await change(ada, { current_password, new_password: fresh }), 400, 'VALIDATION_ERROR')
    assert.deepEqual(
      details.map(({ field }) => field),
      ['current_password'],
    )
  }
  assert.equal((await login(ada, ada.password)).status, 200)
})

test('a weak password, and the one that is there, are refused by name', async () => {
  const ada = await registered(app)
  for (const new_password of ['short', 'password123', ada.email, 'x'.repeat(257), ada.password]) {
    const details = assertError(
      await change(ada, { current_password: ada.password, new_password }),
      400,
      'WEAK_PASSWORD',
      new_password,
    )
    assert.equal(details[0]?.field, 'new_password')
  }
  // A correct current password does not count as a failure, even if the rest of the request is rejected.
  assert.equal((await change(ada, { current_password: ada.password, new_password: fresh })).status, 200)
})

test('a user without a password sets one shortly after signing in, and not later', async () => {
  const ada = await registered(app)
  await sql`UPDATE users SET password_hash = NULL WHERE id = ${ada.id}`.execute(app.ctx.db)
  app.clock.advance(11 * minute)
  assertError(await change(ada, { new_password: fresh }), 403, 'REAUTH_REQUIRED')
  assertError(await change(ada, { current_password: fresh, new_password: fresh }), 403, 'REAUTH_REQUIRED')
  await sql`UPDATE sessions SET proved_at = ${new Date(app.clock.now() - 9 * minute)} WHERE user_id = ${ada.id}`.execute(
    app.ctx.db,
  )
  assert.equal((await change(ada, { new_password: fresh })).status, 200)
  assert.equal((await login(ada, fresh)).status, 200)
  assertError(await change(ada, { new_password: 'a tape without an end' }), 400, 'VALIDATION_ERROR')
})
