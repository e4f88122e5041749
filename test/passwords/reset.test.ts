// Setup: default start
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { minute } from '../../src/lib/time.ts'
import { assertError } from '../http/support.ts'
import { fixedWait } from '../support/fixed-wait.ts'
import { person, registered, type SignedIn, withSession } from '../support/people.ts'
import { auditOf, rowCounts } from '../support/rows.ts'
import { emailFactor, proveInbox, requireSecondFactor } from '../support/second-factor.ts'
import { bridgeSecret, startTestApp, type TestApp } from '../support/test-app.ts'

const base = '/auth/password-reset'
const fresh = 'moths around the relay'
const tokenIn = (text: string): string => /token=([\w-]{43})/.exec(text)?.[1] ?? ''
const sleep = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** Sorted by creation time because emails are sent concurrently. */
const resets = (app: TestApp, { email }: { email: string }) =>
  (app.inbox?.list({ to: email }) ?? [])
    .filter(({ subject }) => /new password|contraseña nueva/.test(subject ?? ''))
    .toSorted((one, other) => (one.id < other.id ? -1 : 1))

async function resetMail(app: TestApp, somebody: { email: string }, count = 0) {
  const deadline = Date.now() + 10_000
  for (;;) {
    const mail = resets(app, somebody)[count]
    if (mail) return mail
    if (Date.now() > deadline) throw new Error('no reset mail arrived')
    await sleep(20)
  }
}

/** Requests a link and reads it from the email. */
async function link(app: TestApp, somebody: { email: string }, count = 0): Promise<string> {
  await app.post(`${base}/request`, { email: somebody.email })
  return tokenIn((await resetMail(app, somebody, count)).text)
}

const login = (app: TestApp, { email }: { email: string }, password: string) =>
  app.post('/auth/login', { email, password })
const complete = (app: TestApp, token: unknown, password: unknown = fresh) =>
  app.post(`${base}/complete`, { token, password })

