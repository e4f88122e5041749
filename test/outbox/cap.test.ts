import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { person, registered, withSession } from '../support/people.ts'
import { startTestApp } from '../support/test-app.ts'
import { messages, newestMessage } from './support.ts'

test('an address gets as many mails of one kind as MAIL_CAP says, and nobody who asks can tell', async (t) => {
  const app = await startTestApp({
    env: { MAIL_CAP: '2/1h', REGISTRATION_REVEAL: 'hide', RATE_LIMIT_REGISTRATION: '100/1h' },
  })
  t.after(app.stop)
  const [ada, grace] = [person(), person('grace')]
  const register = async ({ email, password }: typeof ada) => {
    const { status, json } = await app.post('/auth/register/public', { email, password })
    assert.equal(status, 200)
    const { user_name: _made, ...user } = json.data.user
    return { ...json, data: { user } }
  }
  await register(ada)
  const replies = [await register(ada), await register(ada), await register(ada), await register(ada)]
  for (const reply of replies) assert.deepEqual(reply, replies[0])
  await register(grace)

  const kinds = async () => (await messages(app)).map(({ message }) => message).sort()
  assert.deepEqual(await kinds(), ['account_exists', 'account_exists', 'verify_email', 'verify_email'])
  await sql`UPDATE rate_limits SET resets_at = now() WHERE key LIKE 'mail:%'`.execute(app.ctx.db)
  await register(ada)
  assert.equal((await kinds()).length, 5)
})

test('requesting more links than are mailed does not invalidate the last one sent', async (t) => {
  const app = await startTestApp({ env: { MAIL_CAP: '1/1h' } })
  t.after(app.stop)
  const ada = person()
  assert.equal((await app.post('/auth/register/public', ada)).status, 200)
  const { text } = await app.mailTo(ada.email)
  assert.equal((await app.post('/auth/resend-verification', { email: ada.email })).status, 200)
  await newestMessage(app, ({ channel, status }) => channel === 'task' && status === 'sent')
  assert.equal(app.inbox?.list({ to: ada.email }).length, 1)
  const token = /token=([\w-]{43})/.exec(text)?.[1]
  assert.equal((await app.post('/auth/token/verify', { token })).status, 200)
})

test('addresses that differ only in their tag share the limit', async (t) => {
  const app = await startTestApp({ env: { MAIL_CAP: '2/1h', RATE_LIMIT_REGISTRATION: '100/1h' } })
  t.after(app.stop)
  for (const tag of ['', '+one', '+two', '+three+four']) {
    const { email, password } = person()
    const address = email.replace(/^.*@/, `somebody${tag}@`)
    assert.equal((await app.post('/auth/register/public', { email: address, password })).status, 200)
  }
  assert.equal((await messages(app)).filter(({ message }) => message === 'verify_email').length, 2)
})

test('strangers with tags of an address do not use up the notices to its owner, whose number stays limited', async (t) => {
  const app = await startTestApp({ env: { MAIL_CAP: '2/1h', RATE_LIMIT_REGISTRATION: '100/1h' } })
  t.after(app.stop)
  const ada = await registered(app)
  await sql`UPDATE users SET is_verified = true WHERE id = ${ada.id}`.execute(app.ctx.db)
  const changePassword = async (sessionToken: string, from: string, to: string) => {
    const change = { current_password: from, new_password: to }
    const changed = await app.post('/auth/password-change/self', change, withSession(sessionToken))
    assert.equal(changed.status, 200, changed.text)
  }
  const notices = async () => (await messages(app)).filter(({ message }) => message === 'password_changed').length
  const other = 'a tape without an end'
  for (const tag of ['+one', '+two']) {
    const stranger = person('grace')
    const account = { ...stranger, email: ada.email.replace('@', `${tag}@`) }
    const { json } = await app.post('/auth/register/public', account)
    await changePassword(json.sessionId, stranger.password, other)
    await changePassword(json.sessionId, other, stranger.password)
  }
  assert.equal(await notices(), 2, 'the tags of an address share the limit')
  await changePassword(ada.sessionToken, ada.password, other)
  assert.equal(await notices(), 3)
  for (let count = 0; count < 2; count++) {
    await changePassword(ada.sessionToken, other, ada.password)
    await changePassword(ada.sessionToken, ada.password, other)
  }
  assert.equal(await notices(), 4, 'an account has a limit, too')
})

test('strangers do not use up the warnings about a change of the address either', async (t) => {
  const app = await startTestApp({ env: { MAIL_CAP: '1/1h', RATE_LIMIT_REGISTRATION: '100/1h' } })
  t.after(app.stop)
  const [ada, stranger] = [await registered(app), person('grace')]
  await sql`UPDATE users SET is_verified = true WHERE id = ${ada.id}`.execute(app.ctx.db)
  const tagged = ada.email.replace('@', '+tag@')
  const { json } = await app.post('/auth/register/public', { ...stranger, email: tagged })
  const start = (sessionToken: string) =>
    app.post('/auth/email-change/request', { new_email: person().email }, withSession(sessionToken))
  for (const token of [json.sessionId, ada.sessionToken]) assert.equal((await start(token)).status, 200)
  assert.equal((await messages(app)).filter(({ message }) => message === 'email_change_current').length, 2)
})
