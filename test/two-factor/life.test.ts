// Setup: default start
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { minute, second } from '../../src/lib/time.ts'
import { confirm, startedChange } from '../email-addresses/change-support.ts'
import { settled } from '../passwordless/support.ts'
import { registered, withSession } from '../support/people.ts'
import { auditOf } from '../support/rows.ts'
import { bridgeSecret, startTestApp, type TestApp } from '../support/test-app.ts'
import {
  base,
  codeTo,
  fromBase32,
  fullSession,
  mailsOf,
  pending,
  totpOf,
  verify,
  withTotp,
  wrongCode,
} from './support.ts'

let app: TestApp
before(async () => {
  app = await startTestApp({ modules: ['two-factor'], env: { SMS_COUNTRIES: 'DE' } })
})
after(() => app.stop())

const methods = async (sessionToken: string) =>
  (await app.get(`${base}/methods`, withSession(sessionToken))).json.methods
const me = async (sessionToken: string) => (await app.get('/auth/me', withSession(sessionToken))).json

test('the authenticator of the tests gives the codes of RFC 6238, appendix B', () => {
  const seed = Buffer.from('12345678901234567890')
  const vectors = { 59: '94287082', 1111111109: '07081804', 1111111111: '14050471', 1234567890: '89005924' }
  for (const [time, code] of Object.entries({ ...vectors, 2000000000: '69279037', 20000000000: '65353130' }))
    assert.equal(totpOf(seed, Number(time) * 1000, 8), code)
})

test('an authenticator is set up, signs in through a partial session, and its session is a full one', async () => {
  const ada = await registered(app)
  const elsewhere = (await app.post('/auth/login', { email: ada.email, password: ada.password })).json.sessionId
  const begun = await app.post(`${base}/totp/setup`, {}, withSession(ada.sessionToken))
  const { secret, otpauth_url, qr_svg, ...rest } = begun.json
  assert.deepEqual(rest, {
    success: true,
    method_id: rest.method_id,
    method: 'totp',
    status: 'pending_setup',
    verification_sent: false,
    expires_in: 600,
    message: 'Enter a code',
  })
  assert.equal(fromBase32(secret).length, 20)
  const address = new URL(otpauth_url)
  assert.deepEqual(Object.fromEntries(address.searchParams), {
    issuer: 'Wardenry',
    secret,
    algorithm: 'SHA1',
    digits: '6',
    period: '30',
  })
  assert.match(qr_svg, /^<svg .*<\/svg>$/s)
  assert.equal((await me(ada.sessionToken)).user.two_factor, false)

  const code = totpOf(fromBase32(secret), app.clock.now())
  const wrong = await verify(app, ada.sessionToken, {
    method_id: rest.method_id,
    action: 'setup',
    code: wrongCode(code),
  })
  assert.deepEqual(
    [wrong.status, wrong.json.code, wrong.json.verified, wrong.json.attempts_remaining],
    [400, 'INVALID_CODE', false, 9],
  )
  const done = await verify(app, ada.sessionToken, { method_id: rest.method_id, action: 'setup', code })
  assert.equal(done.status, 200, done.text)
  assert.equal(done.json.session_activated, false)
  assert.deepEqual(done.json.user, { id: ada.id, email: ada.email, name: '', two_factor: true })
  assert.equal(new Set(done.json.recovery_codes).size, 10)
  assert.equal((await app.get('/auth/me', withSession(elsewhere))).status, 401)
  assert.equal((await me(ada.sessionToken)).user.two_factor, true)
  await settled(app)
  assert.equal(mailsOf(app, ada.email, /set up/).length, 1)
  assert.deepEqual(
    (await methods(ada.sessionToken)).map(({ method, status, identifier, metadata }: Record<string, unknown>) => [
      method,
      status,
      identifier,
      metadata,
    ]),
    [
      ['totp', 'active', null, {}],
      ['recovery', 'active', null, { remaining: 10 }],
    ],
  )

  app.clock.advance(minute)
  const { sessionToken, reply } = await pending(app, ada)
  assert.equal(reply.json.verification_sent, false)
  assert.deepEqual(reply.json.available_methods, [
    { id: rest.method_id, method: 'totp', status: 'active', identifier: null },
  ])
  assert.equal(
    (
      await app.post(
        '/auth/bridge/validate',
        { session_id: sessionToken },
        { headers: { 'x-bridge-secret': bridgeSecret } },
      )
    ).status,
    401,
  )
  const promoted = await verify(app, sessionToken, { code: totpOf(fromBase32(secret), app.clock.now()) })
  assert.equal(promoted.status, 200, promoted.text)
  assert.equal(promoted.json.session_activated, true)
  assert.equal(promoted.json.sessionId, sessionToken)
  assert.equal(promoted.json.user.user_type, 'customer')
  assert.equal(promoted.cookies.session_id?.value, sessionToken)
  assert.ok(promoted.cookies.kd)
  const current = await app.get('/auth/validation', withSession(sessionToken))
  assert.equal(current.json.requires_2fa, false)
  assert.equal(current.json.session.two_factor_verified, 1)
  const successes = (await auditOf(app, 'mfa_success')).filter(({ target_id }) => target_id === ada.id)
  assert.deepEqual(
    successes.map(({ details }) => details.action),
    ['setup', 'login'],
  )
})

