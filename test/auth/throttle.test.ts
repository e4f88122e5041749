import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { day, minute } from '../../src/lib/time.ts'
import { person, registered, type SignedIn, withSession } from '../support/people.ts'
import { auditOf } from '../support/rows.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'

let app: TestApp
before(async () => {
  app = await startTestApp({ env: { LOCKOUT_MAX_FAILURES: '10', MAIL_NEW_DEVICE: 'true' } })
})
after(() => app.stop())

const guess = (identifier: string, password = 'not the password', headers: Record<string, string> = {}) =>
  app.post('/auth/login', { identifier, password }, { headers })
const statuses = async (calls: ReturnType<typeof guess>[]) =>
  (await Promise.all(calls)).map(({ status }) => status).sort()

test('five wrong passwords from anywhere close the account for its window, known or unknown', async () => {
  const ada = await registered(app)
  for (const identifier of [ada.email, person().email, person().user_name]) {
    for (let count = 0; count < 5; count++) assert.equal((await guess(identifier)).status, 401)
    const reply = await guess(identifier)
    assert.equal(reply.status, 429)
    assert.equal(reply.json.code, 'RATE_LIMITED')
    assert.ok(Number(reply.headers['retry-after']) > 800)
  }
  assert.equal((await guess(ada.email, ada.password)).status, 429)
  app.clock.advance(15 * minute)
  assert.equal((await guess(ada.email, ada.password)).status, 200)
})

test('address and user name are one account', async () => {
  const ada = await registered(app)
  for (let count = 0; count < 5; count++) await guess(count % 2 ? ada.email : ada.user_name)
  assert.equal((await guess(ada.user_name)).status, 429)
  assert.equal((await guess(ada.email.toUpperCase())).status, 429)
})

test('parallel guesses cannot exceed the limit', async () => {
  const ada = await registered(app)
  const guesses = Array.from({ length: 30 }, () => guess(ada.email))
  assert.deepEqual(await statuses(guesses), [...Array(5).fill(401), ...Array(25).fill(429)])
})

test('a correct password resets the counter', async () => {
  const ada = await registered(app)
  for (let round = 0; round < 3; round++) {
    for (let count = 0; count < 4; count++) assert.equal((await guess(ada.email)).status, 401)
    assert.equal((await guess(ada.email, ada.password)).status, 200)
  }
})

const deviceCookie = (somebody: SignedIn) => ({ cookie: `kd=${somebody.reply.cookies.kd?.value}` })

test('strangers cannot lock the owner out of a device that has signed in before', async () => {
  const [ada, grace] = [await registered(app), await registered(app, 'grace')]
  for (let count = 0; count < 6; count++) await guess(ada.email)
  assert.equal((await guess(ada.email, ada.password)).status, 429)
  assert.equal((await guess(ada.email, ada.password, deviceCookie(grace))).status, 429)
  assert.equal((await guess(ada.email, ada.password, { cookie: 'kd=a.b.c' })).status, 429)
  assert.equal((await guess(ada.email, ada.password, deviceCookie(ada))).status, 200)
  for (let count = 0; count < 5; count++)
    assert.equal((await guess(ada.email, 'wrong password', deviceCookie(ada))).status, 401)
  assert.equal((await guess(ada.email, ada.password, deviceCookie(ada))).status, 429)
})

test('all devices of an account share one budget', async () => {
  const ada = await registered(app)
  const devices = [deviceCookie(ada)]
  for (let count = 0; count < 2; count++) {
    const reply = await guess(ada.email, ada.password)
    devices.push({ cookie: `kd=${reply.cookies.kd?.value}` })
  }
  for (let count = 0; count < 5; count++)
    assert.equal((await guess(ada.email, 'wrong password', devices[count % 3])).status, 401)
  for (const device of devices) assert.equal((await guess(ada.email, ada.password, device)).status, 429)
  assert.equal((await guess(ada.email, ada.password)).status, 200)
})

test('a new password makes known devices unknown, except the one that set it', async () => {
  const ada = await registered(app)
  const body = { current_password: ada.password, new_password: 'a new one for the house' }
  const changed = await app.post('/auth/password-change/self', body, withSession(ada.sessionToken))
  assert.equal(changed.status, 200)
  for (let count = 0; count < 6; count++) await guess(ada.email)
  assert.equal((await guess(ada.email, body.new_password, deviceCookie(ada))).status, 429)
  const present = { cookie: `kd=${changed.cookies.kd?.value}` }
  assert.equal((await guess(ada.email, body.new_password, present)).status, 200)
})

test('too many consecutive failures lock the account until the lock expires, and send an email', async () => {
  const ada = await registered(app)
  for (let round = 0; round < 2; round++) {
    for (let count = 0; count < 5; count++) assert.equal((await guess(ada.email)).status, 401)
    app.clock.advance(16 * minute)
  }
  const locked = await guess(ada.email, ada.password)
  assert.equal(locked.status, 429)
  assert.equal(locked.json.code, 'ACCOUNT_LOCKED')
  assert.match((await app.mailTo(ada.email, 1)).text, /reset-password/)
  assert.equal((await auditOf(app, 'login_locked')).filter(({ target_id }) => target_id === ada.id).length, 1)
  assert.equal((await app.get('/auth/me', withSession(ada.sessionToken))).status, 200)
  assert.equal((await guess(ada.email, ada.password, deviceCookie(ada))).status, 200)
  app.clock.advance(day)
  assert.equal((await guess(ada.email, ada.password)).status, 200)
})

test('with MAIL_NEW_DEVICE, the owner is notified of a sign-in from an unknown device', async () => {
  const ada = await registered(app)
  assert.equal((await guess(ada.email, ada.password, deviceCookie(ada))).status, 200)
  const userAgent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
  assert.equal((await guess(ada.email, ada.password, { 'user-agent': userAgent })).status, 200)
  const mails = [await app.mailTo(ada.email), await app.mailTo(ada.email, 1)]
  assert.equal(mails.filter(({ text }) => /Firefox on Linux/.test(text)).length, 1)
})
