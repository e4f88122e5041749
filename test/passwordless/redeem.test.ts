// Setup: default start
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { minute } from '../../src/lib/time.ts'
import { registered, withSession } from '../support/people.ts'
import { auditOf, rowCounts } from '../support/rows.ts'
import { emailFactor, requireSecondFactor } from '../support/second-factor.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'
import { asked, newNumber, redeem, setPhone, settled, verify, withSecret, wrong } from './support.ts'

let app: TestApp
before(async () => {
  app = await startTestApp({ secondFactor: emailFactor })
})
after(() => app.stop())

const me = (sessionToken: string) => app.get('/auth/me', withSession(sessionToken))
const cookieOf = (sessionToken: string) => ({ headers: { cookie: `session_id=${sessionToken}` } })

test('the link signs in, sets the cookies, and is then the end of link and code', async () => {
  const ada = await registered(app)
  await verify(app, ada.id)
  const { id, token, code } = await asked(app, ada.email)
  const reply = await redeem(app, { token })
  assert.equal(reply.status, 200)
  assert.equal(reply.json.success, true)
  assert.equal(reply.json.user.email, ada.email)
  assert.equal(reply.json.requires_2fa, false)
  assert.equal(reply.cookies.session_id?.value, reply.json.sessionId)
  assert.ok(reply.cookies.kd)
  assert.equal((await me(reply.json.sessionId)).status, 200)
  assert.equal((await me(ada.sessionToken)).status, 200)
  assert.equal((await redeem(app, { token })).json.code, 'INVALID_TOKEN')
  assert.equal((await redeem(app, { token_id: id, code })).json.code, 'INVALID_CODE')
  const used = (await auditOf(app, 'token_used')).at(-1)
  assert.deepEqual([used?.target_id, used?.details], [ada.id, { token: id, method: 'email', by: 'link' }])
  assert.equal((await auditOf(app, 'login_success')).at(-1)?.details.proof, 'login_token')
})

test('the code signs in with its id, and is then the end of link and code', async () => {
  const ada = await registered(app)
  const { id, token, code } = await asked(app, ada.email)
  const reply = await app.post('/auth/token/create', { tokenId: id, code })
  assert.equal(reply.status, 200)
  assert.equal(reply.json.user.id, ada.id)
  assert.equal((await redeem(app, { token })).json.code, 'INVALID_TOKEN')
  assert.equal((await auditOf(app, 'token_used')).at(-1)?.details.by, 'code')
})

test('a live session in the same browser ends, and is never taken over', async () => {
  const [ada, grace] = [await registered(app), await registered(app, 'grace')]
  const { token } = await asked(app, ada.email)
  const reply = await app.post('/auth/token/login', { token }, cookieOf(grace.sessionToken))
  assert.notEqual(reply.json.sessionId, grace.sessionToken)
  assert.equal(reply.json.user.id, ada.id)
  assert.equal((await me(grace.sessionToken)).status, 401)
})

test('link and code expire, each at its time', async () => {
  const ada = await registered(app)
  const { id, token, code } = await asked(app, ada.email)
  app.clock.advance(10 * minute)
  assert.equal((await redeem(app, { token_id: id, code })).json.code, 'INVALID_CODE')
  app.clock.advance(5 * minute - 1)
  assert.equal((await redeem(app, { token })).status, 200)
  const late = await asked(app, ada.email)
  app.clock.advance(15 * minute)
  assert.equal((await redeem(app, { token: late.token })).json.code, 'INVALID_TOKEN')
})

test('whatever is no secret is a rejection that names its member and spends nothing', async () => {
  const ada = await registered(app)
  const { id, token, code } = await asked(app, ada.email)
  const before = await rowCounts(app)
  const bad: [body: Record<string, unknown>, field: string][] = [
    [{ token: '' }, 'token'],
    [{ token: [] }, 'token'],
    [{ token: {} }, 'token'],
    [{ token: true }, 'token'],
    [{ token: 0 }, 'token'],
    [{ token: 'x'.repeat(201) }, 'token'],
    [{ token, code }, 'token'],
    [{ token, token_id: id }, 'token'],
    [{ token_id: id }, 'code'],
    [{ code }, 'token_id'],
    [{ token_id: 'x', code }, 'token_id'],
    [{ token_id: id, code: Number(code) }, 'code'],
    [{ token_id: id, code: `${code} ` }, 'code'],
    [{ token_id: id, code: code.slice(1) }, 'code'],
    [{ token_id: id, tokenId: crypto.randomUUID(), code }, 'token_id'],
  ]
  for (const [body, field] of bad) {
    const { status, json } = await redeem(app, body)
    assert.equal(status, 400, JSON.stringify(body))
    assert.equal(json.code, 'VALIDATION_ERROR', JSON.stringify(body))
    assert.equal(json.details[0].field, field, JSON.stringify(body))
  }
  for (const other of ['%', '_', token.slice(1), `${token}A`, token.toLowerCase(), ada.sessionToken]) {
    assert.equal((await redeem(app, { token: other })).json.code, 'INVALID_TOKEN', other)
  }
  assert.deepEqual(await rowCounts(app), before)
  // If the body contains a secret, members for requesting one are ignored.
  assert.equal((await redeem(app, { token: null, token_id: id, code, email: 'nobody' })).status, 200)
  assert.equal((await auditOf(app, 'token_rejected')).at(-1)?.details.reason, 'login_link')
})

