import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { hour } from '../../src/lib/time.ts'
import { handedOver } from '../support/handover.ts'
import { person, registered, type SignedIn, signedInAs, withSession } from '../support/people.ts'
import { auditOf } from '../support/rows.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'
import { asked, newNumber, redeem, settled, verify } from './support.ts'

let app: TestApp
before(async () => {
  app = await startTestApp({ env: { SMS_BUDGET: '1000/1h', MAIL_CAP: '100/1h' } })
})
after(() => app.stop())

/** A user with a verified email address whose sign-in is not recent. */
async function staleOwner(): Promise<SignedIn> {
  const ada = await registered(app)
  await verify(app, ada.id)
  app.clock.advance(hour)
  return ada
}

async function update({ sessionToken }: Pick<SignedIn, 'sessionToken'>, body: object) {
  const reply = await app.call('PUT', '/auth/profile', { body, ...withSession(sessionToken) })
  assert.doesNotMatch(reply.text, /trust/i)
  return reply
}

const signIn = async ({ email, password }: SignedIn) => ({
  sessionToken: (await app.post('/auth/login', { email, password })).json.sessionId as string,
})

/** Why a message to a number was rejected. Undefined if the message was sent. */
async function rejection(phone: string): Promise<unknown> {
  const { status, json } = await app.post('/auth/token/login', { identifier: phone })
  assert.deepEqual([status, json.method], [200, 'sms'])
  await settled(app)
  const { details, outcome } =
    (await auditOf(app, 'token_sent')).find((event) => event.details.token === json.token_id) ?? {}
  assert.equal(outcome, details?.reason ? 'failure' : 'success')
  return details?.reason
}

async function reset(somebody: SignedIn): Promise<void> {
  await app.post('/auth/password-reset/request', { email: somebody.email })
  await settled(app)
  const mail = app.inbox?.list({ to: somebody.email }).find(({ text }) => text.includes('reset-password?token='))
  const token = /token=([\w-]{43})/.exec(mail?.text ?? '')?.[1]
  const { status, text } = await app.post('/auth/password-reset/complete', { token, password: 'a tape without an end' })
  assert.equal(status, 200, text)
}

async function notices({ email }: SignedIn) {
  await settled(app)
  return (app.inbox?.list({ to: email }) ?? []).filter(({ subject }) => /phone number/.test(subject))
}

test('a number that an old session adds lets nobody in, before and after the owner resets the password', async () => {
  const ada = await staleOwner()
  const phone = newNumber()
  assert.equal((await update(ada, { phone })).status, 200)
  assert.equal(await rejection(phone), 'untrusted')
  const [notice] = await notices(ada)
  assert.match(notice?.text ?? '', new RegExp(`\\*\\*\\*${phone.slice(-3)}[^]*/reset-password`))
  await reset(ada)
  assert.equal(await rejection(phone), 'untrusted')
  assert.deepEqual(app.inbox?.list({ to: phone }), [])
  const { details } = (await auditOf(app, 'profile_updated')).findLast(({ target_id }) => target_id === ada.id) ?? {}
  assert.deepEqual(details, { changed: ['phone'], phone_trusted: false })
})

test('a number that a recent session adds lets in, until the owner resets the password', async () => {
  const ada = await staleOwner()
  const phone = newNumber()
  assert.equal((await update(await signIn(ada), { phone })).status, 200)
  assert.equal((await notices(ada)).length, 1)
  const used = await asked(app, phone)
  assert.equal((await redeem(app, { token: used.token })).json.user.id, ada.id)
  const unused = await asked(app, phone)
  await reset(ada)
  assert.equal((await redeem(app, { token: unused.token })).json.code, 'INVALID_TOKEN')
  assert.equal((await redeem(app, { token_id: unused.id, code: unused.code })).json.code, 'INVALID_CODE')
  assert.equal(await rejection(phone), 'untrusted')
})

test('the owner makes a number trusted by giving it again with proof, and not without', async () => {
  const ada = await staleOwner()
  const phone = newNumber()
  await update(ada, { phone })
  await update(ada, { phone, name: 'Ada' })
  assert.equal(await rejection(phone), 'untrusted')
  assert.equal((await notices(ada)).length, 1)
  await update(await signIn(ada), { phone })
  assert.equal(await rejection(phone), undefined)
  await update(ada, { phone, name: 'Augusta' })
  assert.equal(await rejection(phone), undefined)
  assert.equal((await notices(ada)).length, 2)
})

test('the current password is proof, and a wrong one changes nothing', async () => {
  const ada = await staleOwner()
  const [first, phone] = [newNumber(), newNumber()]
  await update(ada, { phone: first })
  const refused = await update(ada, { phone, name: 'Eve', current_password: 'moths around the relay' })
  assert.deepEqual([refused.status, refused.json.code], [400, 'INVALID_CURRENT_PASSWORD'])
  assert.equal(await rejection(phone), 'unknown')
  assert.equal((await update(ada, { phone, current_password: ada.password })).json.user.name, '')
  assert.equal(await rejection(phone), undefined)
})

test('what was sent to a number dies when it changes, even when it comes back', async () => {
  const ada = await staleOwner()
  const session = await signIn(ada)
  const phone = newNumber()
  await update(session, { phone })
  const { id, code, token } = await asked(app, phone)
  await update(session, { phone: '' })
  assert.equal(await rejection(phone), 'unknown')
  await update(session, { phone })
  assert.equal((await redeem(app, { token })).json.code, 'INVALID_TOKEN')
  assert.equal((await redeem(app, { token_id: id, code })).json.code, 'INVALID_CODE')
  const mails = await notices(ada)
  assert.equal(mails.filter(({ text }) => text.includes('New number: none')).length, 1)
  assert.equal(mails.length, 3)
})

