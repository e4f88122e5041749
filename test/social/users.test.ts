import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { asked, redeem, verify } from '../passwordless/support.ts'
import { person, registered, withSession } from '../support/people.ts'
import { auditOf, rowCounts } from '../support/rows.ts'
import { emailFactor, requireSecondFactor } from '../support/second-factor.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'
import { type Claims, type OidcServer, startOidcServer } from './oidc-server.ts'
import { jsonSignIn, signedInBy, toldFrontEnd, visitCallback, visited } from './support.ts'

let server: OidcServer
let app: TestApp
let env: Record<string, string>
before(async () => {
  server = await startOidcServer()
  env = server.env
  app = await startTestApp({ secondFactor: emailFactor, env })
})
after(async () => {
  await app?.stop()
  await server?.stop()
})

let count = 0

/** Adds a user with this address at the provider. Returns the subject. */
function known(email: string, more: Partial<Claims> = {}): string {
  const sub = `subject-${++count}`
  server.people.set(sub, { sub, email, email_verified: true, ...more })
  return sub
}

const identitiesOf = async (userId: string): Promise<string[]> => {
  const rows = await app.ctx.db.selectFrom('social_accounts').select('subject').where('user_id', '=', userId).execute()
  return rows.map(({ subject }) => subject)
}
const userOf = (email: string) =>
  app.ctx.db.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirstOrThrow()
const isAlive = async (sessionToken: string): Promise<boolean> =>
  (await app.get('/auth/me', withSession(sessionToken))).status === 200

test('a verified address on both sides joins the identity to the user, who is told, and whose other sessions end', async () => {
  const ada = await registered(app, 'ada')
  await verify(app, ada.id)
  const subject = known(ada.email)
  const reply = await jsonSignIn(app, server, subject)
  assert.equal(reply.json.user.id, ada.id)
  assert.deepEqual(await identitiesOf(ada.id), [subject])
  assert.equal(await isAlive(ada.sessionToken), false)
  assert.match((await app.mailTo(ada.email, 1)).text, /sign in to your account with OpenID Connect/)
  assert.deepEqual((await auditOf(app, 'social_linked')).at(-1)?.target_id, ada.id)
  // The password has not changed.
  assert.equal((await app.post('/auth/login', { email: ada.email, password: ada.password })).status, 200)
})

test('whoever has set up an account with an address that they had not proven loses it to its owner', async () => {
  const mallory = await registered(app, 'ada', { phone: '+447700900777' })
  await requireSecondFactor(app, mallory.id)
  const sleeper = known(mallory.email, { email_verified: false })
  await app.ctx.db
    .insertInto('social_accounts')
    .values({
      id: mallory.id,
      user_id: mallory.id,
      provider: 'facebook',
      issuer: 'https://www.facebook.com',
      subject: sleeper,
      linked_at: new Date(),
      last_used_at: new Date(),
    })
    .execute()
  const link = await asked(app, mallory.email)
  const owner = known(mallory.email)
  const reply = await jsonSignIn(app, server, owner)
  assert.equal(reply.json.success, true, 'the factor of somebody else is gone')
  assert.equal(reply.json.user.id, mallory.id)
  assert.deepEqual([reply.json.user.is_verified, reply.json.user.two_factor], [true, false])
  assert.equal(await isAlive(mallory.sessionToken), false)
  assert.deepEqual(await identitiesOf(mallory.id), [owner])
  assert.equal((await app.post('/auth/login', { email: mallory.email, password: mallory.password })).status, 401)
  assert.equal((await redeem(app, { token: link.token })).status, 400)
  assert.equal((await userOf(mallory.email)).phone, null)
  const mails = app.inbox?.list({ to: mallory.email }).map(({ subject }) => subject) ?? []
  assert.ok(mails.length >= 1)
  await app.mailTo(mallory.email, 2)
  const removed = (await auditOf(app, 'credentials_removed')).at(-1)
  assert.deepEqual(removed?.details.removed, ['password', 'phone', 'two_factor', 'identities', 'sessions'])
})

test('the same happens to what was put beside a known identity, once the provider vouches for its address', async () => {
  const email = person().email
  const subject = known(email, { email_verified: false })
  const first = await jsonSignIn(app, server, subject)
  assert.equal(first.json.user.is_verified, false)
  await app.ctx.db.updateTable('users').set({ password_hash: 'x' }).where('id', '=', first.json.user.id).execute()
  server.people.get(subject)!.email_verified = true
  const second = await jsonSignIn(app, server, subject)
  assert.deepEqual([second.json.user.id, second.json.user.is_verified], [first.json.user.id, true])
  assert.equal((await userOf(email)).password_hash, null)
  assert.equal(await isAlive(first.json.sessionId), false)
  assert.deepEqual(await identitiesOf(first.json.user.id), [subject])
})

