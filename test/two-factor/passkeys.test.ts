import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { minute } from '../../src/lib/time.ts'
import { createAuthenticator, type Ways } from '../support/authenticator.ts'
import {
  addOwnPasskey,
  addPasskey,
  homeOf,
  type PasskeyOwner,
  passkeyLogin,
  passkeyOwner,
} from '../support/passkeys.ts'
import { registered, withSession } from '../support/people.ts'
import { auditOf } from '../support/rows.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'

let app: TestApp
let ada: PasskeyOwner
before(async () => {
  app = await startTestApp({ modules: ['two-factor'] })
  ada = await passkeyOwner(app)
})
after(() => app?.stop())

test('a passkey is set up by name, and comes with recovery codes when it is the first method', async () => {
  const grace = await registered(app, 'grace')
  const authenticator = createAuthenticator(homeOf(app))
  const { options, reply, methodId } = await addPasskey(app, grace.sessionToken, authenticator)
  assert.deepEqual(options.rp, { id: 'localhost', name: 'Wardenry' })
  assert.equal(options.user.name, grace.email)
  assert.equal(Buffer.from(options.user.id, 'base64url').toString('hex'), grace.id.replaceAll('-', ''))
  assert.equal(options.attestation, 'none')
  assert.equal(reply.json.status, 'active')
  assert.equal(reply.json.recovery_codes.length, 10)
  const { json } = await app.get('/auth/two_factor/methods', withSession(grace.sessionToken))
  const listed = json.methods.find(({ id }: { id: string }) => id === methodId)
  assert.deepEqual([listed.method, listed.status, listed.identifier], ['passkey', 'active', null])

  const second = await addPasskey(app, grace.sessionToken, createAuthenticator(homeOf(app)))
  const known = authenticator.credentials.map(({ id }) => id.toString('base64url'))
  assert.deepEqual(
    second.options.excludeCredentials.map(({ id }: { id: string }) => id),
    known,
  )
  assert.equal(second.reply.status, 200)
})

test('only a recent authentication continues the setup of a passkey', async () => {
  const grace = await registered(app, 'grace')
  const session = withSession(grace.sessionToken)
  assert.equal((await app.post('/auth/two_factor/passkey/setup', {}, session)).status, 200)
  const again = () => app.post('/auth/two_factor/passkey/start', { action: 'setup' }, session)
  assert.equal((await again()).status, 200)
  app.clock.advance(11 * minute)
  const rejected = await again()
  assert.deepEqual([rejected.status, rejected.json.code], [403, 'REAUTH_REQUIRED'])
})

const foreignChallenge = 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'
const certificate = {
  format: 'packed',
  parts: new Map<string, unknown>([
    ['alg', -7],
    ['sig', Buffer.alloc(70)],
    ['x5c', [Buffer.alloc(100)]],
  ]),
}

const badRegistrations: [what: string, ways: () => Ways][] = [
  ['the page of somebody else', () => ({ origin: 'https://evil.test' })],
  ['another relying party', () => ({ rpId: 'evil.test' })],
  ['another challenge', () => ({ challenge: foreignChallenge })],
  ['a signature in place of a registration', () => ({ type: 'webauthn.get' })],
  ['a frame in somebody else’s page', () => ({ crossOrigin: true })],
  ['nobody touching the authenticator', () => ({ userPresent: false })],
  ['a certificate that nobody asked for', () => ({ statement: certificate })],
  ['the credential of somebody else', () => ({ credentialId: ada.authenticator.credentials[0]?.id as Buffer })],
]
for (const [what, ways] of badRegistrations) {
  test(`a registration with ${what} activates nothing`, async () => {
    const somebody = await registered(app, 'alan')
    const { reply } = await addPasskey(app, somebody.sessionToken, createAuthenticator(homeOf(app)), ways())
    assert.deepEqual([reply.status, reply.json.code, reply.json.verified], [400, 'INVALID_CODE', false])
    const { json } = await app.get('/auth/two_factor/methods', withSession(somebody.sessionToken))
    assert.deepEqual(
      json.methods.map(({ status }: { status: string }) => status),
      ['pending_setup'],
    )
    const me = await app.get('/auth/me', withSession(somebody.sessionToken))
    assert.equal(me.json.user.two_factor, false)
    assert.equal((await passkeyLogin(app, ada.authenticator)).status, 200)
  })
}

