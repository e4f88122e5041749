// Setup: default start
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { second } from '../../src/lib/time.ts'
import { browser, type IssuedCode, issued, newVerifier, redeemed, returnTo, sessionOf } from '../support/handover.ts'
import { registered, withSession } from '../support/people.ts'
import { auditOf } from '../support/rows.ts'
import { bridgeSecret, startTestApp, type TestApp } from '../support/test-app.ts'

let app: TestApp
before(async () => {
  app = await startTestApp()
})
after(() => app.stop())

const bridge = { headers: { 'x-bridge-secret': bridgeSecret } }
const validate = (sessionToken: string) => app.post('/auth/bridge/validate', { session_id: sessionToken }, bridge)
const codeRow = async ({ code }: IssuedCode) => {
  const { rows } = await sql<Record<string, unknown>>`SELECT * FROM handover_codes
    WHERE code_hash = sha256(${code}::bytea)`.execute(app.ctx.db)
  return rows[0]!
}
const rejections = async () => (await auditOf(app, 'handover_rejected')).map(({ details }) => details.reason)

test('a code gives the application a session of its own, which inherits proof and times of its parent', async () => {
  const ada = await registered(app)
  app.clock.advance(90 * second)
  const reply = await redeemed(app, await issued(app, ada.sessionToken))
  assert.equal(reply.status, 200)
  assert.equal(reply.json.success, true)
  assert.equal(reply.json.requires_2fa, false)
  assert.equal(reply.json.user.email, ada.email)
  assert.equal(reply.json.session_id, reply.json.sessionId)
  assert.equal(reply.json.expires_at, reply.json.expiresAt)
  assert.deepEqual(reply.cookies, {})
  assert.notEqual(reply.json.sessionId, ada.sessionToken)
  const [parent, child] = [
    await sessionOf(app, ada.sessionToken),
    await sessionOf(app, reply.json.sessionId),
  ] as Record<string, unknown>[]
  for (const name of ['user_id', 'started_at', 'proved_at', 'proof', 'two_factor_verified', 'status'])
    assert.deepEqual(child![name], parent![name], name)
  assert.equal(child!.parent_id, parent!.id)
  assert.equal(child!.application, 'https://shop.example')
  assert.deepEqual([child!.ip_address, child!.user_agent], [browser.address, browser.userAgent])
  assert.equal((await validate(reply.json.sessionId)).json.user.id, ada.id)
  assert.equal((await validate(ada.sessionToken)).status, 200)
  const [event] = await auditOf(app, 'handover_redeemed')
  assert.deepEqual(event!.details, {
    session: child!.id,
    proof: 'registration',
    parent: parent!.id,
    application: 'https://shop.example',
  })
})

test('whoever is asked about the session names the application that it belongs to, and none for that of a browser', async () => {
  const ada = await registered(app)
  const { json: redeemedReply } = await redeemed(app, await issued(app, ada.sessionToken))
  const current = async (sessionToken: string) =>
    (await app.get('/auth/session/current', withSession(sessionToken))).json
  assert.equal(redeemedReply.application, 'https://shop.example')
  for (const [sessionToken, application] of [
    [redeemedReply.sessionId, 'https://shop.example'],
    [ada.sessionToken, null],
  ] as const) {
    for (const source of ['database', 'memory'])
      assert.equal((await validate(sessionToken)).json.session.application, application, source)
    const many = await app.post('/auth/bridge/validate', { session_ids: [sessionToken] }, bridge)
    assert.equal(many.json.results[0].session.application, application)
    assert.equal((await current(sessionToken)).application, application)
  }
  const { authenticated_at, methods } = await current(ada.sessionToken)
  assert.deepEqual([redeemedReply.authenticated_at, redeemedReply.methods], [authenticated_at, methods])
  assert.deepEqual(methods, ['pwd'])
})

test('the second factor of the parent counts for the application, and its lack too', async () => {
  for (const isConfirmed of [true, false]) {
    const ada = await registered(app)
    await sql`UPDATE sessions SET two_factor_verified = ${isConfirmed}, proof = 'passkey'
      WHERE user_id = ${ada.id}`.execute(app.ctx.db)
    const { sessionId } = (await redeemed(app, await issued(app, ada.sessionToken))).json
    assert.equal((await validate(sessionId)).json.session.two_factor_verified, isConfirmed ? 1 : 0)
  }
})

