import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { registered, type SignedIn, signedInAs, withSession } from '../support/people.ts'
import { auditOf } from '../support/rows.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'

let app: TestApp
let root: SignedIn
before(async () => {
  const env = { RATE_LIMIT_ADMIN: '100000/1h', RATE_LIMIT_LOGIN: '1000/15m', MAIL_CAP: '2/1h' }
  app = await startTestApp({ modules: ['two-factor'], env })
  root = await signedInAs(app, 'superadmin')
})
after(() => app.stop())

/** As in production without SMTP_URL. */
async function withoutMail<Result>(work: () => Promise<Result>): Promise<Result> {
  const mailer = app.ctx.mailer as { isConfigured: boolean }
  mailer.isConfigured = false
  try {
    return await work()
  } finally {
    mailer.isConfigured = true
  }
}

const byRoot = (path: string, body: object) =>
  app.post(`/auth/admin/users${path}`, body, withSession(root.sessionToken))
const resend = (who: SignedIn, body = {}) => app.post('/auth/resend-verification', body, withSession(who.sessionToken))

test('a user learns whether a verification email to the own address is sent, and why not', async () => {
  const ada = await registered(app)
  const sent = await resend(ada)
  assert.deepEqual(sent.json, { success: true, message: 'An email is on its way.' })
  await app.mailTo(ada.email, 1)
  const limited = await resend(ada)
  assert.equal(limited.status, 200)
  assert.match(limited.json.message, /Too many emails/)
  const grace = await registered(app, 'grace')
  const off = await withoutMail(() => resend(grace))
  assert.equal(off.status, 200)
  assert.match(off.json.message, /not configured/)
})

test('responses about an address in the request are the same for every address and every outcome', async () => {
  const ada = await registered(app)
  const grace = await registered(app, 'grace')
  const ask = async (email: string) => {
    const { status, text } = await app.post('/auth/resend-verification', { email })
    return [status, text]
  }
  const unknown = await ask('nobody@example.com')
  for (let count = 0; count < 3; count++) assert.deepEqual(await ask(ada.email), unknown)
  assert.deepEqual((await resend(grace, { email: ada.email })).text, unknown[1])
  for (const email of [ada.email, 'nobody@example.com']) assert.deepEqual(await withoutMail(() => ask(email)), unknown)
})

test('an administrator is told if an email would be dropped, and nothing is recorded as sent', async () => {
  const ada = await registered(app)
  const message = 'password_reset'
  const off = await withoutMail(() => byRoot(`/${ada.id}/send`, { message }))
  assert.deepEqual([off.status, off.json.code], [503, 'NOT_CONFIGURED'])
  for (const place of [1, 2]) {
    assert.equal((await byRoot(`/${ada.id}/send`, { message })).status, 200)
    await app.mailTo(ada.email, place)
  }
  const limited = await byRoot(`/${ada.id}/send`, { message })
  assert.deepEqual([limited.status, limited.json.code], [429, 'RATE_LIMITED'])
  assert.ok(Number(limited.headers['retry-after']) > 0)
  const sent = (await auditOf(app, 'admin_message_sent')).filter(({ target_id: id }) => id === ada.id)
  assert.equal(sent.length, 2)
  const mark = { ...withSession(root.sessionToken), body: { is_verified: true } }
  assert.equal((await app.call('PUT', `/auth/admin/users/${ada.id}`, mark)).status, 200)
  const verified = await byRoot(`/${ada.id}/send`, { message: 'verification' })
  assert.deepEqual([verified.status, verified.json.details[0].field], [400, 'message'])
})