for (const [how, proof] of [
  ['a login link', async (email: string) => redeem(app, { token: (await asked(app, email)).token })],
  [
    'a new password',
    async (email: string) => {
      await app.post('/auth/password-reset/request', { email })
      const { text } = await app.mailTo(email, 1)
      const token = /token=([\w-]{43})/.exec(text)?.[1]
      return app.post('/auth/password-reset/complete', { token, password: 'moths around the relay' })
    },
  ],
] as const) {
  test(`an identity from before ${how} that proves the address for the first time lets nobody in`, async () => {
    const email = person().email
    const mallory = known(email, { email_verified: false })
    const { json } = await jsonSignIn(app, server, mallory)
    assert.equal((await proof(email)).status, 200)
    assert.deepEqual(await identitiesOf(json.user.id), [])
    assert.equal(toldFrontEnd(await signedInBy(app, server, mallory)).error, 'account_exists')
  })
}

test('an address that the provider does not vouch for takes nobody over, in whatever type it says so', async () => {
  const ada = await registered(app, 'ada')
  await verify(app, ada.id)
  for (const email_verified of [false, 'false', 1, 'yes', null, undefined]) {
    const before = await rowCounts(app)
    const reply = await jsonSignIn(app, server, known(ada.email, { email_verified }))
    assert.deepEqual([reply.status, reply.json.code], [400, 'ACCOUNT_EXISTS'], String(email_verified))
    assert.deepEqual(await rowCounts(app), before)
  }
  const web = await signedInBy(app, server, known(ada.email, { email_verified: 'false' }))
  assert.deepEqual(toldFrontEnd(web), { social_login: 'error', error: 'account_exists', provider: 'oidc' })
  assert.equal((await auditOf(app, 'social_rejected')).at(-1)?.details.reason, 'account_exists')
  assert.equal(await isAlive(ada.sessionToken), true)
})

test('a recycled address with another subject is another person, and so is another spelling of a subject', async () => {
  const email = person().email
  const first = await jsonSignIn(app, server, known(email))
  const second = await jsonSignIn(app, server, known(email))
  assert.deepEqual([second.status, second.json.code], [400, 'ACCOUNT_EXISTS'])
  assert.equal((await identitiesOf(first.json.user.id)).length, 1)
  const subject = `Case-${count}`
  server.people.set(subject, { sub: subject, email: person().email, email_verified: true })
  server.people.set(subject.toLowerCase(), { sub: subject.toLowerCase(), email: person().email, email_verified: true })
  const [upper, lower] = [await jsonSignIn(app, server, subject), await jsonSignIn(app, server, subject.toLowerCase())]
  assert.notEqual(upper.json.user.id, lower.json.user.id)
})

test('another address at the provider changes nothing about ours, and finds nobody else', async () => {
  const [email, victim] = [person().email, await registered(app, 'grace')]
  await verify(app, victim.id)
  const subject = known(email)
  const first = await jsonSignIn(app, server, subject)
  server.people.get(subject)!.email = victim.email
  const second = await jsonSignIn(app, server, subject)
  assert.equal(second.json.user.id, first.json.user.id)
  assert.equal(second.json.user.email, email)
})

test('without an address there is no new user', async () => {
  const subject = known('')
  delete server.people.get(subject)?.email
  const json = await jsonSignIn(app, server, subject)
  assert.deepEqual([json.status, json.json.code, json.json.details[0].field], [400, 'VALIDATION_ERROR', 'email'])
  assert.equal(toldFrontEnd(await signedInBy(app, server, subject)).error, 'email_required')
})

test('what a request says about the person does not count', async () => {
  const email = person().email
  const visit = await visited(app, server, known(email))
  const query = '&email=victim@example.com&user_type=superadmin&is_verified=true&name=Mallory&link=true'
  const reply = await app.get(`${visit.callback}${query}&format=json`, { headers: { cookie: visit.cookie } })
  assert.deepEqual([reply.json.user.email, reply.json.user.user_type, reply.json.user.name], [email, 'customer', ''])
})

test('a deleted user stays deleted, and nobody else takes over the account', async () => {
  const email = person().email
  const subject = known(email)
  const { json } = await jsonSignIn(app, server, subject)
  await app.call('DELETE', '/auth/user/me', withSession(json.sessionId))
  assert.equal((await jsonSignIn(app, server, subject)).json.code, 'ACCOUNT_EXISTS')
  assert.equal((await jsonSignIn(app, server, known(email))).json.code, 'ACCOUNT_EXISTS')
})