test('refuses arbitrary text and stores none of it', async () => {
  const code = await issued(app, (await registered(app)).sessionToken)
  const texts = ['a\u0000b', '\ud83d', `https://shop.example/${'\ud83d\ude00'.repeat(99)}`, '//', 'javascript:0', '%00']
  for (const text of texts) {
    for (const members of [{ return_to: text }, { code: text }]) {
      const { status, json } = await redeemed(app, code, members)
      assert.equal(status, 400)
      assert.match(json.code, /^(INVALID_CODE|VALIDATION_ERROR)$/)
    }
  }
  for (const { details } of await auditOf(app, 'handover_rejected'))
    assert.ok(JSON.stringify(details).length < 300, JSON.stringify(details))
})

test('stores only the hash of a code', async () => {
  const code = await issued(app, (await registered(app)).sessionToken)
  assert.equal(Buffer.from(code.code, 'base64url').length, 32)
  assert.ok(!JSON.stringify(await codeRow(code)).includes(code.code))
})

test('refuses a wrong verifier and another return address without using the code', async () => {
  const { sessionToken } = await registered(app)
  const code = await issued(app, sessionToken)
  const wrong = [
    { code_verifier: newVerifier() },
    { code_verifier: `${code.verifier}A` },
    { return_to: 'https://shop.example/other' },
    { return_to: 'https://evil.example/callback' },
    { code: newVerifier() },
    { code: `${code.code}A` },
  ]
  for (const members of wrong) {
    const reply = await redeemed(app, code, members)
    assert.equal(reply.status, 400)
    assert.equal(reply.json.code, 'INVALID_CODE')
    assert.equal(reply.json.sessionId, undefined)
  }
  assert.deepEqual((await rejections()).slice(-6), [
    'code_verifier',
    'code_verifier',
    'return_to',
    'return_to',
    'unknown',
    'unknown',
  ])
  assert.equal((await codeRow(code)).used_at, null)
  assert.equal((await redeemed(app, code)).status, 200)
})

test('names the member that is missing or malformed', async () => {
  const code = await issued(app, (await registered(app)).sessionToken)
  const cases: [Record<string, unknown>, string][] = [
    [{ code: undefined }, 'code'],
    [{ code: '' }, 'code'],
    [{ code: null }, 'code'],
    [{ code_verifier: undefined }, 'code_verifier'],
    [{ code_verifier: '' }, 'code_verifier'],
    [{ code_verifier: 'a'.repeat(42) }, 'code_verifier'],
    [{ code_verifier: 'a'.repeat(129) }, 'code_verifier'],
    [{ code_verifier: `${'a'.repeat(43)} ` }, 'code_verifier'],
    [{ code_verifier: [code.verifier] }, 'code_verifier'],
    [{ return_to: undefined }, 'return_to'],
    [{ return_to: '' }, 'return_to'],
  ]
  for (const [members, field] of cases) {
    const reply = await redeemed(app, code, members)
    assert.equal(reply.status, 400)
    assert.equal(reply.json.code, 'VALIDATION_ERROR')
    assert.deepEqual(
      reply.json.details.map((detail: { field: string }) => detail.field),
      [field],
    )
  }
  assert.equal((await redeemed(app, code)).status, 200)
})

test('accepts other spellings of the same return address', async () => {
  const { sessionToken } = await registered(app)
  const code = await issued(app, sessionToken, 'https://shop.example')
  assert.equal((await redeemed(app, code, { return_to: 'HTTPS://Shop.Example:443/' })).status, 200)
})

test('a code works for 60 seconds', async () => {
  const { sessionToken } = await registered(app)
  const [early, late] = [await issued(app, sessionToken), await issued(app, sessionToken)]
  app.clock.advance(59_999)
  assert.equal((await redeemed(app, early)).status, 200)
  app.clock.advance(1)
  assert.equal((await redeemed(app, late)).json.code, 'INVALID_CODE')
  assert.equal((await rejections()).at(-1), 'expired')
})

