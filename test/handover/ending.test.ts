import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { handedOver, issued, newVerifier, redeemed, sessionOf } from '../support/handover.ts'
import { registered, type SignedIn, signedInAs, withSession } from '../support/people.ts'
import { auditOf } from '../support/rows.ts'
import { bridgeSecret, startTestApp, type TestApp } from '../support/test-app.ts'

let app: TestApp
before(async () => {
  app = await startTestApp({
    env: { RATE_LIMIT_LOGIN: '1000/1h', RATE_LIMIT_ADMIN: '1000/1h', SESSION_MAX_PER_USER: '2' },
  })
})
after(() => app.stop())

const blog = 'https://blog.example/back'
const validate = async (sessionToken: string) =>
  (
    await app.post(
      '/auth/bridge/validate',
      { session_id: sessionToken },
      { headers: { 'x-bridge-secret': bridgeSecret } },
    )
  ).status
const login = async ({ email, password }: SignedIn, headers = {}) =>
  (await app.post('/auth/login', { email, password }, { headers })).json.sessionId as string
const reasonOf = async (sessionToken: string) =>
  ((await sessionOf(app, sessionToken)) as { end_reason?: string }).end_reason

/** Actions that end a browser session. */
const endings: Record<string, (ada: SignedIn) => Promise<unknown>> = {
  'a sign-out': ({ sessionToken }) => app.post('/auth/logout', undefined, withSession(sessionToken)),
  'its entry in the list': async (ada) => {
    const { id } = await sessionOf(app, ada.sessionToken)
    return app.call('DELETE', `/auth/sessions/${id}`, withSession(await login(ada)))
  },
  'the end of all other sessions': async (ada) => {
    return app.call('DELETE', '/auth/sessions', withSession(await login(ada)))
  },
  'an administrator': async ({ id }) =>
    app.call('DELETE', `/auth/admin/users/${id}/sessions`, withSession((await signedInAs(app, 'admin')).sessionToken)),
  'another password': async (ada) => {
    const other = withSession(await login(ada))
    const body = { current_password: ada.password, new_password: 'seven lamps along the quay' }
    return app.post('/auth/password-change/self', body, other)
  },
  'another sign-in in its browser': (ada) => login(ada, { cookie: `session_id=${ada.sessionToken}` }),
  'the limit of sessions': async (ada) => {
    app.clock.advance(1)
    await login(ada)
    app.clock.advance(1)
    await login(ada)
  },
  'the deletion of the user': ({ sessionToken }) => app.call('DELETE', '/auth/user/me', withSession(sessionToken)),
  'SQL by hand': ({ id }) =>
    sql`UPDATE sessions SET status = 'expired' WHERE user_id = ${id} AND parent_id IS NULL`.execute(app.ctx.db),
}

for (const [name, end] of Object.entries(endings)) {
  test(`sessions of applications end when that of the browser ends by ${name}`, async () => {
    const ada = await registered(app)
    const children = [await handedOver(app, ada.sessionToken), await handedOver(app, ada.sessionToken, blog)]
    for (const child of children) assert.equal(await validate(child), 200)
    await end(ada)
    // A change made directly in SQL takes effect only once cached sessions have expired.
    if (name === 'SQL by hand') app.clock.advance(app.ctx.config.SESSION_VALIDATION_CACHE_TTL)
    for (const sessionToken of [ada.sessionToken, ...children]) assert.equal(await validate(sessionToken), 401)
    for (const child of children) assert.notEqual(await reasonOf(child), null)
  })
}

test('a session whose parent is deleted is deleted with it', async () => {
  const ada = await registered(app)
  const child = await handedOver(app, ada.sessionToken)
  await sql`DELETE FROM sessions WHERE user_id = ${ada.id} AND parent_id IS NULL`.execute(app.ctx.db)
  app.clock.advance(app.ctx.config.SESSION_VALIDATION_CACHE_TTL)
  assert.equal(await validate(child), 401)
})

test('signing out of one application ends the sign-in, and with it all other applications', async () => {
  const ada = await registered(app)
  const elsewhere = await login(ada)
  const [shop, other] = [await handedOver(app, ada.sessionToken), await handedOver(app, ada.sessionToken, blog)]
  const elsewhereToo = await handedOver(app, elsewhere)
  for (const sessionToken of [ada.sessionToken, shop, other, elsewhere, elsewhereToo])
    assert.equal(await validate(sessionToken), 200)
  const reply = await app.post('/auth/logout', undefined, withSession(shop))
  assert.deepEqual(reply.json, { success: true, message: 'Logged out' })
  for (const sessionToken of [ada.sessionToken, shop, other]) assert.equal(await validate(sessionToken), 401)
  for (const sessionToken of [elsewhere, elsewhereToo]) assert.equal(await validate(sessionToken), 200)
  const event = (await auditOf(app, 'logout')).at(-1)!
  assert.deepEqual(event.details, {
    session: (await sessionOf(app, shop)).id,
    parent: (await sessionOf(app, ada.sessionToken)).id,
    scope: 'sign_in',
  })
  assert.equal((await app.post('/auth/logout', undefined, withSession(shop))).status, 401)
})

