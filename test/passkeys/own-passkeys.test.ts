// Setup: default start
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { createAuthenticator, type Ways } from '../support/authenticator.ts'
import { handedOver } from '../support/handover.ts'
import { addOwnPasskey, homeOf, loginChallenge, passkeyLogin } from '../support/passkeys.ts'
import { registered, signedInAs, withSession } from '../support/people.ts'
import { auditOf, rowCounts } from '../support/rows.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'

let app: TestApp
before(async () => {
  app = await startTestApp({ env: { RATE_LIMIT_REGISTRATION: '1000/1h', RATE_LIMIT_PASSKEY_OPTIONS: '1000/1m' } })
})
after(() => app?.stop())

/** A new user who has added a passkey, without the module for second factors. */
async function owner() {
  const somebody = await registered(app)
  const authenticator = createAuthenticator(homeOf(app))
  const added = await addOwnPasskey(app, somebody.sessionToken, authenticator)
  assert.equal(added.status, 200, added.text)
  return { ...somebody, authenticator, passkeyId: String(added.json.id), added }
}

const listOf = async (sessionToken: string) => (await app.get('/auth/passkeys', withSession(sessionToken))).json

test('without any module, a user adds a passkey and signs in with it', async () => {
  const ada = await owner()
  const reply = await passkeyLogin(app, ada.authenticator)
  assert.deepEqual([reply.status, reply.json.user.id, reply.json.requires_2fa], [200, ada.id, false])
  const { passkeys, signal } = await listOf(ada.sessionToken)
  const [passkey] = passkeys
  assert.deepEqual(
    [passkey.id, passkey.name, passkey.created_via, passkey.verified, passkey.synced, passkey.backed_up],
    [ada.passkeyId, 'Passkey', 'settings', true, false, false],
  )
  assert.ok(passkey.last_used_at)
  assert.equal(signal.credential_ids.length, 1, 'the creation has ended')
  assert.match((await app.mailTo(ada.email, 1)).subject, /A passkey was added to your/)
})

test('the list for the browser is complete, and is absent while a passkey is being created', async () => {
  const ada = await owner()
  const second = createAuthenticator(homeOf(app))
  await addOwnPasskey(app, ada.sessionToken, second)
  app.clock.advance(31_000)
  const { signal } = await listOf(ada.sessionToken)
  const ids = [ada.authenticator, second].map(({ credentials }) => credentials[0]?.id.toString('base64url'))
  assert.deepEqual(signal.credential_ids, ids)
  assert.equal(Buffer.from(signal.user_id, 'base64url').toString('hex'), ada.id.replaceAll('-', ''))
  assert.deepEqual([signal.rp_id, signal.name], ['localhost', ada.email])
  await app.post('/auth/passkeys/options', {}, withSession(ada.sessionToken))
  assert.equal((await listOf(ada.sessionToken)).signal, null)
  app.clock.advance(31_000)
  assert.deepEqual((await listOf(ada.sessionToken)).signal.credential_ids, ids)
})

test('an application receives no list for the browser', async () => {
  const ada = await owner()
  const { passkeys, signal } = await listOf(await handedOver(app, ada.sessionToken))
  assert.deepEqual([passkeys.length, signal], [1, null])
  assert.ok((await listOf(ada.sessionToken)).signal)
})

