import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { person } from '../support/people.ts'
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
