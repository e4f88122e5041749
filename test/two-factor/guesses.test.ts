import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { minute, second } from '../../src/lib/time.ts'
import { person, registered, withSession } from '../support/people.ts'
import { auditOf, rowCounts } from '../support/rows.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'
import { base, codeTo, pending, verify, withTotp, wrongCode } from './support.ts'

let app: TestApp
before(async () => {
  app = await startTestApp({ modules: ['two-factor'] })
})
after(() => app.stop())

const guess = async (sessionToken: string, body: Record<string, unknown>) => {
  const { status, json } = await verify(app, sessionToken, body)
  return status === 200 ? [200] : [status, json.code, json.attempts_remaining]
}

test('five wrong codes end a partial session, and the right one comes too late', async () => {
  const ada = await withTotp(app)
  const { sessionToken } = await pending(app, ada)
  for (const left of [4, 3, 2, 1, 0])
    assert.deepEqual(await guess(sessionToken, { code: wrongCode(ada.code()) }), [400, 'INVALID_CODE', left])
  assert.deepEqual((await guess(sessionToken, { code: ada.code() })).slice(0, 2), [401, 'INVALID_SESSION'])
  assert.equal((await app.get('/auth/me', withSession(sessionToken))).status, 401)
  const ended = (await auditOf(app, 'session_ended')).filter(({ target_id }) => target_id === ada.id)
  assert.equal(ended.at(-1)?.details.reason, 'wrong_codes')
})

test('an account allows ten wrong codes in 15 minutes, across sessions and methods', async () => {
  const ada = await withTotp(app)
  for (let round = 0; round < 2; round++) {
    const { sessionToken } = await pending(app, ada)
    for (let wrong = 0; wrong < 4; wrong++) await guess(sessionToken, { code: wrongCode(ada.code()) })
    assert.deepEqual(await guess(sessionToken, { code: 'aaaa-aaaa-aaaaa', method: 'recovery' }), [
      400,
      'INVALID_CODE',
      0,
    ])
  }
  const { sessionToken } = await pending(app, ada)
  for (const code of [ada.code(), ada.recoveryCodes[0]])
    assert.deepEqual((await guess(sessionToken, { code })).slice(0, 2), [429, 'RATE_LIMITED'])
  const asked = await app.post('/auth/reauthenticate', { code: ada.code() }, withSession(ada.sessionToken))
  assert.equal(asked.status, 429)
  const throttled = (await auditOf(app, 'mfa_fail')).filter(({ details }) => details.reason === 'throttled')
  assert.equal(throttled.length, 3)
  app.clock.advance(15 * minute)
  assert.deepEqual(await guess((await pending(app, ada)).sessionToken, { code: ada.code() }), [200])
})

test('a right code does not take the wrong ones back', async () => {
  const ada = await withTotp(app)
  const { sessionToken } = await pending(app, ada)
  for (let wrong = 0; wrong < 4; wrong++) await guess(sessionToken, { code: wrongCode(ada.code()) })
  assert.deepEqual(await guess(sessionToken, { code: ada.code() }), [200])
  const next = await pending(app, ada)
  for (let wrong = 0; wrong < 4; wrong++) await guess(next.sessionToken, { code: wrongCode(ada.code()) })
  assert.deepEqual(await guess((await pending(app, ada)).sessionToken, { code: wrongCode(ada.code()) }), [
    400,
    'INVALID_CODE',
    1,
  ])
})

test('a right code sent twice is refused and costs no try', async () => {
  const ada = await withTotp(app)
  const { sessionToken } = await pending(app, ada)
  const once = { action: 'login', code: ada.code() }
  const replies = await Promise.all(Array.from({ length: 4 }, () => verify(app, sessionToken, once)))
  assert.deepEqual(replies.map(({ status }) => status).toSorted(), [200, 400, 400, 400])
  for (let again = 0; again < 11; again++)
    assert.deepEqual(await guess(sessionToken, once), [400, 'INVALID_CODE', 10], 'whoever comes late is refused, too')
  assert.deepEqual(await guess((await pending(app, ada)).sessionToken, { code: ada.code(1) }), [200])
})

test('what is not the code that the session was confirmed with is a guess', async () => {
  const ada = await withTotp(app)
  const [one, other] = [await pending(app, ada), await pending(app, ada)]
  assert.deepEqual(await guess(one.sessionToken, { code: ada.code() }), [200])
  assert.deepEqual(await guess(other.sessionToken, { code: ada.code(1) }), [200])
  const reauth = (code: string) => guess(one.sessionToken, { action: 'login', code })
  assert.deepEqual(await reauth(ada.code(1)), [400, 'INVALID_CODE', 9], 'that of another session')
  assert.deepEqual(await reauth(wrongCode(ada.code(1))), [400, 'INVALID_CODE', 8])
  assert.deepEqual(await reauth(ada.code()), [400, 'INVALID_CODE', 8], 'its own, which takes none back either')
  for (const left of [7, 6, 5, 4, 3, 2, 1, 0])
    assert.deepEqual(await reauth(wrongCode(ada.code(1))), [400, 'INVALID_CODE', left])
  for (const code of [ada.code(), ada.code(1)])
    assert.deepEqual((await reauth(code)).slice(0, 2), [429, 'RATE_LIMITED'])
})