const badCreations: [what: string, ways: Ways][] = [
  ['the page of somebody else', { origin: 'https://evil.test' }],
  ['another relying party', { rpId: 'evil.test' }],
  ['a challenge of our own making', { challenge: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' }],
  ['a signature in place of a registration', { type: 'webauthn.get' }],
  ['a frame in a page of somebody else', { crossOrigin: true }],
  ['nobody touching the authenticator', { userPresent: false }],
  ['an authenticator that did not verify its user', { userVerified: false }],
  ['a backup of what cannot be backed up', { backedUp: true }],
]
for (const [what, ways] of badCreations) {
  test(`a creation with ${what} adds nothing`, async () => {
    const somebody = await registered(app)
    const before = await rowCounts(app)
    const reply = await addOwnPasskey(app, somebody.sessionToken, createAuthenticator(homeOf(app)), ways)
    assert.deepEqual([reply.status, reply.json.code], [400, 'INVALID_CODE'])
    assert.deepEqual((await rowCounts(app)).passkeys, before.passkeys)
    assert.equal((await auditOf(app, 'passkey_rejected')).at(-1)?.target_id, somebody.id)
  })
}

test('the client cannot ask for the rules of a creation without a user', async () => {
  const somebody = await registered(app)
  const { json } = await app.post('/auth/passkeys/options', { conditional: true }, withSession(somebody.sessionToken))
  const response = createAuthenticator(homeOf(app)).create(json.options, { userPresent: false, userVerified: false })
  const reply = await app.post('/auth/passkeys', { response, conditional: true }, withSession(somebody.sessionToken))
  assert.equal(reply.status, 400)
})

test('options are for one session and one passkey', async () => {
  const ada = await owner()
  const other = await app.post('/auth/login', ada)
  const start = await app.post('/auth/passkeys/options', {}, withSession(ada.sessionToken))
  const response = createAuthenticator(homeOf(app)).create(start.json.options)
  const elsewhere = await app.post('/auth/passkeys', { response }, withSession(other.json.sessionId))
  const stranger = await registered(app, 'grace')
  const byStranger = await app.post('/auth/passkeys', { response }, withSession(stranger.sessionToken))
  assert.deepEqual([elsewhere.status, byStranger.status], [400, 400])
  const replies = await Promise.all(
    [1, 2].map(() => app.post('/auth/passkeys', { response }, withSession(ada.sessionToken))),
  )
  assert.deepEqual(replies.map(({ status }) => status).toSorted(), [200, 400])
})

test('a passkey that another user has is not added', async () => {
  const [ada, grace] = [await owner(), await registered(app, 'grace')]
  const taken = ada.authenticator.credentials[0]?.id as Buffer
  const reply = await addOwnPasskey(app, grace.sessionToken, createAuthenticator(homeOf(app)), { credentialId: taken })
  assert.deepEqual([reply.status, reply.json.code], [400, 'INVALID_CODE'])
  assert.equal((await passkeyLogin(app, ada.authenticator)).json.user.id, ada.id)
})

test('a user renames and removes only their own passkeys', async () => {
  const [ada, grace] = [await owner(), await owner()]
  const url = `/auth/passkeys/${ada.passkeyId}`
  const by = ({ sessionToken }: { sessionToken: string }) => ({ ...withSession(sessionToken) })
  assert.equal((await app.call('PUT', url, { ...by(grace), body: { name: 'Mine' } })).status, 404)
  assert.equal((await app.call('DELETE', url, { ...by(grace), body: {} })).status, 404)
  assert.equal((await app.call('PUT', url, { ...by(ada), body: { name: '   ' } })).status, 400)
  assert.equal((await app.call('PUT', url, { ...by(ada), body: { name: 'My phone' } })).status, 200)
  assert.equal((await listOf(ada.sessionToken)).passkeys[0].name, 'My phone')

  const other = await app.post('/auth/login', ada)
  assert.equal((await app.call('DELETE', url, { ...by(ada), body: {} })).status, 200)
  assert.equal((await passkeyLogin(app, ada.authenticator)).status, 401)
  assert.equal((await app.get('/auth/me', withSession(other.json.sessionId))).status, 401, 'other sessions end')
  assert.equal((await app.get('/auth/me', by(ada))).status, 200)
})

test('adding and removing need a recent authentication', async () => {
  const ada = await owner()
  app.clock.advance(11 * 60_000)
  const session = withSession(ada.sessionToken)
  const url = `/auth/passkeys/${ada.passkeyId}`
  const refused = [
    await app.post('/auth/passkeys/options', {}, session),
    await app.call('DELETE', url, { ...session, body: {} }),
  ]
  assert.deepEqual(
    refused.map(({ json }) => json.code),
    ['REAUTH_REQUIRED', 'REAUTH_REQUIRED'],
  )
  const wrong = await app.post('/auth/passkeys/options', { current_password: 'not the password' }, session)
  assert.equal(wrong.json.code, 'INVALID_CURRENT_PASSWORD')
  assert.equal((await app.post('/auth/passkeys/options', { current_password: ada.password }, session)).status, 200)
})

test('a passkey confirms an identity, once, for its own session and action', async () => {
  const ada = await owner()
  app.clock.advance(11 * 60_000)
  const session = withSession(ada.sessionToken)
  const start = await app.post('/auth/passkeys/options', { action: 'reauth' }, session)
  const confirm = (response: unknown) => app.post('/auth/reauthenticate', { response }, session)
  const unverified = await confirm(ada.authenticator.get(start.json.options, { userVerified: false }))
  assert.deepEqual([unverified.status, unverified.json.code], [400, 'INVALID_CODE'])
  const login = await loginChallenge(app)
  assert.equal((await confirm(ada.authenticator.get(login.options))).status, 400, 'a challenge for a sign-in')
  const response = ada.authenticator.get(start.json.options, { signCount: 0 })
  const grace = await owner()
  const byGrace = await app.post('/auth/reauthenticate', { response }, withSession(grace.sessionToken))
  assert.equal(byGrace.status, 400)
  assert.equal((await confirm(response)).status, 200)
  assert.equal((await confirm(response)).status, 400, 'used')
  assert.equal((await app.post('/auth/passkeys/options', {}, session)).status, 200)
})

test('a sign-in challenge is not stored before it is used, and cannot be made by others', async () => {
  const ada = await owner()
  const before = await rowCounts(app)
  const challenges = await Promise.all(Array.from({ length: 20 }, () => loginChallenge(app)))
  assert.deepEqual(await rowCounts(app), before)
  const [{ challenge_id, options }] = challenges as [Awaited<ReturnType<typeof loginChallenge>>]
  const bytes = Buffer.from(options.challenge, 'base64url')
  for (const at of [0, 17, bytes.length - 1]) {
    const changed = Buffer.from(bytes)
    changed[at] = (changed[at] ?? 0) ^ 1
    const response = ada.authenticator.get({ ...options, challenge: changed.toString('base64url') })
    assert.equal((await app.post('/auth/passkey/login', { challenge_id, response })).status, 401, `byte ${at}`)
  }
  for (const challenge of ['', options.challenge.slice(0, -1), `${options.challenge}A`, `${options.challenge}=`]) {
    const response = ada.authenticator.get({ ...options, challenge })
    assert.equal((await app.post('/auth/passkey/login', { challenge_id, response })).status, 401, challenge)
  }
  const response = ada.authenticator.get(options)
  assert.equal((await app.post('/auth/passkey/login', { challenge_id, response })).status, 200)
})

test('a passkey whose backup eligibility changes signs nobody in', async () => {
  const somebody = await registered(app)
  const authenticator = createAuthenticator(homeOf(app))
  await addOwnPasskey(app, somebody.sessionToken, authenticator, { eligible: true })
  assert.equal((await passkeyLogin(app, authenticator)).status, 401)
  assert.equal((await passkeyLogin(app, authenticator, { eligible: true, backedUp: true })).status, 200)
  const { passkeys } = await listOf(somebody.sessionToken)
  assert.deepEqual([passkeys[0].synced, passkeys[0].backed_up], [true, true])
})

test('the only way to sign in is not removed', async () => {
  const alone = await startTestApp({ env: { TOKEN_LOGIN_ENABLED: 'false' } })
  try {
    const somebody = await registered(alone)
    const added = await addOwnPasskey(alone, somebody.sessionToken, createAuthenticator(homeOf(alone)))
    await sql`UPDATE users SET password_hash = NULL WHERE id = ${somebody.id}`.execute(alone.ctx.db)
    const removed = await alone.call('DELETE', `/auth/passkeys/${added.json.id}`, {
      ...withSession(somebody.sessionToken),
      body: {},
    })
    assert.deepEqual([removed.status, removed.json.code], [400, 'LAST_SIGN_IN_METHOD'])
    const [rejected, ...more] = await auditOf(alone, 'passkey_rejected')
    assert.deepEqual(more, [])
    assert.deepEqual([rejected?.outcome, rejected?.target_id], ['failure', somebody.id])
    assert.deepEqual(rejected?.details, { reason: 'last_sign_in_method', passkey: added.json.id })
  } finally {
    await alone.stop()
  }
})

test('a name is one line without characters that change its direction', async () => {
  const ada = await owner()
  const session = withSession(ada.sessionToken)
  const path = '/auth/passkeys'
  for (const name of ['a\r\nb', 'a\u0000', 'a\u202eb', 'a\u2066b', 'a\u2028b', '\u0007']) {
    const { options } = (await app.post(`${path}/options`, {}, session)).json
    const response = createAuthenticator(homeOf(app)).create(options)
    const replies = [
      await app.call('PUT', `${path}/${ada.passkeyId}`, { ...session, body: { name } }),
      await app.post(path, { response, name }, session),
    ]
    for (const { status, json } of replies) assert.deepEqual([status, json.details?.[0]?.field], [400, 'name'])
    assert.equal(
      (await app.post(path, { response, name: ' Ada’s key ' }, session)).status,
      200,
      'the challenge is left',
    )
  }
  assert.equal((await app.call('PUT', `${path}/${ada.passkeyId}`, { ...session, body: { name: ' x ' } })).status, 200)
  const names = (await listOf(ada.sessionToken)).passkeys.map(({ name }: { name: string }) => name)
  assert.deepEqual([...new Set(names)].toSorted(), ['Ada’s key', 'x'])
})

test('a user has at most 20 passkeys', async () => {
  const somebody = await registered(app)
  for (let at = 0; at < 20; at++) {
    const added = await addOwnPasskey(app, somebody.sessionToken, createAuthenticator(homeOf(app)))
    assert.equal(added.status, 200, added.text)
  }
  const { status, json } = await app.post('/auth/passkeys/options', {}, withSession(somebody.sessionToken))
  assert.deepEqual([status, json.details[0].field], [400, 'passkey'])
})

test('switched off, passkeys are neither added nor used, and stay', async () => {
  const off = await startTestApp({ env: { PASSKEYS_ENABLED: 'false' } })
  try {
    const somebody = await registered(off)
    const replies = [
      await off.post('/auth/passkeys/options', {}, withSession(somebody.sessionToken)),
      await off.post('/auth/passkey/login/options'),
    ]
    assert.deepEqual(
      replies.map(({ json }) => json.code),
      ['NOT_CONFIGURED', 'NOT_CONFIGURED'],
    )
    assert.equal((await off.get('/auth/passkeys', withSession(somebody.sessionToken))).status, 200)
  } finally {
    await off.stop()
  }
})

test('the browser keeps the passkey of a deleted user, who can be restored', async () => {
  const ada = await registered(app)
  const authenticator = createAuthenticator(homeOf(app))
  assert.equal((await addOwnPasskey(app, ada.sessionToken, authenticator)).status, 200)
  const root = withSession((await signedInAs(app, 'superadmin')).sessionToken)
  assert.equal((await app.call('DELETE', `/auth/admin/users/${ada.id}`, { body: {}, ...root })).status, 200)
  const rejected = await passkeyLogin(app, authenticator)
  assert.deepEqual([rejected.status, rejected.json.unknown_credential], [401, undefined])
  assert.equal((await app.post(`/auth/admin/users/${ada.id}/restore`, {}, root)).status, 200)
  assert.equal((await passkeyLogin(app, authenticator)).status, 200)
})