describe('with the settings of a fresh installation', () => {
  let app: TestApp
  before(async () => {
    app = await startTestApp({ secondFactor: emailFactor, env: { ALLOWED_REDIRECTS: 'myapp://' } })
  })
  after(() => app.stop())

  test('a mailed link sets a new password, and the old one opens nothing any more', async () => {
    const ada = await registered(app)
    const token = await link(app, ada)
    const reply = await complete(app, token)
    assert.equal(reply.status, 200)
    assert.deepEqual(Object.keys(reply.json), ['success', 'message'])
    assert.deepEqual(reply.cookies, {})
    assert.equal((await login(app, ada, ada.password)).status, 401)
    const { status, json } = await login(app, ada, fresh)
    assert.equal(status, 200)
    assert.equal(json.user.is_verified, true)
    assert.equal((await auditOf(app, 'reset_completed')).filter(({ target_id }) => target_id === ada.id).length, 1)
    const notice = await app.mailTo(ada.email, 2)
    assert.match(notice.subject ?? '', /password was changed/)
  })

  test('aliases of route and member do the same', async () => {
    const ada = await registered(app)
    const token = await link(app, ada)
    assert.equal((await app.post(`${base}/reset`, { token, newPassword: fresh })).status, 200)
    assert.equal((await login(app, ada, fresh)).status, 200)
  })

  test('every session and every other link of the user is dead, and those of others are not', async () => {
    const [ada, grace] = [await registered(app), await registered(app, 'grace')]
    const verification = tokenIn((await app.mailTo(ada.email)).text)
    const second = (await login(app, ada, ada.password)).json.sessionId
    await requireSecondFactor(app, ada.id)
    await proveInbox(app, ada.id)
    const partial = (await login(app, ada, ada.password)).json.sessionId
    const validate = (session_id: string) =>
      app.post('/auth/bridge/validate', { session_id }, { headers: { 'x-bridge-secret': bridgeSecret } })
    for (const sessionToken of [ada.sessionToken, second, grace.sessionToken])
      assert.equal((await validate(sessionToken)).status, 200)
    const token = await link(app, ada)
    await complete(app, token)
    for (const sessionToken of [ada.sessionToken, second]) assert.equal((await validate(sessionToken)).status, 401)
    for (const sessionToken of [ada.sessionToken, second, partial])
      assert.equal((await app.get('/auth/me', withSession(sessionToken))).json.code, 'INVALID_SESSION')
    assert.equal((await validate(grace.sessionToken)).status, 200)
    assertError(await app.post('/auth/token/verify', { token: verification }), 400, 'INVALID_TOKEN')
    const [ended] = (await auditOf(app, 'session_ended')).filter(({ target_id }) => target_id === ada.id)
    assert.equal(ended?.details.reason, 'password_reset')
    // The second factor stays enabled because the address had already been verified.
    assert.equal((await login(app, ada, fresh)).json.requires_2fa, true)
  })

  test('a link works once, dies with a newer one, and runs out', async () => {
    const ada = await registered(app)
    const first = await link(app, ada)
    const second = await link(app, ada, 1)
    assertError(await complete(app, first), 400, 'INVALID_TOKEN')
    assert.equal((await complete(app, second)).status, 200)
    assertError(await complete(app, second, 'a tape without an end'), 400, 'INVALID_TOKEN')
    assert.equal((await login(app, ada, fresh)).status, 200)
    const late = await link(app, ada, 2)
    app.clock.advance(30 * minute)
    assertError(await complete(app, late), 400, 'INVALID_TOKEN')
    assert.equal((await login(app, ada, fresh)).status, 200)
    assert.ok((await auditOf(app, 'token_rejected')).some(({ details }) => details.reason === 'password_reset'))
  })

  test('a refused password leaves the link alive and everything as it is', async () => {
    const ada = await registered(app)
    const token = await link(app, ada)
    const before = await rowCounts(app)
    for (const password of [
      'short',
      'password123',
      ada.email,
      ada.user_name,
      ' '.repeat(9),
      'x'.repeat(257),
      ada.password,
    ]) {
      const details = assertError(await complete(app, token, password), 400, 'WEAK_PASSWORD', password)
      assert.equal(details[0]?.field, 'password')
    }
    assert.deepEqual(await rowCounts(app), before)
    assert.equal((await app.get('/auth/me', withSession(ada.sessionToken))).status, 200)
    assert.equal((await complete(app, token)).status, 200)
  })

  test('asking whether a link is valid spends nothing and says nothing about the user', async () => {
    const ada = await registered(app)
    const token = await link(app, ada)
    const ask = async (one: string) => [
      (await app.post(`${base}/validate`, { token: one })).json,
      (await app.get(`${base}/validate?token=${one}`)).json,
      (await app.get(`${base}/validate/${one}`)).json,
    ]
    for (const json of await ask(token)) assert.deepEqual(Object.keys(json), ['success', 'valid', 'message'])
    assert.deepEqual(
      (await ask(token)).map(({ valid }) => valid),
      [true, true, true],
    )
    const rejections = [...(await ask('A'.repeat(43))), ...(await ask('x'))]
    await complete(app, token)
    for (const json of [...rejections, ...(await ask(token))]) assert.deepEqual(json, rejections[0])
    assert.equal(rejections[0].valid, false)
    const { json } = await app.post(`${base}/validate`, { email: 'nobody@example.com', code: '000000' })
    assert.deepEqual([json.valid, json.message], [false, 'Invalid or expired code'])
  })

  test('a link whose address is no longer that of the user sets nothing', async () => {
    const ada = await registered(app)
    const token = await link(app, ada)
    await sql`UPDATE users SET email = ${person().email} WHERE id = ${ada.id}`.execute(app.ctx.db)
    assert.equal((await app.post(`${base}/validate`, { token })).json.valid, false)
    assertError(await complete(app, token), 400, 'INVALID_TOKEN')
  })

  test('a deleted user gets no link, and an old one sets nothing', async () => {
    const ada = await registered(app)
    const token = await link(app, ada)
    await sql`UPDATE users SET deleted_at = now() WHERE id = ${ada.id}`.execute(app.ctx.db)
    assertError(await complete(app, token), 400, 'INVALID_TOKEN')
    await app.post(`${base}/request`, { email: ada.email })
    await fixedWait(1_500, 'a second mail must not arrive')
    assert.equal(resets(app, ada).length, 1)
  })

  test('a number that was set before the inbox was ever proven lets nobody in afterwards; a proven one stays', async () => {
    const [ada, grace] = [await registered(app), await registered(app, 'grace')]
    for (const [count, somebody] of [ada, grace].entries())
      await sql`UPDATE users SET phone = ${`+44770090040${count}`}, is_verified = ${somebody === grace}
        WHERE id = ${somebody.id}`.execute(app.ctx.db)
    const phones: (string | null)[] = []
    for (const somebody of [ada, grace]) {
      assert.equal((await complete(app, await link(app, somebody), 'a tape without an end')).status, 200)
      const { rows } = await sql<{ phone: string | null }>`SELECT phone FROM users WHERE id = ${somebody.id}`.execute(
        app.ctx.db,
      )
      phones.push(rows[0]?.phone ?? null)
    }
    assert.deepEqual(phones, [null, '+447700900401'])
    const removed = (await auditOf(app, 'credentials_removed')).map(({ target_id, details }) => [
      target_id,
      details.removed,
    ])
    assert.deepEqual(removed, [[ada.id, ['phone']]])
  })

  test('a user without a password gets one', async () => {
    const ada = await registered(app)
    await sql`UPDATE users SET password_hash = NULL WHERE id = ${ada.id}`.execute(app.ctx.db)
    assert.equal((await complete(app, await link(app, ada))).status, 200)
    assert.equal((await login(app, ada, fresh)).status, 200)
  })

  test('known and unknown addresses get the same answer; only the known one gets a mail, at its stored spelling', async () => {
    const [ada, nobody] = [await registered(app), person()]
    const known = await app.post(`${base}/request`, { email: ` ${ada.email.toUpperCase()} ` })
    const unknown = await app.post(`${base}/request`, { email: nobody.email })
    assert.equal(known.status, 200)
    assert.deepEqual(known.json, unknown.json)
    const names = (headers: object) => Object.keys(headers).toSorted()
    assert.deepEqual(names(known.headers), names(unknown.headers))
    assert.equal((await resetMail(app, ada)).to, ada.email)
    await fixedWait(300, 'a mail must not arrive')
    assert.deepEqual(app.inbox?.list({ to: nobody.email }), [])
    const outcomes = (await auditOf(app, 'reset_requested')).slice(-2).map(({ outcome }) => outcome)
    assert.deepEqual(outcomes.toSorted(), ['failure', 'success'])
  })

  test('what is no single address is refused before anything is looked up', async () => {
    const ada = await registered(app)
    const before = await rowCounts(app)
    const wrong = [undefined, null, '', [ada.email], { $ne: null }, `${ada.email},eve@evil.test`, 'nobody', 7, true]
    for (const email of wrong)
      assertError(await app.post(`${base}/request`, { email }), 400, 'VALIDATION_ERROR', String(email))
    assertError(await app.post(`${base}/request`, { email: ada.email, reset_url: ['x'] }), 400, 'VALIDATION_ERROR')
    const form = { headers: { 'content-type': 'application/x-www-form-urlencoded' } }
    const twice = await app.post(`${base}/request`, `email=${ada.email}&email=eve@evil.test`, form)
    assert.ok(twice.status === 400 || twice.status === 415)
    assert.deepEqual(await rowCounts(app), before)
  })

  test('a token of the wrong form is refused by name, and matches nobody', async () => {
    for (const token of ['', null, undefined, [], {}, true, 0, 'x'.repeat(201)]) {
      for (const path of ['validate', 'complete', 'reset']) {
        const details = assertError(
          await app.post(`${base}/${path}`, { token, password: fresh }),
          400,
          'VALIDATION_ERROR',
        )
        assert.deepEqual(details, [{ field: 'token', message: details[0]?.message }])
      }
    }
    for (const token of ['%', '_', '%25', "' OR 1=1--"]) assertError(await complete(app, token), 400, 'INVALID_TOKEN')
    assertError(await app.get(`${base}/validate`), 400, 'VALIDATION_ERROR')
    assertError(await app.get(`${base}/validate?token=a&token=b`), 400, 'VALIDATION_ERROR')
    for (const token of ['%2f', 'a%2fb', 'a;b', 'a.b', 'x'.repeat(201)])
      assertError(await app.get(`${base}/validate/${token}`), 404, 'NOT_FOUND', token)
  })

  test('no header and no foreign wish shapes the link; an allowed one does', async () => {
    const ada = await registered(app)
    const headers = { host: 'evil.test', 'x-forwarded-host': 'evil.test', forwarded: 'host=evil.test' }
    const wishes = [
      undefined,
      'https://evil.test/x',
      '//evil.test',
      'https://localhost:3000@evil.test',
      'javascript:alert(1)',
    ]
    for (const [count, reset_url] of wishes.entries()) {
      const reply = await app.post(`${base}/request`, { email: ada.email, reset_url }, { headers })
      assert.equal(reply.status, 200)
      const { text, html } = await resetMail(app, ada, count)
      assert.match(text, /\nhttp:\/\/localhost:3000\/reset-password\?token=[\w-]{43}\n/)
      assert.doesNotMatch(text + html, /evil/)
    }
    const grace = await registered(app, 'grace', { lang: 'es' })
    await app.post(`${base}/request`, { email: grace.email, redirect_url: 'myapp://reset?x=1' })
    const mail = await resetMail(app, grace)
    assert.match(mail.text, /\nmyapp:\/\/reset\?x=1&token=[\w-]{43}\n/)
    assert.match(mail.subject ?? '', /contraseña nueva/)
  })

  test('one address gets at most five such mails an hour, and the last of them still works', async () => {
    const ada = await registered(app)
    for (let count = 0; count < 7; count++)
      assert.equal((await app.post(`${base}/request`, { email: ada.email })).status, 200)
    await resetMail(app, ada, 4)
    await fixedWait(1_500, 'a sixth mail must not arrive')
    const links = resets(app, ada).map(({ text }) => tokenIn(text))
    assert.equal(links.length, 5)
    assert.equal((await complete(app, links.at(-1))).status, 200)
  })

  test('a reset lifts the lock of the account', async () => {
    const ada = await registered(app)
    for (let window = 0; window < 20; window++) {
      for (let count = 0; count < 5; count++) await login(app, ada, 'not the password')
      app.clock.advance(16 * minute)
    }
    assertError(await login(app, ada, ada.password), 429, 'ACCOUNT_LOCKED')
    await complete(app, await link(app, ada))
    assert.equal((await login(app, ada, fresh)).status, 200)
  })
})

describe('with RESET_AUTO_LOGIN', () => {
  let app: TestApp
  before(async () => {
    app = await startTestApp({ secondFactor: emailFactor, env: { RESET_AUTO_LOGIN: 'true' } })
  })
  after(() => app.stop())

  test('the reply is a session, the only one that lives', async () => {
    const ada = await registered(app)
    const { status, json, cookies } = await complete(app, await link(app, ada))
    assert.equal(status, 200)
    assert.equal(json.success, true)
    assert.equal(cookies.session_id?.value, json.sessionId)
    assert.equal((await app.get('/auth/me', withSession(json.sessionId))).json.user.email, ada.email)
    assertError(await app.get('/auth/me', withSession(ada.sessionToken)), 401, 'INVALID_SESSION')
  })

  test('a user with a second factor gets a partial one', async () => {
    const ada: SignedIn = await registered(app)
    await requireSecondFactor(app, ada.id)
    await proveInbox(app, ada.id)
    const { json } = await complete(app, await link(app, ada))
    assert.equal(json.success, false)
    assert.equal(json.requires_2fa, true)
    assertError(await app.post('/auth/refresh', undefined, withSession(json.sessionId)), 401, 'TWO_FACTOR_REQUIRED')
  })
})