test('a recovery code and a code by mail cost no try either when they are sent twice', async () => {
  const ada = await registered(app)
  await app.post(`${base}/email/setup`, {}, withSession(ada.sessionToken))
  const body = { action: 'setup', code: await codeTo(app, ada.email) }
  const recovery: string = (await verify(app, ada.sessionToken, body)).json.recovery_codes[0]
  for (const code of [recovery, undefined]) {
    const { sessionToken } = await pending(app, ada)
    const once = { action: 'login', code: code ?? (await codeTo(app, ada.email, 2)) }
    assert.deepEqual(await guess(sessionToken, once), [200])
    assert.deepEqual(await guess(sessionToken, once), [400, 'INVALID_CODE', 10])
  }
})

test('a new code brings no new guesses', async () => {
  const ada = await registered(app)
  const { method_id } = (await app.post(`${base}/email/setup`, {}, withSession(ada.sessionToken))).json
  const body = { method_id, action: 'setup' }
  const first = await codeTo(app, ada.email)
  for (const left of [4, 3])
    assert.deepEqual(await guess(ada.sessionToken, { ...body, code: wrongCode(first) }), [400, 'INVALID_CODE', left])
  const again = () => app.post(`${base}/email/start`, body, withSession(ada.sessionToken))
  assert.equal((await again()).json.verification_sent, true)
  const second = await codeTo(app, ada.email, 1)
  for (const left of [2, 1, 0])
    assert.deepEqual(await guess(ada.sessionToken, { ...body, code: wrongCode(second) }), [400, 'INVALID_CODE', left])
  assert.deepEqual(await guess(ada.sessionToken, { ...body, code: second }), [400, 'INVALID_CODE', 0])
  assert.equal((await again()).json.verification_sent, false)
})

test('a step of an authenticator acts once, and the one before and the one after do, too', async () => {
  const ada = await withTotp(app)
  const attempt = async (steps: number) =>
    (await guess((await pending(app, ada)).sessionToken, { code: ada.code(steps) }))[0]
  app.clock.advance(5 * minute)
  for (const far of [-2, 2]) assert.equal(await attempt(far), 400, `${far} steps`)
  for (const near of [-1, 0, 1]) {
    assert.equal(await attempt(near), 200, `${near} steps`)
    assert.equal(await attempt(near), 400, `${near} steps again`)
  }
  app.clock.advance(30 * second)
  assert.equal(await attempt(0), 400, 'it was taken as the step after')
})

test('what is no code is refused and costs no try', async () => {
  const ada = await withTotp(app)
  const { sessionToken } = await pending(app, ada)
  const code = ada.code()
  const spaced = `${code.slice(0, 3)} ${code.slice(3)}`
  const wide = [...code].map((digit) => String.fromCodePoint(0xff10 + Number(digit))).join('')
  const forms = [
    `${code}0`,
    code.slice(1),
    spaced,
    ` ${code}`,
    `${code}\n`,
    `${code}.0`,
    `+${code}`,
    wide,
    '٣٣٣٣٣٣',
    '',
    [code],
    Number(code),
    { code },
  ]
  for (const form of forms) {
    const { status, json } = await verify(app, sessionToken, { code: form })
    assert.deepEqual([status, json.code], [400, 'VALIDATION_ERROR'], JSON.stringify(form))
  }
  assert.deepEqual(await guess(sessionToken, { code: wrongCode(code) }), [400, 'INVALID_CODE', 4])
})

test('a code acts in the session and for the action that it was asked for', async () => {
  const ada = await registered(app)
  await app.post(`${base}/email/setup`, {}, withSession(ada.sessionToken))
  assert.deepEqual(await guess(ada.sessionToken, { action: 'setup', code: await codeTo(app, ada.email) }), [200])
  const [one, other] = [await pending(app, ada), await pending(app, ada)]
  const codes = [await codeTo(app, ada.email, 1), await codeTo(app, ada.email, 2)] as const
  if (codes[0] !== codes[1]) assert.equal((await guess(other.sessionToken, { code: codes[0] }))[0], 400)
  await app.post(`${base}/email/start`, { action: 'toggle' }, withSession(ada.sessionToken))
  const forToggle = await codeTo(app, ada.email, 3)
  assert.equal((await guess(ada.sessionToken, { action: 'remove', code: forToggle }))[0], 400)
  assert.equal((await guess(ada.sessionToken, { action: 'reauth', code: forToggle }))[0], 400)
  assert.deepEqual(await guess(one.sessionToken, { code: codes[0] }), [200])
  assert.equal((await guess(one.sessionToken, { action: 'login', code: codes[0] }))[0], 400)
  assert.deepEqual(await guess(other.sessionToken, { code: codes[1] }), [200])
})

