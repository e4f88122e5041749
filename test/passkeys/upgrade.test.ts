// Setup: default start
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { day, minute, second } from '../../src/lib/time.ts'
import { type Authenticator, createAuthenticator, type Ways } from '../support/authenticator.ts'
import { handedOver } from '../support/handover.ts'
import { addOwnPasskey, homeOf, passkeyLogin } from '../support/passkeys.ts'
import { registered, type SignedIn, signedInAs, withSession } from '../support/people.ts'
import { auditOf, rowCounts } from '../support/rows.ts'
import { switchPasswords } from '../support/switch-passwords.ts'
import { type Reply, startTestApp, type TestApp } from '../support/test-app.ts'

const env = {
  RATE_LIMIT_REGISTRATION: '1000/1h',
  RATE_LIMIT_ADMIN: '1000/1h',
  RATE_LIMIT_PASSKEY_OPTIONS: '1000/1m',
  ALLOWED_REDIRECTS: 'https://app.example.org',
}
let app: TestApp
before(async () => {
  app = await startTestApp({ env })
})
after(() => app?.stop())

const nobody: Ways = { userPresent: false, userVerified: false }

interface Upgrader extends SignedIn {
  authenticator: Authenticator
}

/** A user who has just signed in with the password. */
async function signedIn(on = app): Promise<Upgrader> {
  const somebody = await registered(on)
  const { json } = await on.post('/auth/login', { email: somebody.email, password: somebody.password })
  return { ...somebody, sessionToken: json.sessionId, authenticator: createAuthenticator(homeOf(on)) }
}

const ask = (sessionToken: string, body: object = {}, on = app): Promise<Reply> =>
  on.post('/auth/passkeys/upgrade/options', body, withSession(sessionToken))
const add = (sessionToken: string, response: object, more: object = {}, on = app): Promise<Reply> =>
  on.post('/auth/passkeys', { response, ...more }, withSession(sessionToken))

/** The browser creates a passkey without asking the user. */
async function upgraded(who: Upgrader, ways = nobody): Promise<Reply> {
  const { json } = await ask(who.sessionToken)
  return add(who.sessionToken, who.authenticator.create(json.options, ways))
}

const passkeysOf = async (sessionToken: string) => (await app.get('/auth/passkeys', withSession(sessionToken))).json

test('after a sign-in with a password, the browser creates a passkey without asking', async () => {
  const ada = await signedIn()
  const asked = await ask(ada.sessionToken)
  assert.equal(asked.status, 200, asked.text)
  assert.deepEqual(asked.json.options.authenticatorSelection, {
    residentKey: 'required',
    requireResidentKey: true,
    userVerification: 'preferred',
  })
  const added = await add(ada.sessionToken, ada.authenticator.create(asked.json.options, nobody))
  assert.equal(added.status, 200, added.text)
  const [passkey] = (await passkeysOf(ada.sessionToken)).passkeys
  assert.deepEqual([passkey.id, passkey.created_via, passkey.verified], [added.json.id, 'upgrade', false])
  assert.match((await app.mailTo(ada.email, 1)).subject, /Your browser created a passkey for your/)
  const event = (await auditOf(app, 'passkey_added')).at(-1)
  assert.deepEqual([event?.target_id, event?.details.via], [ada.id, 'upgrade'])
})

test('such a passkey is no way to sign in before its authenticator has verified the user', async () => {
  const alone = await startTestApp({ env: { TOKEN_LOGIN_ENABLED: 'false' } })
  try {
    const ada = await signedIn(alone)
    const { json } = await ask(ada.sessionToken, {}, alone)
    // Even if the flag is set: nobody has asked the user.
    const made = ada.authenticator.create(json.options, { userPresent: true, userVerified: true })
    const added = await add(ada.sessionToken, made, {}, alone)
    const { passkeys } = (await alone.get('/auth/passkeys', withSession(ada.sessionToken))).json
    assert.equal(passkeys[0].verified, false)
    const other = await addOwnPasskey(alone, ada.sessionToken, createAuthenticator(homeOf(alone)))
    await sql`UPDATE users SET password_hash = NULL WHERE id = ${ada.id}`.execute(alone.ctx.db)
    const remove = (id: string) =>
      alone.call('DELETE', `/auth/passkeys/${id}`, { ...withSession(ada.sessionToken), body: {} })
    assert.equal((await remove(other.json.id)).json.code, 'LAST_SIGN_IN_METHOD')
    assert.equal((await passkeyLogin(alone, ada.authenticator, { userVerified: false })).status, 401)
    assert.equal((await passkeyLogin(alone, ada.authenticator)).status, 200)
    assert.equal((await remove(other.json.id)).status, 200)
    assert.equal((await remove(added.json.id)).json.code, 'LAST_SIGN_IN_METHOD')
  } finally {
    await alone.stop()
  }
})

