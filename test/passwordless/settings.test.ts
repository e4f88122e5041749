import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text as textOf } from 'node:stream/consumers'
import { test } from 'node:test'
import { sql } from 'kysely'
import { createSmsSender } from '../../src/adapters/sms/index.ts'
import { hurry, newestMessage, putOff } from '../outbox/support.ts'
import { person, registered, withSession } from '../support/people.ts'
import { auditOf, rowCounts } from '../support/rows.ts'
import { startTestApp } from '../support/test-app.ts'
import { asked, newNumber, redeem, setPhone, settled, withSecret } from './support.ts'

test('if disabled, links are neither sent nor redeemed', async (t) => {
  const app = await startTestApp({ env: { TOKEN_LOGIN_ENABLED: 'false' } })
  t.after(app.stop)
  const before = await rowCounts(app)
  const replies = [
    await app.post('/auth/token/login', { email: 'ada@example.com' }),
    await app.post('/auth/token/login', { token: 'x' }),
    await app.post('/auth/token/validate', { token: 'x' }, withSecret),
    await app.get('/auth/token/validate?token=x', withSecret),
  ]
  for (const { status, json } of replies) assert.deepEqual([status, json.code], [503, 'NOT_CONFIGURED'])
  const opened = await app.get('/login?token=x')
  assert.deepEqual([opened.status, opened.headers.location], [303, '/login'])
  assert.deepEqual(await rowCounts(app), before)
})

test('without a sender of texts numbers are refused, known or not; addresses go on', async (t) => {
  const app = await startTestApp()
  t.after(app.stop)
  Object.assign(app.ctx, { sms: createSmsSender({}) })
  const ada = await registered(app)
  const phone = newNumber()
  await setPhone(app, ada.id, phone)
  for (const body of [{ identifier: phone }, { identifier: newNumber() }, { identifier: phone, type: 'sms' }]) {
    const { status, json } = await app.post('/auth/token/login', body)
    assert.deepEqual([status, json.code], [503, 'NOT_CONFIGURED'])
  }
  await asked(app, ada.email)
})