test('a partial session proves nothing but its own sign-in', async () => {
  const ada = await withTotp(app)
  const { sessionToken } = await pending(app, ada)
  for (const action of ['setup', 'remove', 'toggle', 'reauth']) {
    assert.deepEqual((await guess(sessionToken, { action, code: ada.code() })).slice(0, 2), [
      401,
      'TWO_FACTOR_REQUIRED',
    ])
    assert.equal((await app.post(`${base}/totp/start`, { action }, withSession(sessionToken))).status, 401)
  }
  assert.deepEqual(await guess(sessionToken, { action: 'login', code: ada.code() }), [200])
})

test('codes that strangers request for an address do not use up the codes of its owner', async () => {
  const [ada, mallory] = [await registered(app), await registered(app, 'grace')]
  const enrol = () =>
    app.post(
      `${base}/email/setup`,
      { identifier: ada.email, current_password: mallory.password },
      withSession(mallory.sessionToken),
    )
  for (let count = 0; count < 12; count++) await enrol()
  const own = await app.post(`${base}/email/setup`, {}, withSession(ada.sessionToken))
  assert.deepEqual([own.status, own.json.verification_sent], [200, true], own.text)
})

test('codes to a tag of an address do not use up the codes of a verified user', async () => {
  const [ada, mallory] = [await registered(app), person('grace')]
  await sql`UPDATE users SET is_verified = true WHERE id = ${ada.id}`.execute(app.ctx.db)
  const email = ada.email.replace('@', '+tag@')
  const { json } = await app.post('/auth/register/public', { ...mallory, email })
  const enrol = (sessionToken: string) => app.post(`${base}/email/setup`, {}, withSession(sessionToken))
  for (let count = 0; count < 12; count++) await enrol(json.sessionId)
  assert.equal((await enrol(json.sessionId)).json.verification_sent, false)
  assert.equal((await enrol(ada.sessionToken)).json.verification_sent, true)
})

test('over the cap for codes nothing is sent, and the last code stays valid', async () => {
  const ada = await registered(app)
  await app.post(`${base}/email/setup`, {}, withSession(ada.sessionToken))
  const again = async () =>
    (await app.post(`${base}/email/start`, { action: 'setup' }, withSession(ada.sessionToken))).json.verification_sent
  for (let sent = 1; sent < 10; sent++) assert.equal(await again(), true)
  assert.equal(await again(), false)
  const before = await rowCounts(app)
  assert.equal(await again(), false)
  assert.deepEqual(await rowCounts(app), before)
  assert.deepEqual(await guess(ada.sessionToken, { action: 'setup', code: await codeTo(app, ada.email, 9) }), [200])
})

test('methods of other users are not found', async () => {
  const [ada, grace] = [await withTotp(app), await withTotp(app, 'grace')]
  const { sessionToken } = await pending(app, ada)
  assert.deepEqual((await guess(sessionToken, { method_id: grace.methodId, code: grace.code() })).slice(0, 2), [
    404,
    'NOT_FOUND',
  ])
  assert.equal(
    (await app.post(`${base}/totp/start`, { method_id: grace.methodId }, withSession(sessionToken))).status,
    404,
  )
  const remove = { ...withSession(ada.sessionToken), body: { verification_code: ada.code() } }
  assert.equal((await app.call('DELETE', `${base}/${grace.methodId}`, remove)).status, 404)
  assert.deepEqual(await guess(sessionToken, { code: ada.code() }), [200])
})

test('a partial session is no older than five minutes when its code comes, and looking at it makes it no younger', async () => {
  const ada = await withTotp(app)
  const { sessionToken } = await pending(app, ada)
  app.clock.advance(4 * minute)
  assert.equal((await guess(sessionToken, { code: wrongCode(ada.code()) }))[0], 400)
  app.clock.advance(minute)
  assert.deepEqual((await guess(sessionToken, { code: ada.code() })).slice(0, 2), [401, 'SESSION_EXPIRED'])
})

test('a database error during the check spends neither the code nor a try, and issues nothing', async () => {
  const ada = await withTotp(app)
  const { sessionToken } = await pending(app, ada)
  const [recovery] = ada.recoveryCodes
  const fails = (on: boolean) =>
    sql
      .raw(
        on
          ? `CREATE FUNCTION away() RETURNS trigger AS $$ BEGIN RAISE EXCEPTION 'away' USING ERRCODE = '57P01'; END $$ LANGUAGE plpgsql;
             CREATE TRIGGER away BEFORE INSERT ON audit_events FOR EACH ROW WHEN (NEW.event LIKE 'mfa_%') EXECUTE FUNCTION away()`
          : 'DROP TRIGGER away ON audit_events; DROP FUNCTION away()',
      )
      .execute(app.ctx.db)
  await fails(true)
  for (const code of [recovery, ada.code(), wrongCode(ada.code()), ada.code()])
    assert.deepEqual((await guess(sessionToken, { code })).slice(0, 2), [503, 'UNAVAILABLE'])
  await fails(false)
  assert.equal((await app.get('/auth/me', withSession(sessionToken))).json.requires_2fa, true)
  assert.deepEqual(await guess(sessionToken, { code: wrongCode(ada.code()) }), [400, 'INVALID_CODE', 4])
  assert.deepEqual(await guess(sessionToken, { code: recovery }), [200])
  assert.deepEqual(await guess((await pending(app, ada)).sessionToken, { code: ada.code() }), [200])
})