test('a code by mail goes out with the pending reply; a new one is the end of the one before', async () => {
  const ada = await registered(app)
  const begun = await app.post(`${base}/email/setup`, {}, withSession(ada.sessionToken))
  assert.equal(begun.json.verification_sent, true)
  const first = await codeTo(app, ada.email)
  assert.equal((await verify(app, ada.sessionToken, { action: 'setup', code: first })).status, 200)
  const { sessionToken, reply } = await pending(app, ada)
  assert.equal(reply.json.verification_sent, true)
  assert.equal(reply.json.available_methods[0].identifier, `a***@example.com`)
  const old = await codeTo(app, ada.email, 1)
  const again = await app.post(`${base}/email/start`, {}, withSession(sessionToken))
  assert.deepEqual([again.status, again.json.verification_sent, again.json.expires_in], [200, true, 300])
  const fresh = await codeTo(app, ada.email, 2)
  if (old !== fresh) assert.equal((await verify(app, sessionToken, { code: old })).status, 400)
  assert.equal((await verify(app, sessionToken, { code: fresh })).status, 200)
})

test('a code without a method is for the enrolment that began last', async () => {
  const ada = await registered(app)
  await app.post(`${base}/totp/setup`, {}, withSession(ada.sessionToken))
  app.clock.advance(second)
  await app.post(`${base}/email/setup`, {}, withSession(ada.sessionToken))
  const done = await verify(app, ada.sessionToken, { action: 'setup', code: await codeTo(app, ada.email) })
  assert.equal(done.status, 200, done.text)
  const active = (await methods(ada.sessionToken)).filter(({ status }: { status: string }) => status === 'active')
  assert.deepEqual(
    active.map(({ method }: { method: string }) => method).filter((method: string) => method !== 'recovery'),
    ['email'],
  )
})

test('codes by mail follow the account to its new address', async () => {
  const ada = await registered(app)
  await app.post(`${base}/email/setup`, {}, withSession(ada.sessionToken))
  const first = await codeTo(app, ada.email)
  await verify(app, ada.sessionToken, { action: 'setup', code: first })
  const { current, fresh, newEmail } = await startedChange(app, ada)
  await app.post(`${base}/email/setup`, { identifier: newEmail }, withSession(ada.sessionToken))
  for (const token of [current, fresh]) assert.equal((await confirm(app, token)).status, 200)
  const old = mailsOf(app, ada.email, /code/i).length
  const { sessionToken, reply } = await pending(app, { ...ada, email: newEmail })
  assert.deepEqual(
    reply.json.available_methods.map(({ method }: { method: string }) => method),
    ['email'],
  )
  assert.equal((await verify(app, sessionToken, { code: await codeTo(app, newEmail, 1) })).status, 200)
  assert.equal(mailsOf(app, ada.email, /code/i).length, old)
  assert.equal((await methods(sessionToken)).filter(({ method }: { method: string }) => method === 'email').length, 1)
})