test('a normal creation needs a user, whatever the client says', async () => {
  const ada = await signedIn()
  for (const more of [{}, { conditional: true }, { mediation: 'conditional' }, { via: 'upgrade' }]) {
    const start = await app.post('/auth/passkeys/options', more, withSession(ada.sessionToken))
    const before = await rowCounts(app)
    for (const ways of [nobody, { userPresent: false }, { userVerified: false }]) {
      const refused = await add(ada.sessionToken, ada.authenticator.create(start.json.options, ways), more)
      assert.deepEqual([refused.status, refused.json.code], [400, 'INVALID_CODE'], JSON.stringify(ways))
    }
    assert.deepEqual(await rowCounts(app), before)
    const { used_at } = await newestChallenge(ada.id)
    assert.equal(used_at, null, 'the challenge is not consumed')
  }
})

async function newestChallenge(userId: string) {
  const { rows } = await sql<{ purpose: string; used_at: Date | null }>`
    SELECT purpose, used_at FROM one_time_secrets WHERE user_id = ${userId} ORDER BY created_at DESC, id DESC LIMIT 1`.execute(
    app.ctx.db,
  )
  if (!rows[0]) throw new Error('no challenge')
  return rows[0]
}

test('a challenge is for one passkey, one session and one user', async () => {
  const [ada, grace] = [await signedIn(), await signedIn()]
  const second = (await app.post('/auth/login', { email: ada.email, password: ada.password })).json.sessionId
  const { json } = await ask(ada.sessionToken)
  const made = () => ada.authenticator.create(json.options, nobody)
  const refused = [await add(grace.sessionToken, made()), await add(second, made())]
  assert.deepEqual(
    refused.map((reply) => [reply.status, reply.json.code]),
    [
      [400, 'INVALID_CODE'],
      [400, 'INVALID_CODE'],
    ],
  )
  const both = await Promise.all([made(), made()].map((response) => add(ada.sessionToken, response)))
  assert.deepEqual(both.map(({ status }) => status).toSorted(), [200, 400])
  assert.equal((await add(ada.sessionToken, made())).status, 400, 'used')
  const reasons = (await auditOf(app, 'passkey_rejected')).slice(-4).map(({ details }) => details)
  assert.deepEqual(reasons, Array(4).fill({ reason: 'challenge', via: 'upgrade' }))
})

test('only the newest challenge counts, and neither kind replaces the other', async () => {
  const ada = await signedIn()
  const [old, fresh] = [await ask(ada.sessionToken), await ask(ada.sessionToken)]
  await app.post('/auth/passkeys/options', {}, withSession(ada.sessionToken))
  const made = (from: Reply) => ada.authenticator.create(from.json.options, nobody)
  assert.equal((await add(ada.sessionToken, made(old))).status, 400)
  assert.equal((await add(ada.sessionToken, made(fresh))).status, 200)
})