test('a code that is redeemed again ends the session that it created, also after its time', async () => {
  const ada = await registered(app)
  for (const later of [0, 3600 * second]) {
    const code = await issued(app, ada.sessionToken)
    const { sessionId } = (await redeemed(app, code)).json
    assert.equal((await validate(sessionId)).status, 200)
    app.clock.advance(later)
    const again = await redeemed(app, code)
    assert.equal(again.json.code, 'INVALID_CODE')
    assert.equal((await rejections()).at(-1), 'used')
    assert.equal((await validate(sessionId)).status, 401)
    const ended = (await auditOf(app, 'session_ended')).at(-1)!
    assert.equal(ended.details.reason, 'code_reused')
    assert.equal(ended.target_id, ada.id)
  }
  assert.equal((await validate(ada.sessionToken)).status, 200)
})

test('nobody ends a session by a used code without its verifier and return address', async () => {
  const { sessionToken } = await registered(app)
  const code = await issued(app, sessionToken)
  const { sessionId } = (await redeemed(app, code)).json
  assert.equal((await redeemed(app, code, { code_verifier: newVerifier() })).json.code, 'INVALID_CODE')
  assert.equal((await redeemed(app, code, { return_to: 'https://evil.example/' })).json.code, 'INVALID_CODE')
  assert.equal((await validate(sessionId)).status, 200)
})

test('limits the attempts at one code, and leaves other codes alone', async () => {
  const { sessionToken } = await registered(app)
  const [code, other] = [await issued(app, sessionToken), await issued(app, sessionToken)]
  const { attempts } = app.ctx.config.RATE_LIMIT_TOKEN_VALIDATE
  for (let attempt = 0; attempt < attempts; attempt++)
    assert.equal((await redeemed(app, code, { code_verifier: newVerifier() })).status, 400)
  assert.equal((await redeemed(app, code, { code_verifier: newVerifier() })).status, 429)
  assert.equal((await redeemed(app, other)).status, 200)
})

test('a code from a session that has ended is refused', async () => {
  const ada = await registered(app)
  const code = await issued(app, ada.sessionToken)
  await app.post('/auth/logout', undefined, withSession(ada.sessionToken))
  assert.equal((await redeemed(app, code)).json.code, 'INVALID_CODE')
  assert.equal((await rejections()).at(-1), 'parent_ended')
  assert.equal((await codeRow(code)).used_at, null)
})

test('a code from a session that has expired is refused', async () => {
  const { sessionToken } = await registered(app)
  app.clock.advance(app.ctx.config.SESSION_IDLE_TTL - 30 * second)
  const code = await issued(app, sessionToken)
  app.clock.advance(40 * second)
  assert.equal((await redeemed(app, code)).json.code, 'INVALID_CODE')
})

test('no code is issued for a partial, an ended or an application’s session', async () => {
  const ada = await registered(app)
  const child = (await redeemed(app, await issued(app, ada.sessionToken))).json.sessionId
  await assert.rejects(issued(app, child), { code: 'INVALID_SESSION' })
  const partial = await registered(app, 'grace')
  await sql`UPDATE sessions SET status = 'pending' WHERE user_id = ${partial.id}`.execute(app.ctx.db)
  await assert.rejects(issued(app, partial.sessionToken), { code: 'INVALID_SESSION' })
  await app.post('/auth/logout', undefined, withSession(ada.sessionToken))
  await assert.rejects(issued(app, ada.sessionToken), { code: 'INVALID_SESSION' })
})

test('requires the bridge secret, which a page must not send', async () => {
  const code = await issued(app, (await registered(app)).sessionToken)
  const body = { code: code.code, code_verifier: code.verifier, return_to: returnTo }
  for (const headers of [
    {},
    { 'x-bridge-secret': 'wrong-bridge-secret-wrong-bridge-secret' },
    { 'x-bridge-secret': bridgeSecret, origin: 'https://shop.example' },
  ]) {
    const reply = await app.post('/auth/bridge/redeem', body, { headers })
    assert.equal(reply.status, 401)
    assert.equal(reply.json.code, 'BRIDGE_SECRET_REQUIRED')
  }
  assert.equal((await redeemed(app, code)).status, 200)
})