test('a code by text message works like one by mail, and ends as browsers expect it', async () => {
  const ada = await registered(app)
  assert.equal(
    (await app.post(`${base}/sms/setup`, {}, withSession(ada.sessionToken))).json.details[0].field,
    'identifier',
  )
  const phone = '+4915112345678'
  const begun = await app.post(`${base}/sms/setup`, { phone }, withSession(ada.sessionToken))
  assert.equal(begun.json.verification_sent, true, begun.text)
  const code = await codeTo(app, phone)
  assert.match(app.inbox?.list({ to: phone })[0]?.text ?? '', new RegExp(`@localhost #${code}\\s*$`))
  const done = await verify(app, ada.sessionToken, { action: 'setup', method: 'sms', code })
  assert.equal(done.status, 200, done.text)
  const { reply } = await pending(app, ada)
  assert.equal(reply.json.available_methods[0].identifier, '***678')
})

test('a recovery code acts once, in any grouping, and its owner is told', async () => {
  const ada = await withTotp(app)
  const [one = ''] = ada.recoveryCodes
  assert.match(one, /^[a-z2-7]{4}-[a-z2-7]{4}-[a-z2-7]{5}$/)
  const { sessionToken } = await pending(app, ada)
  assert.equal((await verify(app, sessionToken, { code: one.toUpperCase() })).status, 400)
  const used = await verify(app, sessionToken, { method: 'recovery', code: one.replaceAll('-', ' ') })
  assert.equal(used.status, 200, used.text)
  assert.equal(used.json.method, 'recovery')
  await settled(app)
  assert.match(mailsOf(app, ada.email, /recovery code/)[0]?.text ?? '', /left: 9/)
  assert.equal((await auditOf(app, 'backup_code_used')).filter(({ target_id }) => target_id === ada.id).length, 1)
  const { sessionToken: next } = await pending(app, ada)
  assert.equal((await verify(app, next, { code: one })).status, 400)
  const fresh = await app.post(`${base}/recovery/regenerate`, {}, withSession(sessionToken))
  assert.equal(fresh.json.recovery_codes.length, 10)
  const { sessionToken: last } = await pending(app, ada)
  assert.equal((await verify(app, last, { code: ada.recoveryCodes[1] })).status, 400)
  assert.equal((await verify(app, last, { code: fresh.json.recovery_codes[1] })).status, 200)
})

test('off needs a code, which is sent when there is none; on needs none, and both end other sessions', async () => {
  const ada = await withTotp(app)
  const off = (more = {}) => app.post(`${base}/toggle`, { enabled: false, ...more }, withSession(ada.sessionToken))
  assert.equal((await off()).json.code, 'TWO_FACTOR_CODE_REQUIRED')
  const other = await fullSession(app, ada)
  app.clock.advance(minute)
  const reply = await off({ verification_code: ada.code(), verification_method_id: ada.methodId })
  assert.deepEqual(
    [reply.status, reply.json.two_factor, reply.json.two_factor_enabled, reply.json.active_methods],
    [200, false, false, ['totp']],
  )
  assert.equal((await app.get('/auth/me', withSession(other))).status, 401)
  assert.equal((await off()).status, 200)
  assert.equal((await app.post('/auth/login', { email: ada.email, password: ada.password })).json.success, true)
  await settled(app)
  assert.equal(mailsOf(app, ada.email, /removed or turned off/).length, 1)
  const on = await app.post(`${base}/toggle`, { two_factor_enabled: true }, withSession(ada.sessionToken))
  assert.equal(on.json.two_factor, true, on.text)
  await pending(app, ada)
})

test('nothing can be asked for that is not set up', async () => {
  const ada = await registered(app)
  const post = async (path: string, body: object) =>
    (await app.post(`${base}/${path}`, body, withSession(ada.sessionToken))).json.code
  assert.equal(await post('toggle', { enabled: true }), 'TWO_FACTOR_NO_METHOD')
  assert.equal(await post('recovery/regenerate', {}), 'TWO_FACTOR_NO_METHOD')
  assert.equal(await post('verify', { action: 'reauth', code: '000000' }), 'TWO_FACTOR_NO_METHOD')
  assert.equal(await post('verify', { code: '000000' }), 'VALIDATION_ERROR')
  assert.equal(await post('totp/start', { action: 'setup' }), 'NOT_FOUND')
  assert.equal(await post('recovery/setup', {}), 'NOT_FOUND')
  assert.equal(
    (await app.post(`${base}/toggle`, { enabled: false }, withSession(ada.sessionToken))).json.two_factor,
    false,
  )
})