/** Creates a partial session and requests a challenge for it. */
async function pending(owner: PasskeyOwner) {
  const login = await app.post('/auth/login', owner)
  assert.equal(login.json.requires_2fa, true)
  const sessionToken: string = login.json.sessionId
  const start = await app.post('/auth/two_factor/passkey/start', {}, withSession(sessionToken))
  assert.equal(start.status, 200)
  return { login, sessionToken, start, options: start.json.options }
}

const confirm = (sessionToken: string, response: unknown) =>
  app.post('/auth/two_factor/verify', { method: 'passkey', response }, withSession(sessionToken))

test('a passkey confirms a password, once', async () => {
  const { login, sessionToken, start, options } = await pending(ada)
  const [method] = login.json.available_methods
  assert.deepEqual([method.id, method.method, method.identifier], [ada.methodId, 'passkey', null])
  assert.equal(login.json.verification_sent, false)
  assert.equal(start.json.verification_sent, false)
  assert.deepEqual(
    options.allowCredentials.map(({ id }: { id: string }) => id),
    [ada.authenticator.credentials[0]?.id.toString('base64url')],
  )
  const response = ada.authenticator.get(options, { userVerified: false })
  const reply = await confirm(sessionToken, response)
  assert.deepEqual([reply.status, reply.json.session_activated], [200, true])
  const view = await app.get('/auth/validation', withSession(reply.json.sessionId))
  assert.equal(view.json.session.two_factor_verified, 1)

  const next = await pending(ada)
  assert.equal((await confirm(next.sessionToken, response)).json.code, 'INVALID_CODE')
})

const wrongAnswers: [what: string, ways: Ways][] = [
  ['from the page of somebody else', { origin: 'https://evil.test' }],
  ['for another service', { rpId: 'evil.test' }],
  ['to another challenge', { challenge: foreignChallenge }],
  ['with a count that does not move on', { signCount: 1 }],
  ['out of a frame in somebody else’s page', { crossOrigin: true }],
]
test('answers that are wrong in any way confirm nothing, and leave the challenge as it was', async () => {
  for (const [what, ways] of wrongAnswers) {
    const alan = await passkeyOwner(app, 'alan')
    await passkeyLogin(app, alan.authenticator, { signCount: 5 })
    const { sessionToken, options } = await pending(alan)
    const refused = await confirm(sessionToken, alan.authenticator.get(options, ways))
    assert.deepEqual([refused.status, refused.json.code, refused.json.verified], [400, 'INVALID_CODE', false], what)
    assert.equal((await auditOf(app, 'mfa_fail')).at(-1)?.target_id, alan.id)
    if ('signCount' in ways) continue
    assert.equal((await confirm(sessionToken, alan.authenticator.get(options, { signCount: 9 }))).status, 200, what)
  }
})

test('the passkey of somebody else, and a challenge of another session, confirm nothing', async () => {
  const [alan, grace] = [await passkeyOwner(app, 'alan'), await passkeyOwner(app, 'grace')]
  const [mine, theirs] = [await pending(alan), await pending(grace)]
  const byGrace = grace.authenticator.get({ ...mine.options, allowCredentials: [] })
  assert.equal((await confirm(mine.sessionToken, byGrace)).status, 400)
  const elsewhere = await pending(alan)
  assert.equal((await confirm(mine.sessionToken, alan.authenticator.get(elsewhere.options))).status, 400)
  assert.equal((await confirm(theirs.sessionToken, grace.authenticator.get(theirs.options))).status, 200)
  assert.equal((await confirm(elsewhere.sessionToken, alan.authenticator.get(elsewhere.options))).status, 200)
})

test('any passkey of a user confirms, whichever was asked for', async () => {
  const alan = await passkeyOwner(app, 'alan')
  const phone = createAuthenticator(homeOf(app))
  await addPasskey(app, alan.sessionToken, phone)
  const { sessionToken, options } = await pending(alan)
  assert.equal(options.allowCredentials.length, 2)
  assert.equal((await confirm(sessionToken, phone.get(options))).status, 200)
  const again = await pending(alan)
  assert.equal((await confirm(again.sessionToken, alan.authenticator.get(again.options))).status, 200)
})

