import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { sql } from 'kysely'
import { Webhook } from 'standardwebhooks'
import { runImport } from '../../src/import/import-users.ts'
import { minute } from '../../src/lib/time.ts'
import { exported, fileWith, importOf, linesOf, recordsOf } from '../import/support.ts'
import { registered, withSession } from '../support/people.ts'
import { auditOf } from '../support/rows.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'
import { type Behaviour, type Receiver, startReceiver } from '../webhooks/receiver.ts'
import { invalidResponses, json, hookSecret as secret } from './support.ts'

const password = 'seven barns by the lake'

let app: TestApp
let receiver: Receiver
before(async () => {
  receiver = await startReceiver()
  app = await startTestApp({
    env: {
      PASSWORD_HOOK_URL: receiver.url,
      PASSWORD_HOOK_SECRET: secret,
      PASSWORD_HOOK_TIMEOUT: '1s',
      RATE_LIMIT_LOGIN: '1000/15m',
    },
  })
})
after(async () => {
  await app?.stop()
  await receiver?.close()
})
beforeEach(() => {
  receiver.behave(previousSystem)
  receiver.received.length = 0
})

/** Knows one password for all users. */
const previousSystem: Behaviour = (reply, received) =>
  json({ verified: received.event.data.password === password })(reply, received)

let count = 0

/** Imports a user whose password the previous system checks. */
async function imported(t: { after(work: () => unknown): void }, target = app): Promise<{ email: string }> {
  const email = `imported.${++count}@example.com`
  const record = { email, external_id: `old|${count}`, is_verified: true, password_hash: 'hook' }
  const summary = await runImport(target.ctx, importOf(await fileWith(t, linesOf([record]))))
  assert.equal(summary.users, 1, JSON.stringify(summary))
  return { email }
}

const login = (email: string, given: string, target = app) => target.post('/auth/login', { email, password: given })
const hashOf = async (email: string): Promise<string> => {
  const { rows } = await sql<{ password_hash: string }>`SELECT password_hash FROM users WHERE email = ${email}`.execute(
    app.ctx.db,
  )
  return rows[0]?.password_hash ?? ''
}

test('the previous system checks the password once, and a correct one is stored as our own hash', async (t) => {
  const { email } = await imported(t)
  assert.equal((await login(email, password)).status, 200)
  const [request] = receiver.received
  assert.ok(request)
  const message = new Webhook(secret).verify(request.body, request.headers as Record<string, string>)
  const { user_id, ...data } = (message as { data: Record<string, unknown> }).data
  assert.deepEqual(data, { external_id: `old|${count}`, email, password })
  assert.match(String(user_id), /^[0-9a-f-]{36}$/)
  assert.equal(request.event.type, 'password.verify')
  assert.match(await hashOf(email), /^\$argon2id\$/)
  assert.equal((await login(email, password)).status, 200)
  assert.equal((await login(email, 'not the password')).status, 401)
  assert.equal(receiver.received.length, 1)
})

test('a wrong password is refused like any other, and counted before the previous system is asked', async (t) => {
  const { email } = await imported(t)
  for (let attempt = 1; attempt <= 5; attempt++) {
    const { status, json } = await login(email, `wrong ${attempt}`)
    assert.deepEqual([status, json.code], [401, 'INVALID_CREDENTIALS'])
  }
  assert.equal((await login(email, password)).status, 429)
  assert.equal(receiver.received.length, 5)
  assert.equal(await hashOf(email), 'imported:hook')
  app.clock.advance(16 * minute)
  assert.equal((await login(email, password)).status, 200)
})

test('passwords of other users are never sent', async () => {
  const ada = await registered(app)
  await login(ada.email, ada.password)
  await login(ada.email, 'not the password')
  await login('nobody@example.com', 'not the password')
  assert.deepEqual(receiver.received, [])
})

const failures = invalidResponses({ verified: true })

for (const [name, behaviour] of Object.entries(failures)) {
  test(`a previous system that ${name} lets nobody in, and the attempt is not counted`, async (t) => {
    const { email } = await imported(t)
    receiver.behave(behaviour)
    for (let attempt = 0; attempt < 6; attempt++) {
      const { status, json } = await login(email, password)
      assert.deepEqual([status, json.code], [503, 'UNAVAILABLE'])
      if (name === 'does not respond') break
    }
    assert.equal(await hashOf(email), 'imported:hook')
    const [down] = (await auditOf(app, 'dependency_down')).slice(-1)
    assert.equal(down?.details.name, 'password.verify')
    receiver.behave(previousSystem)
    assert.equal((await login(email, password)).status, 200)
  })
}

test('without an answer, PASSWORD_HOOK_FALLBACK=refuse responds as for a wrong password', async (t) => {
  const strict = await startTestApp({
    env: { PASSWORD_HOOK_URL: receiver.url, PASSWORD_HOOK_SECRET: secret, PASSWORD_HOOK_FALLBACK: 'refuse' },
  })
  t.after(() => strict.stop())
  const { email } = await imported(t, strict)
  receiver.behave(failures['responds with 500']!)
  const { status, json } = await login(email, password, strict)
  assert.deepEqual([status, json.code], [401, 'INVALID_CREDENTIALS'])
})

test('without a hook, these users cannot sign in with a password', async (t) => {
  const usual = await startTestApp({ env: { PASSWORD_HOOK_FALLBACK: 'refuse' } })
  t.after(() => usual.stop())
  const { email } = await imported(t, usual)
  assert.equal((await login(email, 'hook', usual)).json.code, 'INVALID_CREDENTIALS')
})

test('the current password can also be proven by the previous system', async (t) => {
  const { email } = await imported(t)
  const { sessionId } = (await login(email, password)).json
  await sql`UPDATE users SET password_hash = 'imported:hook' WHERE email = ${email}`.execute(app.ctx.db)
  const prove = (given: string) => app.post('/auth/reauthenticate', { password: given }, withSession(sessionId))
  assert.equal((await prove('not the password')).json.code, 'INVALID_CURRENT_PASSWORD')
  assert.equal((await prove(password)).status, 200)
})

test('a reset replaces the mark, and an export with hashes keeps it', async (t) => {
  const { email } = await imported(t)
  const record = recordsOf(await exported(app.ctx)).find((one) => one.email === email)
  assert.equal(record?.password_hash, 'imported:hook')
  await app.post('/auth/password-reset/request', { email })
  const token = /reset-password\?token=([\w-]{43})/.exec((await app.mailTo(email)).text)?.[1]
  const reset = await app.post('/auth/password-reset/reset', { token, newPassword: 'a much better passphrase' })
  assert.equal(reset.status, 200, reset.text)
  assert.match(await hashOf(email), /^\$argon2id\$/)
})

test('no password appears in the log or the database', async () => {
  assert.ok(!app.logged().includes(password))
  const { rows } = await sql<{ found: boolean }>`SELECT EXISTS (
    SELECT FROM audit_events WHERE strpos(details::text, ${password}) > 0) AS found`.execute(app.ctx.db)
  assert.deepEqual(rows, [{ found: false }])
})