test('a proof for the toggle stands for the next one, once, and for nothing else', async () => {
  const ada = await withTotp(app)
  const granted = await verify(app, ada.sessionToken, { action: 'disable', code: ada.code() })
  assert.equal(granted.json.verification_valid_for, 600)
  const { sessionToken } = await (async () => {
    app.clock.advance(minute)
    return { sessionToken: await fullSession(app, ada) }
  })()
  const off = (session: string) => app.post(`${base}/toggle`, { enabled: false }, withSession(session))
  assert.equal((await off(sessionToken)).json.code, 'TWO_FACTOR_CODE_REQUIRED')
  assert.equal(
    (await app.call('DELETE', `${base}/${ada.methodId}`, withSession(ada.sessionToken))).json.code,
    'TWO_FACTOR_CODE_REQUIRED',
  )
  assert.equal((await off(ada.sessionToken)).status, 200)
  const on = await app.post(
    `${base}/toggle`,
    { enabled: true, current_password: ada.password },
    withSession(ada.sessionToken),
  )
  assert.equal(on.status, 200, on.text)
  assert.equal((await off(ada.sessionToken)).json.code, 'TWO_FACTOR_CODE_REQUIRED')
})

test('one of two methods goes by the other one; the last one by itself, and takes the recovery codes along', async () => {
  const ada = await withTotp(app)
  await app.post(`${base}/email/setup`, {}, withSession(ada.sessionToken))
  const done = await verify(app, ada.sessionToken, {
    action: 'setup',
    method: 'email',
    code: await codeTo(app, ada.email),
  })
  assert.equal(done.json.recovery_codes, undefined)
  const remove = (id: string, body = {}) =>
    app.call('DELETE', `${base}/${id}`, { ...withSession(ada.sessionToken), body })
  assert.equal((await remove(ada.methodId)).json.code, 'TWO_FACTOR_CODE_REQUIRED')
  const own = await remove(ada.methodId, { verification_code: ada.code(), verification_method_id: ada.methodId })
  assert.equal(own.json.details[0].field, 'verification_method_id')
  await app.post(`${base}/email/start`, { action: 'remove' }, withSession(ada.sessionToken))
  const byMail = await remove(ada.methodId, { verification_code: await codeTo(app, ada.email, 1) })
  assert.equal(byMail.status, 200, byMail.text)
  assert.equal((await me(ada.sessionToken)).user.two_factor, true)
  await app.post(`${base}/email/start`, { action: 'remove' }, withSession(ada.sessionToken))
  const last = await remove(done.json.method_id, { verification_code: await codeTo(app, ada.email, 2) })
  assert.equal(last.status, 200, last.text)
  assert.equal((await me(ada.sessionToken)).user.two_factor, false)
  assert.deepEqual(await methods(ada.sessionToken), [])
  const removed = (await auditOf(app, 'mfa_removed')).filter(({ target_id }) => target_id === ada.id)
  assert.deepEqual(
    removed.map(({ details }) => details.method),
    ['totp', 'email'],
  )
})

test('what was not finished goes without a code, and is forgotten after a day', async () => {
  const ada = await registered(app)
  const begin = async () =>
    (await app.post(`${base}/totp/setup`, { current_password: ada.password }, withSession(ada.sessionToken))).json
  const [first, second] = [await begin(), await begin()]
  assert.deepEqual(
    (await methods(ada.sessionToken)).map(({ id }: { id: string }) => id),
    [second.method_id],
  )
  const late = totpOf(fromBase32(first.secret), app.clock.now())
  assert.equal(
    (await verify(app, ada.sessionToken, { method_id: first.method_id, action: 'setup', code: late })).status,
    404,
  )
  assert.equal((await app.call('DELETE', `${base}/${second.method_id}`, withSession(ada.sessionToken))).status, 200)
  const third = await begin()
  app.clock.advance(24 * 60 * minute)
  const code = totpOf(fromBase32(third.secret), app.clock.now())
  assert.equal((await verify(app, ada.sessionToken, { method_id: third.method_id, action: 'setup', code })).status, 404)
})