test('a number that an admin writes lets nobody in, and is told; a new account starts with its own', async () => {
  const admin = await signedInAs(app, 'admin')
  const somebody = { ...person(), phone: newNumber() }
  const created = await app.post('/auth/admin/users', somebody, withSession(admin.sessionToken))
  assert.equal(await rejection(somebody.phone), undefined)
  const sent = await asked(app, somebody.phone)
  const phone = newNumber()
  const path = `/auth/users/${created.json.data.user.id}`
  assert.equal((await app.call('PUT', path, { body: { phone }, ...withSession(admin.sessionToken) })).status, 200)
  assert.equal(await rejection(phone), 'untrusted')
  assert.equal((await redeem(app, { token: sent.token })).json.code, 'INVALID_TOKEN')
  const mail = app.inbox?.list({ to: somebody.email }).find(({ text }) => /phone number was changed/.test(text))
  assert.match(mail?.subject ?? '', /administrator/)
  const grace = await registered(app, 'grace', { phone: newNumber() })
  assert.equal(grace.reply.status, 200)
  await update(grace, { phone: '' })
})

test('a password that an admin sets shuts numbers out, the change of the own one does not', async () => {
  const admin = await signedInAs(app, 'admin')
  const phone = newNumber()
  const ada = await registered(app, 'ada', { phone })
  await verify(app, ada.id)
  const own = { current_password: ada.password, new_password: 'a tape without an end' }
  assert.equal((await app.post('/auth/password-change/self', own, withSession(ada.sessionToken))).status, 200)
  assert.equal(await rejection(phone), undefined)
  const forced = { user_id: ada.id, new_password: 'moths around the relay' }
  assert.equal((await app.post('/auth/password-change/admin', forced, withSession(admin.sessionToken))).status, 200)
  assert.equal(await rejection(phone), 'untrusted')
})

test('of an hour five numbers become trusted, however many are given', async () => {
  const ada = await staleOwner()
  const session = await signIn(ada)
  const rejections: unknown[] = []
  for (let count = 0; count < 6; count++) {
    const phone = newNumber()
    assert.equal((await update(session, { phone })).status, 200)
    rejections.push(await rejection(phone))
  }
  assert.deepEqual(rejections, [undefined, undefined, undefined, undefined, undefined, 'untrusted'])
})

test('a session that ended while its request was under way adds no number', async () => {
  const ada = await staleOwner()
  const phone = newNumber()
  const { passwords } = app.ctx
  const verify: typeof passwords.verify = async (...given) => {
    await sql`UPDATE sessions SET status = 'revoked' WHERE user_id = ${ada.id}`.execute(app.ctx.db)
    return passwords.verify(...given)
  }
  Object.assign(app.ctx, { passwords: { ...passwords, verify } })
  const { status, json } = await update(ada, { phone, current_password: ada.password })
  Object.assign(app.ctx, { passwords })
  assert.deepEqual([status, json.code], [401, 'INVALID_SESSION'])
  assert.equal(await rejection(phone), 'unknown')
})

test('nobody signs in by a number that was put on an invited account before its address was proven', async () => {
  const admin = await signedInAs(app, 'superadmin')
  const [email, first, second] = [person().email, newNumber(), newNumber()]
  const body = { email, phone: first, send_invite: true }
  const { status } = await app.post('/auth/admin/users', body, withSession(admin.sessionToken))
  assert.equal(status, 200)
  const byText = await redeem(app, { token: (await asked(app, first)).token })
  assert.equal(byText.status, 200, byText.text)
  assert.equal((await update({ sessionToken: byText.json.sessionId }, { phone: second })).status, 200)
  const owner = await redeem(app, { token: (await asked(app, email)).token })
  assert.deepEqual([owner.status, owner.json.user.is_verified], [200, true])
  for (const phone of [first, second]) assert.ok(await rejection(phone), `a code was sent to ${phone}`)
})

for (const path of ['/auth/profile', '/auth/user/me']) {
  test(`a number that an application sets at ${path} lets nobody in, whatever it proves`, async () => {
    const ada = await staleOwner()
    const shop = await handedOver(app, (await signIn(ada)).sessionToken)
    app.clock.advance(1)
    const { password } = ada
    assert.equal((await app.post('/auth/reauthenticate', { password }, withSession(shop))).status, 200)
    const set = (sessionToken: string, body: object) => app.call('PUT', path, { body, ...withSession(sessionToken) })
    const phone = newNumber()
    for (const body of [{ phone }, { phone, current_password: password }]) {
      const { status, text } = await set(shop, body)
      assert.equal(status, 200, text)
      assert.equal(await rejection(phone), 'untrusted')
    }
    assert.equal((await set((await signIn(ada)).sessionToken, { phone })).status, 200)
    assert.equal(await rejection(phone), undefined)
    // Resending the whole profile keeps the number, and another one is not trusted.
    assert.equal((await set(shop, { phone, name: 'Ada' })).status, 200)
    assert.equal(await rejection(phone), undefined)
    const other = newNumber()
    await set(shop, { phone: other })
    assert.equal(await rejection(other), 'untrusted')
  })
}