test('asking and redeeming are counted apart, each at its own limit', async () => {
  const from = '198.51.100.7'
  const classOf = async (body: Record<string, unknown>) => {
    const { headers } = await app.post('/auth/token/login', body, { from })
    return [headers['x-ratelimit-limit'], headers['x-ratelimit-remaining']].join()
  }
  assert.equal(await classOf({ email: 'nobody@example.com' }), '10,9')
  assert.equal(await classOf({ token: 'x' }), '20,19')
  assert.equal(await classOf({ tokenId: crypto.randomUUID(), code: '123456' }), '20,18')
  assert.equal(await classOf({ token: null, email: 'nobody@example.com' }), '10,8')
  assert.equal(await classOf({}), '10,7')
})

test('five wrong codes are the end of a code, and not of its link', async () => {
  const ada = await registered(app)
  const { id, token, code } = await asked(app, ada.email)
  for (let guess = 0; guess < 5; guess++) {
    const { status, json } = await redeem(app, { token_id: id, code: wrong(code) })
    assert.deepEqual([status, json.code], [400, 'INVALID_CODE'])
  }
  assert.equal((await redeem(app, { token_id: id, code })).json.code, 'INVALID_CODE')
  assert.equal((await redeem(app, { token })).status, 200)
})

test('ten wrong codes of an account are the end of codes for a while, whatever is sent anew; links go on', async () => {
  const ada = await registered(app)
  for (let request = 0; request < 3; request++) {
    const { id, code } = await asked(app, ada.email)
    for (let guess = 0; guess < 4; guess++) await redeem(app, { token_id: id, code: wrong(code) })
  }
  const { id, code, token } = await asked(app, ada.email)
  const refused = await redeem(app, { token_id: id, code })
  // The response is the same as for a wrong code so that it does not reveal whether the account exists.
  assert.deepEqual([refused.status, refused.json.code], [400, 'INVALID_CODE'])
  // Ten guesses in 15 minutes are 960 a day, from any number of IP addresses. With a million possible codes, the chance
  // of a hit is below 0.1 % a day.
  app.clock.advance(15 * minute)
  const fresh = await asked(app, ada.email)
  assert.equal((await redeem(app, { token_id: fresh.id, code: fresh.code })).status, 200)
  assert.equal((await redeem(app, { token })).status, 400)
})

test('a right code forgives the wrong ones before it', async () => {
  const ada = await registered(app)
  for (let request = 0; request < 4; request++) {
    const { id, code } = await asked(app, ada.email)
    for (let guess = 0; guess < 4; guess++) await redeem(app, { token_id: id, code: wrong(code) })
    assert.equal((await redeem(app, { token_id: id, code })).status, 200, `request ${request}`)
  }
})

test('an id that stands for nothing is guessed at in vain, with the same answer', async () => {
  const { json } = await app.post('/auth/token/login', { email: 'nobody.known@example.com' })
  const rejection = await redeem(app, { token_id: json.token_id, code: '123456' })
  assert.deepEqual([rejection.status, rejection.json.error], [400, 'Invalid or expired code'])
})

test('a user with a second factor gets a partial session, by link and by code', async () => {
  const ada = await registered(app)
  await verify(app, ada.id)
  await requireSecondFactor(app, ada.id)
  for (const by of ['link', 'code']) {
    const { id, token, code } = await asked(app, ada.email)
    const reply = await redeem(app, by === 'link' ? { token } : { token_id: id, code })
    assert.equal(reply.status, 200)
    assert.deepEqual([reply.json.success, reply.json.requires_2fa], [false, true])
    assert.equal(reply.json.available_methods[0].method, 'email')
    assert.equal(reply.cookies.session_id?.maxAge, 300)
    assert.equal(reply.cookies.kd, undefined)
    assert.equal(
      (await app.post('/auth/refresh', {}, withSession(reply.json.sessionId))).json.code,
      'TWO_FACTOR_REQUIRED',
    )
  }
  assert.equal((await auditOf(app, 'partial_created')).length, 2)
})