test('what changes the protection of an account requires recent authentication', async () => {
  const ada = await withTotp(app)
  app.clock.advance(11 * minute)
  const off = { enabled: false, verification_code: ada.code() }
  assert.equal((await app.post(`${base}/toggle`, off, withSession(ada.sessionToken))).status, 200)
  for (const [path, body] of [
    ['totp/setup', {}],
    ['recovery/regenerate', {}],
    ['toggle', { enabled: true }],
  ] as const) {
    const reply = await app.post(`${base}/${path}`, body, withSession(ada.sessionToken))
    assert.deepEqual([reply.status, reply.json.code], [403, 'REAUTH_REQUIRED'], path)
    const proven = await app.post(
      `${base}/${path}`,
      { ...body, current_password: ada.password },
      withSession(ada.sessionToken),
    )
    assert.equal(proven.status, 200, proven.text)
  }
})

test('whoever must confirm and has no method confirms by mail', async () => {
  const ada = await registered(app)
  await sql`UPDATE users SET two_factor = true WHERE id = ${ada.id}`.execute(app.ctx.db)
  const { sessionToken, reply } = await pending(app, ada)
  assert.deepEqual(
    reply.json.available_methods.map(({ method }: { method: string }) => method),
    ['email'],
  )
  assert.equal(reply.json.verification_sent, true)
  assert.equal((await verify(app, sessionToken, { code: await codeTo(app, ada.email) })).status, 200)
})

test('a second factor proves again who is there, also for those without a password', async () => {
  const ada = await withTotp(app)
  await sql`UPDATE users SET password_hash = NULL WHERE id = ${ada.id}`.execute(app.ctx.db)
  app.clock.advance(15 * minute)
  const again = () => app.post(`${base}/recovery/regenerate`, {}, withSession(ada.sessionToken))
  assert.equal((await again()).json.code, 'REAUTH_REQUIRED')
  const wrong = await app.post('/auth/reauthenticate', { code: wrongCode(ada.code()) }, withSession(ada.sessionToken))
  assert.deepEqual([wrong.status, wrong.json.code, wrong.json.attempts_remaining], [400, 'INVALID_CODE', 9])
  const right = await app.post(
    '/auth/reauthenticate',
    { code: ada.code(), method_id: ada.methodId },
    withSession(ada.sessionToken),
  )
  assert.deepEqual([right.status, Date.parse(right.json.valid_until) - app.clock.now()], [200, 10 * minute])
  assert.equal((await again()).status, 200)
  app.clock.advance(15 * minute)
  const verified = await verify(app, ada.sessionToken, { action: 'login', code: ada.code() })
  assert.deepEqual([verified.json.session_activated, verified.json.sessionId], [false, ada.sessionToken])
  assert.equal((await again()).status, 200)
})

test('a code that is sent must be right, although an earlier proof would be enough', async () => {
  const ada = await withTotp(app)
  const call = (method: string, path: string, body: object) =>
    app.call(method, `${base}${path}`, { body, ...withSession(ada.sessionToken) })
  const wrong = { verification_code: wrongCode(ada.code()) }
  assert.equal((await verify(app, ada.sessionToken, { action: 'remove', code: ada.code() })).status, 200)
  assert.equal((await call('DELETE', `/${ada.methodId}`, wrong)).json.code, 'INVALID_CODE')
  assert.equal((await call('POST', '/toggle', { enabled: false, ...wrong })).json.code, 'INVALID_CODE')
  app.clock.advance(30 * second)
  const right = { verification_code: ada.code() }
  assert.equal((await call('POST', '/toggle', { enabled: false, ...right })).status, 200)
  assert.equal((await call('POST', '/toggle', { enabled: true, ...wrong })).json.code, 'INVALID_CODE')
  assert.equal((await call('DELETE', `/${ada.methodId}`, {})).status, 200)
})