test('a text that its gateway does not take is tried again, and one that it refuses is given up', async (t) => {
  const app = await startTestApp()
  let status = 503
  const taken: string[] = []
  const server = createServer(async (request, reply) => {
    const { text } = JSON.parse(await textOf(request))
    if (status === 200) taken.push(text)
    reply.writeHead(status).end()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.after(async () => {
    await app.stop()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const webhook = { url, secret: 'a shared secret of at least 32 characters', clock: app.ctx.clock }
  Object.assign(app.ctx, { sms: createSmsSender({ webhook }) })
  const ada = await registered(app)
  const phone = newNumber()
  await setPhone(app, ada.id, phone)
  const { json } = await app.post('/auth/token/login', { identifier: phone })
  assert.equal((await putOff(app)).next_try, 60)
  status = 200
  await hurry(app)
  await newestMessage(app, (message) => message.status === 'sent')
  const code = /#(\d{6})$/.exec(taken[0] ?? '')?.[1]
  assert.equal((await redeem(app, { token_id: json.token_id, code })).status, 200)
  status = 400
  await app.post('/auth/token/login', { identifier: phone })
  const refused = await newestMessage(app, (message) => message.status === 'failed')
  assert.deepEqual([refused.payload, refused.last_error], [null, 'the SMS webhook returned 400'])
})

test('an unknown address becomes a verified customer by its link, when that is allowed', async (t) => {
  const app = await startTestApp({ env: { TOKEN_LOGIN_AUTO_REGISTER: 'true' } })
  t.after(app.stop)
  const newcomer = person()
  const first = await asked(app, newcomer.email)
  const { token } = await asked(app, newcomer.email)
  assert.equal((await redeem(app, { token: first.token })).status, 400)
  const reply = await redeem(app, { token, user_type: 'superadmin' })
  assert.equal(reply.status, 200)
  assert.deepEqual(
    [reply.json.user.email, reply.json.user.is_verified, reply.json.user.user_type],
    [newcomer.email, true, 'customer'],
  )
  assert.equal((await auditOf(app, 'register')).at(-1)?.target_id, reply.json.user.id)
  const again = await asked(app, newcomer.email)
  assert.equal((await redeem(app, { token: again.token })).json.user.id, reply.json.user.id)

  // A link does not create an account if the address belongs to a deleted user or to someone who has since registered.
  const late = person()
  const sent = await asked(app, late.email)
  await registered(app)
  await app.post('/auth/register/public', late)
  assert.equal((await redeem(app, { token: sent.token })).json.code, 'INVALID_TOKEN')
  await sql`UPDATE users SET deleted_at = now() WHERE email = ${newcomer.email}`.execute(app.ctx.db)
  for (const identifier of [newcomer.email, newNumber()]) {
    assert.equal((await app.post('/auth/token/login', { identifier })).status, 200)
    await settled(app)
    assert.equal((await auditOf(app, 'token_sent')).at(-1)?.details.reason, 'unknown')
  }
})

test('with registration switched off no link makes a user', async (t) => {
  const app = await startTestApp({ env: { TOKEN_LOGIN_AUTO_REGISTER: 'true', REGISTRATION_ENABLED: 'false' } })
  t.after(app.stop)
  const { email } = person()
  await app.post('/auth/token/login', { email })
  await settled(app)
  assert.equal(app.inbox?.list({ to: email }).length, 0)
})

test('with TOKEN_LOGIN_REQUIRES_BRIDGE only back ends ask and redeem, and tell for whom', async (t) => {
  const app = await startTestApp({ env: { TOKEN_LOGIN_REQUIRES_BRIDGE: 'true' } })
  t.after(app.stop)
  const ada = await registered(app)
  for (const body of [{ email: ada.email }, { token: 'x' }]) {
    const { status, json } = await app.post('/auth/token/login', body)
    assert.deepEqual([status, json.code], [401, 'BRIDGE_SECRET_REQUIRED'])
  }
  assert.doesNotMatch((await app.get('/login?token=x')).text, /name="token"/)
  const endUser = { ip: '203.0.113.70', user_agent: 'Mozilla/5.0 (X11; Linux) Firefox/130' }
  const create = await app.post('/auth/token/login', { email: ada.email, ...endUser }, withSecret)
  assert.deepEqual([create.status, create.headers['x-ratelimit-limit']], [200, '10'])
  const mail = await app.mailTo(ada.email, 1)
  assert.match(mail.text, /203\.0\.113\.70/)
  const token = /token=([\w-]{43})/.exec(mail.text)?.[1]
  const reply = await app.post('/auth/token/login', { token, ...endUser }, withSecret)
  assert.equal(reply.status, 200)
  assert.deepEqual(reply.cookies, {})
  const seen = await app.post('/auth/bridge/validate', { session_id: reply.json.sessionId }, withSecret)
  assert.equal(seen.json.session.ipAddress, endUser.ip)
})

test('where sign-in needs a proven address no text is sent without one, and one sent before is refused unspent', async (t) => {
  const app = await startTestApp({ env: { VERIFY_REGISTRATION: 'true' } })
  t.after(app.stop)
  const { id } = await registered(app)
  const phone = newNumber()
  await setPhone(app, id, phone)
  const setVerified = (is: boolean) => sql`UPDATE users SET is_verified = ${is} WHERE id = ${id}`.execute(app.ctx.db)
  await app.post('/auth/token/login', { identifier: phone })
  await settled(app)
  assert.equal((await auditOf(app, 'token_sent')).at(-1)?.details.reason, 'unverified')
  assert.deepEqual(app.inbox?.list({ to: phone }), [])
  await setVerified(true)
  const { token } = await asked(app, phone)
  await setVerified(false)
  const refused = await redeem(app, { token })
  assert.deepEqual([refused.status, refused.json.code], [403, 'EMAIL_NOT_VERIFIED'])
  assert.equal((await auditOf(app, 'token_rejected')).at(-1)?.details.reason, 'unverified')
  await setVerified(true)
  assert.equal((await redeem(app, { token })).status, 200)
})

test('CLIENT_COMPAT opens the GET form to everyone, with more members, counted by address', async (t) => {
  const app = await startTestApp({ env: { CLIENT_COMPAT: 'true' } })
  t.after(app.stop)
  const ada = await registered(app)
  const sent = await asked(app, ada.email)
  const path = '/auth/token/validate'
  assert.equal((await app.post(path, { token: sent.token })).status, 401)
  const wrong = await app.get(`${path}?token=${sent.token}`, { headers: { 'x-bridge-secret': 'no secret of ours' } })
  assert.equal(wrong.status, 401)
  assert.equal((await app.call('HEAD', `${path}?token=${sent.token}`)).status, 405)
  const from = '198.51.100.90'
  const reply = await app.get(`${path}?token=${sent.token}&ip=203.0.113.1`, { from })
  assert.equal(reply.status, 200)
  assert.deepEqual([reply.json.tokenType, reply.json.token_id], ['email', sent.id])
  assert.equal(reply.json.expires_at, reply.json.expiresAt)
  assert.deepEqual(reply.cookies, {})
  assert.equal((await app.get('/auth/me', withSession(reply.json.sessionId))).status, 200)
  const next = await app.get(`${path}?token=other`, { from })
  assert.deepEqual([next.status, next.headers['x-ratelimit-remaining']], [400, '18'])
  const byBackEnd = await asked(app, ada.email)
  assert.equal((await app.get(`${path}?token=${byBackEnd.token}`, withSecret)).status, 200)
})