test('a passkey of two is removed by the other one, and not by itself', async () => {
  const alan = await passkeyOwner(app, 'alan')
  const phone = createAuthenticator(homeOf(app))
  const { methodId: phoneId } = await addPasskey(app, alan.sessionToken, phone)
  const session = withSession(alan.sessionToken)
  const provenBy = async (authenticator: typeof phone, methodId: string) => {
    const start = await app.post('/auth/two_factor/passkey/start', { action: 'remove', method_id: methodId }, session)
    const body = { action: 'remove', method_id: methodId, response: authenticator.get(start.json.options) }
    const proof = await app.post('/auth/two_factor/verify', body, session)
    const removed = await app.call('DELETE', `/auth/two_factor/${phoneId}`, { ...session, body: {} })
    return [proof.status, removed.status]
  }
  assert.deepEqual(await provenBy(phone, alan.methodId), [400, 400])
  assert.deepEqual(await provenBy(phone, phoneId), [200, 400])
  assert.deepEqual(await provenBy(alan.authenticator, alan.methodId), [200, 200])
  assert.equal((await passkeyLogin(app, phone)).status, 401)
})

test('a removed passkey is none any more', async () => {
  const alan = await passkeyOwner(app, 'alan')
  const [code] = alan.recoveryCodes
  const url = `/auth/two_factor/${alan.methodId}`
  const removed = await app.call('DELETE', url, {
    ...withSession(alan.sessionToken),
    body: { verification_code: code },
  })
  assert.equal(removed.status, 200, removed.text)
  assert.equal((await passkeyLogin(app, alan.authenticator)).status, 401)
})

test('where passkeys are no second factor, they still sign in', async () => {
  const without = await startTestApp({ modules: ['two-factor'], env: { TWO_FACTOR_METHODS: 'email,totp' } })
  try {
    const somebody = await registered(without)
    const setup = await without.post('/auth/two_factor/passkey/setup', {}, withSession(somebody.sessionToken))
    assert.deepEqual([setup.status, setup.json.code], [503, 'NOT_CONFIGURED'])
    const authenticator = createAuthenticator(homeOf(without))
    await addOwnPasskey(without, somebody.sessionToken, authenticator)
    const { json } = await without.get('/auth/two_factor/methods', withSession(somebody.sessionToken))
    assert.deepEqual(json.methods, [])
    assert.equal((await passkeyLogin(without, authenticator)).status, 200)
  } finally {
    await without.stop()
  }
})

test('an address of numbers has no passkeys, for browsers keep none for it', async () => {
  const plain = await startTestApp({ modules: ['two-factor'], env: { PUBLIC_URL: 'http://127.0.0.1:3000' } })
  try {
    const { json } = await plain.get('/auth/two_factor/system')
    assert.ok(!json.available_methods.includes('passkey'))
    assert.equal((await plain.post('/auth/passkey/login/options')).status, 503)
  } finally {
    await plain.stop()
  }
})

test('a name of a method has no control characters', async () => {
  const { sessionToken } = await registered(app)
  for (const method of ['passkey', 'totp']) {
    const reply = await app.post(`/auth/two_factor/${method}/setup`, { name: 'a\u202eb' }, withSession(sessionToken))
    assert.deepEqual([reply.status, reply.json.details?.[0]?.field], [400, 'name'])
  }
})

test('the only way to sign in is not removed by the module either, and the attempt is recorded', async () => {
  const alone = await startTestApp({ modules: ['two-factor'], env: { TOKEN_LOGIN_ENABLED: 'false' } })
  try {
    const ada = await passkeyOwner(alone)
    await sql`UPDATE users SET password_hash = NULL WHERE id = ${ada.id}`.execute(alone.ctx.db)
    const session = withSession(ada.sessionToken)
    const { options } = (await alone.post('/auth/two_factor/passkey/start', { action: 'remove' }, session)).json
    const proof = { method: 'passkey', action: 'remove', response: ada.authenticator.get(options) }
    assert.equal((await alone.post('/auth/two_factor/verify', proof, session)).status, 200)
    const removed = await alone.call('DELETE', `/auth/two_factor/${ada.methodId}`, { ...session, body: {} })
    assert.deepEqual([removed.status, removed.json.code], [400, 'LAST_SIGN_IN_METHOD'])
    const details = (await auditOf(alone, 'passkey_rejected')).map((event) => event.details)
    assert.deepEqual(details, [{ reason: 'last_sign_in_method', passkey: ada.methodId }])
  } finally {
    await alone.stop()
  }
})