test('secrets act for the contact that they were sent to, and for a user who is there', async () => {
  const [moved, gone] = [await registered(app), await registered(app)]
  const phone = newNumber()
  await setPhone(app, moved.id, phone)
  const [byMail, byText] = [await asked(app, moved.email), await asked(app, phone)]
  await sql`UPDATE users SET email = ${`new.${moved.email}`} WHERE id = ${moved.id}`.execute(app.ctx.db)
  await setPhone(app, moved.id, newNumber())
  assert.equal((await redeem(app, { token: byMail.token })).json.code, 'INVALID_TOKEN')
  assert.equal((await redeem(app, { token_id: byText.id, code: byText.code })).json.code, 'INVALID_CODE')
  const { token } = await asked(app, gone.email)
  await sql`UPDATE users SET deleted_at = now() WHERE id = ${gone.id}`.execute(app.ctx.db)
  assert.equal((await redeem(app, { token })).json.code, 'INVALID_TOKEN')
})

test('the first proof of an inbox removes what was set up before it, and tells its owner', async () => {
  const ada = await registered(app)
  const phone = newNumber()
  await setPhone(app, ada.id, phone)
  await requireSecondFactor(app, ada.id)
  const text = await asked(app, phone)
  const { token, code, id } = await asked(app, ada.email)
  const reply = await redeem(app, { token })
  assert.deepEqual([reply.json.success, reply.json.user.is_verified], [true, true])
  assert.equal((await me(ada.sessionToken)).status, 401)
  assert.equal((await app.post('/auth/login', { email: ada.email, password: ada.password })).status, 401)
  assert.equal((await redeem(app, { token: text.token })).status, 400)
  assert.equal((await redeem(app, { token_id: id, code })).status, 400)
  const { rows } = await sql`SELECT password_hash, phone, two_factor FROM users WHERE id = ${ada.id}`.execute(
    app.ctx.db,
  )
  assert.deepEqual(rows, [{ password_hash: null, phone: null, two_factor: false }])
  const removed = (await auditOf(app, 'credentials_removed')).at(-1)
  assert.deepEqual(removed?.details.removed, ['password', 'phone', 'two_factor', 'sessions'])
  const mails = async () => app.inbox?.list({ to: ada.email }).filter(({ subject }) => /secured/.test(subject))
  for (const end = performance.now() + 5_000; (await mails())?.length === 0 && performance.now() < end; )
    await new Promise((resolve) => setTimeout(resolve, 20))
  assert.match((await mails())?.[0]?.text ?? '', /localhost:3000\/reset-password/)
  // A second sign-in removes nothing, because the address is verified.
  const again = await asked(app, ada.email)
  assert.equal((await redeem(app, { token: again.token })).status, 200)
  assert.equal((await me(reply.json.sessionId)).status, 200)
})

test('with MAIL_NEW_DEVICE the owner hears of a sign-in from a browser that is not remembered', async (t) => {
  const wary = await startTestApp({ env: { MAIL_NEW_DEVICE: 'true' } })
  t.after(wary.stop)
  const ada = await registered(wary)
  await verify(wary, ada.id)
  const signIn = async (headers: Record<string, string>) => {
    const { token } = await asked(wary, ada.email)
    return wary.post('/auth/token/login', { token }, { headers })
  }
  const first = await signIn({ 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' })
  await signIn({ cookie: `kd=${first.cookies.kd?.value}` })
  const { token } = await asked(wary, ada.email)
  assert.equal((await wary.post('/auth/token/validate', { token }, withSecret)).status, 200)
  await settled(wary)
  const notices = wary.inbox?.list({ to: ada.email }).filter(({ subject }) => /New sign-in/.test(subject))
  assert.equal(notices?.length, 1)
  assert.match(notices?.[0]?.text ?? '', /Firefox on Linux/)
})

test('a text message proves a phone, and no inbox', async () => {
  const ada = await registered(app)
  const phone = newNumber()
  await setPhone(app, ada.id, phone)
  const { token } = await asked(app, phone)
  const reply = await redeem(app, { token })
  assert.deepEqual([reply.status, reply.json.user.is_verified], [200, false])
  assert.equal((await me(ada.sessionToken)).status, 200)
})