test('signing out with the scope application ends that session alone', async () => {
  const ada = await registered(app)
  const [shop, other] = [await handedOver(app, ada.sessionToken), await handedOver(app, ada.sessionToken, blog)]
  assert.equal((await app.post('/auth/logout?scope=application', undefined, withSession(shop))).status, 200)
  assert.equal(await validate(shop), 401)
  for (const sessionToken of [ada.sessionToken, other]) assert.equal(await validate(sessionToken), 200)
  assert.equal((await app.post('/auth/logout?scope=all', undefined, withSession(other))).status, 400)
})

test('ending all other sessions from an application keeps it and the session it depends on', async () => {
  const ada = await registered(app)
  const elsewhere = await login(ada)
  const [shop, other] = [await handedOver(app, ada.sessionToken), await handedOver(app, ada.sessionToken, blog)]
  const proof = { body: { current_password: ada.password }, ...withSession(shop) }
  assert.equal((await app.call('DELETE', '/auth/sessions', proof)).json.data.ended, 2)
  for (const sessionToken of [ada.sessionToken, shop]) assert.equal(await validate(sessionToken), 200)
  for (const sessionToken of [elsewhere, other]) assert.equal(await validate(sessionToken), 401)
})

test('sessions of applications do not use up the sessions that a user may have', async () => {
  const ada = await registered(app)
  const elsewhere = await login(ada)
  for (let count = 0; count < 4; count++) await handedOver(app, elsewhere)
  for (const sessionToken of [ada.sessionToken, elsewhere]) assert.equal(await validate(sessionToken), 200)
})

test('an application has at most five sessions below one session of a browser: the newest', async () => {
  const ada = await registered(app)
  const other = await handedOver(app, ada.sessionToken, blog)
  const children: string[] = []
  for (let count = 0; count < 7; count++) {
    app.clock.advance(1)
    children.push(await handedOver(app, ada.sessionToken))
  }
  const states = []
  for (const child of children) states.push(await validate(child))
  assert.deepEqual(states, [401, 401, 200, 200, 200, 200, 200])
  assert.equal(await validate(other), 200)
  assert.equal((await auditOf(app, 'session_limit')).filter(({ target_id }) => target_id === ada.id).length, 2)
})

test('a code that was issued before the end of its session never creates another one', async () => {
  for (const [name, end] of Object.entries(endings)) {
    const ada = await registered(app)
    const code = await issued(app, ada.sessionToken)
    await end(ada)
    assert.equal((await redeemed(app, code)).json.code, 'INVALID_CODE', name)
    assert.equal((await redeemed(app, { ...code, verifier: newVerifier() })).json.code, 'INVALID_CODE', name)
  }
})

/** Actions that end other sessions, but not the session that the code was issued from. */
const others: Record<string, (ada: SignedIn, child: string) => Promise<{ status: number }>> = {
  'the end of all other sessions': ({ sessionToken }) =>
    app.call('DELETE', '/auth/sessions', withSession(sessionToken)),
  'the same by an application': ({ password }, child) =>
    app.call('DELETE', '/auth/sessions', { body: { current_password: password }, ...withSession(child) }),
  'another password': ({ sessionToken, password }) => {
    const body = { current_password: password, new_password: 'seven lamps along the quay' }
    return app.post('/auth/password-change/self', body, withSession(sessionToken))
  },
  'the end of that session of the application': async ({ sessionToken }, child) =>
    app.call('DELETE', `/auth/sessions/${(await sessionOf(app, child)).id}`, withSession(sessionToken)),
  'a sign-out of that application': (_, child) =>
    app.post('/auth/logout?scope=application', undefined, withSession(child)),
}

for (const [name, end] of Object.entries(others)) {
  test(`a code that is still unused is withdrawn by ${name}`, async () => {
    for (const to of [undefined, 'com.example.shop://back']) {
      const ada = await registered(app)
      const child = await handedOver(app, ada.sessionToken, to)
      const code = await issued(app, ada.sessionToken, to)
      assert.equal((await end(ada, child)).status, 200)
      assert.equal(await validate(ada.sessionToken), 200)
      assert.equal((await redeemed(app, code)).json.code, 'INVALID_CODE')
      assert.equal((await auditOf(app, 'handover_rejected')).at(-1)!.details.reason, 'withdrawn')
      assert.equal((await redeemed(app, await issued(app, ada.sessionToken, to))).status, 200)
    }
  })
}

test('ending the session of one application leaves the codes of others and of other people usable', async () => {
  const [ada, bea] = [await registered(app), await registered(app)]
  const child = await handedOver(app, ada.sessionToken)
  const kept = [
    await issued(app, ada.sessionToken, blog),
    await issued(app, ada.sessionToken, 'https://shop.example.net/callback'),
  ]
  kept.push(await issued(app, bea.sessionToken))
  assert.equal((await app.post('/auth/logout?scope=application', undefined, withSession(child))).status, 200)
  for (const code of kept) assert.equal((await redeemed(app, code)).status, 200)
})