test('a sign-in ends the session that was in the browser, whoever had it', async () => {
  const grace = await registered(app, 'grace')
  const visit = await visited(app, server, known(person().email))
  const reply = await visitCallback(app, { ...visit, cookie: `${visit.cookie}; session_id=${grace.sessionToken}` })
  assert.equal(toldFrontEnd(reply).social_login, 'success')
  assert.equal(await isAlive(grace.sessionToken), false)
  assert.notEqual(reply.cookies.session_id?.value, grace.sessionToken)
})

test('with a second factor there is a partial session in every way, and only its value is seen in an address', async () => {
  const email = person().email
  const subject = known(email)
  const { json } = await jsonSignIn(app, server, subject)
  await requireSecondFactor(app, json.user.id)
  await sql`UPDATE users SET metadata = '{"plan": "gold"}', dob = '1990-01-01' WHERE id = ${json.user.id}`.execute(
    app.ctx.db,
  )

  const web = await signedInBy(app, server, subject)
  const told = toldFrontEnd(web)
  assert.deepEqual(Object.keys(told), ['social_login', 'requires_2fa', 'session_id', 'provider'])
  assert.match(told.session_id ?? '', /^ses_[\w-]{43}$/)
  assert.equal(web.cookies.session_id?.value, told.session_id)
  assert.ok(Number(web.cookies.session_id?.maxAge) <= 300)
  const { json: current } = await app.get('/auth/session/current', withSession(told.session_id ?? ''))
  assert.deepEqual([current.success, current.requires_2fa], [false, true])
  assert.notEqual(current.user.email, email)
  assert.deepEqual([current.user.metadata, current.user.dob], [{}, null])
  assert.equal((await app.get('/auth/social/accounts', withSession(told.session_id ?? ''))).status, 401)

  const program = await jsonSignIn(app, server, subject)
  assert.deepEqual(
    [program.json.success, program.json.requires_2fa, program.json.loginType, program.json.provider],
    [false, true, 'social_auth', 'oidc'],
  )
  assert.equal(program.json.user.email, email)
  const byApp = await app.post('/auth/social/oidc/login-api', await server.appCode(subject))
  assert.deepEqual(
    [byApp.json.success, byApp.json.requires_2fa, byApp.json.loginType],
    [false, true, 'social_auth_api'],
  )
  const rows = await app.ctx.db
    .selectFrom('sessions')
    .select(['status', 'seen_in_url', 'proof'])
    .where('user_id', '=', json.user.id)
    .where('status', '=', 'pending')
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  assert.deepEqual(
    rows.map(({ seen_in_url }) => seen_in_url),
    [true, false, false],
  )
})

test('where people do not register themselves, a provider makes nobody either; whoever is there comes in', async () => {
  for (const setting of ['REGISTRATION_ENABLED', 'SOCIAL_AUTO_REGISTER']) {
    const closed = await startTestApp({ env: { ...env, [setting]: 'false' } })
    try {
      const email = person().email
      const before = await rowCounts(closed)
      const reply = await jsonSignIn(closed, server, known(email))
      assert.deepEqual([reply.status, reply.json.code], [403, 'REGISTRATION_DISABLED'])
      assert.deepEqual(await rowCounts(closed), before)
    } finally {
      await closed.stop()
    }
  }
})

test('where addresses must be verified, an unverified one gets a mail and no session', async () => {
  const strict = await startTestApp({ env: { ...env, VERIFY_REGISTRATION: 'true' } })
  try {
    const email = person().email
    const subject = known(email, { email_verified: false })
    const reply = await jsonSignIn(strict, server, subject)
    assert.deepEqual([reply.status, reply.json.code], [403, 'EMAIL_NOT_VERIFIED'])
    assert.equal(reply.cookies.session_id, undefined)
    const token = /token=([\w-]{43})/.exec((await strict.mailTo(email)).text)?.[1]
    assert.equal((await strict.post('/auth/token/verify', { token })).status, 200)
    assert.equal((await jsonSignIn(strict, server, subject)).status, 200)
    assert.equal((await jsonSignIn(strict, server, known(person().email))).json.success, true)
  } finally {
    await strict.stop()
  }
})

test('SOCIAL_LOGIN=false switches every provider off', async () => {
  const off = await startTestApp({ env: { ...env, SOCIAL_LOGIN: 'false' } })
  try {
    assert.deepEqual((await off.get('/auth/social/providers')).json.providers, [])
    for (const path of ['login', 'callback']) {
      const { status, json } = await off.get(`/auth/social/google/${path}`)
      assert.deepEqual([status, json.code], [503, 'NOT_CONFIGURED'])
    }
    assert.equal((await off.post('/auth/social/google/login-api', {})).json.code, 'NOT_CONFIGURED')
  } finally {
    await off.stop()
  }
})