const bad: [what: string, ways: Ways][] = [
  ['the page of somebody else', { origin: 'https://evil.test' }],
  ['another relying party', { rpId: 'evil.test' }],
  ['a challenge of our own making', { challenge: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' }],
  ['a signature in place of a registration', { type: 'webauthn.get' }],
  ['a frame in a page of somebody else', { crossOrigin: true }],
  ['a backup of what cannot be backed up', { backedUp: true }],
]
for (const [what, ways] of bad) {
  test(`${what} adds no passkey without the user`, async () => {
    const ada = await signedIn()
    const reply = await upgraded(ada, { ...nobody, ...ways })
    assert.deepEqual([reply.status, reply.json.code], [400, 'INVALID_CODE'])
    assert.deepEqual((await passkeysOf(ada.sessionToken)).passkeys, [])
  })
}

const otherProofs = ['registration', 'login_token', 'reset', 'setup', 'social', 'passkey']
for (const proof of otherProofs) {
  test(`a session that was created by ${proof} upgrades nothing`, async () => {
    const ada = await signedIn()
    const { json } = await ask(ada.sessionToken)
    await sql`UPDATE sessions SET proof = ${proof} WHERE user_id = ${ada.id}`.execute(app.ctx.db)
    const before = await rowCounts(app)
    const refused = await ask(ada.sessionToken)
    assert.deepEqual([refused.status, refused.json.code], [403, 'FORBIDDEN'])
    const event = (await auditOf(app, 'passkey_rejected')).at(-1)
    assert.deepEqual([event?.target_id, event?.details], [ada.id, { reason: 'proof', via: 'upgrade' }])
    const late = await add(ada.sessionToken, ada.authenticator.create(json.options, nobody))
    assert.equal(late.status, 400, 'the right is checked again')
    assert.deepEqual(await rowCounts(app), before)
  })
}

test('a passkey that has just signed in does not create others without the user', async () => {
  const ada = await registered(app)
  const authenticator = createAuthenticator(homeOf(app))
  await addOwnPasskey(app, ada.sessionToken, authenticator)
  const { json } = await passkeyLogin(app, authenticator)
  assert.equal((await ask(json.sessionId)).status, 403)
  assert.equal((await ask(ada.sessionToken)).status, 403, 'a registration is no sign-in')
})

test('five minutes after the sign-in, the right has ended, and a reauthentication does not bring it back', async () => {
  const ada = await signedIn()
  app.clock.advance(4 * minute)
  const { json } = await ask(ada.sessionToken)
  assert.deepEqual([json.expires_in, json.options.timeout], [60, minute])
  const response = ada.authenticator.create(json.options, nobody)
  app.clock.advance(minute)
  const { sessionToken, password } = ada
  assert.equal((await app.post('/auth/reauthenticate', { password }, withSession(sessionToken))).status, 200)
  assert.equal((await ask(sessionToken)).status, 403)
  assert.equal((await add(sessionToken, response)).status, 400)
})

test('sessions of applications, of superadmins who act as the user, and of nobody upgrade nothing', async () => {
  const ada = await signedIn()
  const root = await signedInAs(app, 'superadmin')
  const acting = `/auth/admin/users/${ada.id}/impersonate`
  const impersonated = await app.post(acting, { reason: 'A test' }, withSession(root.sessionToken))
  assert.equal(impersonated.status, 200, impersonated.text)
  const application = await handedOver(app, ada.sessionToken, 'https://app.example.org/')
  const { json } = await ask(ada.sessionToken)
  const before = await rowCounts(app)
  for (const [token, code] of [
    [application, 'FORBIDDEN'],
    [impersonated.json.sessionId, 'IMPERSONATED'],
  ]) {
    const response = ada.authenticator.create(json.options, nobody)
    const replies = [await ask(token), await offer(token), await add(token, response)]
    assert.deepEqual(
      replies.map((reply) => reply.json.code),
      [code, code, code],
    )
  }
  assert.equal((await app.post('/auth/passkeys/upgrade/options')).status, 401)
  assert.deepEqual(await rowCounts(app), before)
})

test('the body of the request opens nothing', async () => {
  const ada = await registered(app)
  const body = { current_password: ada.password, action: 'add', conditional: true, user_id: ada.id }
  assert.equal((await ask(ada.sessionToken, body)).status, 403)
})

test('a user has at most 20 passkeys, also of this kind', async () => {
  const ada = await signedIn()
  const { json } = await ask(ada.sessionToken)
  for (let at = 0; at < 20; at++) await addOwnPasskey(app, ada.sessionToken, createAuthenticator(homeOf(app)))
  const replies = [
    await ask(ada.sessionToken),
    await add(ada.sessionToken, ada.authenticator.create(json.options, nobody)),
  ]
  assert.deepEqual(
    replies.map((reply) => [reply.status, reply.json.details?.[0]?.field]),
    [
      [400, 'passkey'],
      [400, 'passkey'],
    ],
  )
})

test('while a passkey is being created, the browser gets no list', async () => {
  const ada = await signedIn()
  await ask(ada.sessionToken)
  assert.equal((await passkeysOf(ada.sessionToken)).signal, null)
  app.clock.advance(31 * second)
  assert.deepEqual((await passkeysOf(ada.sessionToken)).signal.credential_ids, [])
})

const offer = (sessionToken: string, on = app): Promise<Reply> =>
  on.post('/auth/passkeys/upgrade/offer', {}, withSession(sessionToken))
const isOffered = async (sessionToken: string, on = app): Promise<boolean> => (await offer(sessionToken, on)).json.offer

test('a user without a passkey is offered one at most every 30 days, and two tabs get one offer', async () => {
  const ada = await signedIn()
  const both = await Promise.all([1, 2].map(() => isOffered(ada.sessionToken)))
  assert.deepEqual(both.toSorted(), [false, true])
  const again = async (after: number): Promise<boolean> => {
    app.clock.advance(after)
    const { json } = await app.post('/auth/login', { email: ada.email, password: ada.password })
    return isOffered(json.sessionId)
  }
  assert.equal(await again(30 * day - second), false)
  assert.equal(await again(second), true)
  const { json } = await app.get('/auth/user/me/export', withSession((await signedInAgain(ada)).sessionToken))
  assert.equal(json.data.passkey_offered_at, new Date(app.clock.now()).toISOString())
})

const signedInAgain = async ({ email, password }: SignedIn) => {
  const { json } = await app.post('/auth/login', { email, password })
  return { sessionToken: String(json.sessionId) }
}

test('there is no offer to users with a passkey, for other sign-ins, or later', async () => {
  const [owner, social, late] = [await signedIn(), await signedIn(), await signedIn()]
  await addOwnPasskey(app, owner.sessionToken, owner.authenticator)
  assert.equal(await isOffered(owner.sessionToken), false)
  await sql`UPDATE sessions SET proof = 'social' WHERE user_id = ${social.id}`.execute(app.ctx.db)
  assert.equal(await isOffered(social.sessionToken), false)
  app.clock.advance(5 * minute)
  assert.equal(await isOffered(late.sessionToken), false)
  const { rows } = await sql`SELECT FROM passkey_offers
    WHERE user_id IN (${owner.id}, ${social.id}, ${late.id})`.execute(app.ctx.db)
  assert.equal(rows.length, 0, 'nothing is noted')
})

const settings: [string, Record<string, string>, options: string | number, offers: boolean][] = [
  ['silent', { PASSKEY_UPGRADE: 'silent' }, 200, false],
  ['off', { PASSKEY_UPGRADE: 'off' }, 'NOT_CONFIGURED', false],
  ['without passkeys', { PASSKEYS_ENABLED: 'false' }, 'NOT_CONFIGURED', false],
  [
    'where the origin cannot use passkeys',
    { PUBLIC_URL: 'http://192.0.2.1', FRONTEND_URL: 'http://192.0.2.1' },
    'NOT_CONFIGURED',
    false,
  ],
]
for (const [what, more, options, offers] of settings) {
  test(`the settings decide: ${what}`, async () => {
    const own = await startTestApp({ env: { ...env, ...more } })
    try {
      const ada = await signedIn(own)
      const { status, json } = await ask(ada.sessionToken, {}, own)
      assert.equal(status === 200 ? status : json.code, options)
      assert.equal(await isOffered(ada.sessionToken, own), offers)
    } finally {
      await own.stop()
    }
  })
}

test('if upgrades are switched off meanwhile, a creation that has begun adds nothing', async () => {
  const ada = await signedIn()
  const { json } = await ask(ada.sessionToken)
  const root = await signedInAs(app, 'superadmin')
  const set = (value: string) =>
    app.call('PUT', '/auth/admin/settings', {
      ...withSession(root.sessionToken),
      body: { changes: [{ name: 'PASSKEY_UPGRADE', value }] },
    })
  const off = await set('off')
  assert.equal(off.status, 200, off.text)
  const reply = await add(ada.sessionToken, ada.authenticator.create(json.options, nobody))
  assert.equal(reply.json.code, 'NOT_CONFIGURED')
  await set('offer')
})

test('once passwords are switched off, a sign-in with one upgrades nothing and is offered nothing', async () => {
  const ada = await signedIn()
  const { json } = await ask(ada.sessionToken)
  await switchPasswords(app, 'off')
  try {
    const before = await rowCounts(app)
    const refused = await ask(ada.sessionToken)
    assert.deepEqual([refused.status, refused.json.code], [403, 'PASSWORDS_DISABLED'])
    const late = await add(ada.sessionToken, ada.authenticator.create(json.options, nobody))
    assert.deepEqual([late.status, late.json.code], [400, 'INVALID_CODE'])
    assert.equal(await isOffered(ada.sessionToken), false)
    assert.deepEqual(await rowCounts(app), before)
    const events = (await auditOf(app, 'passkey_rejected')).slice(-2)
    const reason = { reason: 'passwords_disabled', via: 'upgrade' }
    assert.deepEqual(
      events.map(({ target_id, details }) => [target_id, details]),
      Array(2).fill([ada.id, reason]),
    )
  } finally {
    await switchPasswords(app, 'on')
  }
})

test('a shorter time for reauthentication ends the right sooner', async (t) => {
  const short = await startTestApp({ env: { REAUTH_WINDOW: '1m' } })
  t.after(() => short.stop())
  const ada = await registered(short)
  const login = await short.post('/auth/login', ada)
  const ask = () => short.post('/auth/passkeys/upgrade/options', {}, withSession(login.json.sessionId))
  assert.equal((await ask()).status, 200)
  short.clock.advance(minute)
  assert.deepEqual([(await ask()).status, (await ask()).json.code], [403, 'FORBIDDEN'])
})
