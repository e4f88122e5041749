import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { minute } from '../../src/lib/time.ts'
import { resealSeeds } from '../../src/modules/two-factor/upkeep.ts'
import { asked, redeem, settled } from '../passwordless/support.ts'
import { registered, withSession } from '../support/people.ts'
import { bridgeSecret, startTestApp, type TestApp } from '../support/test-app.ts'
import { base, mailsOf, pending, verify, withTotp } from './support.ts'

let app: TestApp
before(async () => {
  app = await startTestApp({ modules: ['two-factor'] })
})
after(() => app.stop())

test('a value that was ever part of an address is dead once the session is a full one', async () => {
  const ada = await withTotp(app)
  await app.call('PUT', '/auth/profile', {
    ...withSession(ada.sessionToken),
    body: { tmz: 'Europe/Madrid', title: 'Dr', metadata: { a: 1 } },
  })
  const { sessionToken, reply } = await pending(app, ada)
  assert.deepEqual([reply.json.user.email, reply.json.user.tmz], [ada.email, 'Europe/Madrid'])
  const seen = await app.get('/auth/me', { query: { session_id: sessionToken } })
  const { email, tmz, title, metadata } = seen.json.user
  assert.deepEqual({ email, tmz, title, metadata }, { email: 'a***@example.com', tmz: null, title: null, metadata: {} })
  assert.deepEqual((await app.get('/auth/me', withSession(sessionToken))).json.data.user, seen.json.user)
  for (const url of ['/auth/session/current', '/auth/validation'])
    assert.deepEqual((await app.get(url, withSession(sessionToken))).json.user, seen.json.user, url)
  const promoted = await verify(app, sessionToken, { code: ada.code() })
  assert.equal(promoted.status, 200, promoted.text)
  const fresh = promoted.json.sessionId
  assert.notEqual(fresh, sessionToken)
  assert.equal(promoted.cookies.session_id?.value, fresh)
  assert.equal(promoted.json.user.email, ada.email)
  assert.equal((await app.get('/auth/me', withSession(sessionToken))).json.code, 'INVALID_SESSION')
  assert.equal((await app.get('/auth/me', withSession(fresh))).json.success, true)
})

test('an address by which a back end asks is an address, too', async () => {
  const ada = await withTotp(app)
  const { sessionToken } = await pending(app, ada)
  const call = { headers: { 'x-bridge-secret': bridgeSecret }, query: { session_id: sessionToken } }
  assert.equal((await app.post('/auth/bridge/validate', undefined, call)).json.code, 'TWO_FACTOR_REQUIRED')
  assert.notEqual((await verify(app, sessionToken, { code: ada.code() })).json.sessionId, sessionToken)
})

test('the full session has whole lifetimes from its promotion on', async () => {
  const ada = await withTotp(app)
  const { sessionToken } = await pending(app, ada)
  app.clock.advance(2 * minute)
  const { json, cookies } = await verify(app, sessionToken, { code: ada.code() })
  assert.equal(Date.parse(json.expiresAt) - app.clock.now(), 7 * 24 * 60 * minute)
  assert.equal(cookies.session_id?.maxAge, 30 * 24 * 60 * 60)
  assert.equal((await app.post(`${base}/recovery/regenerate`, {}, withSession(sessionToken))).status, 200)
})

test('PROMOTION_ROTATE=always gives every promoted session a new value', async () => {
  const strict = await startTestApp({
    modules: ['two-factor'],
    env: { PROMOTION_ROTATE: 'always', TWO_FACTOR_METHODS: 'totp' },
  })
  try {
    const ada = await withTotp(strict)
    const { sessionToken } = await pending(strict, ada)
    const { json } = await verify(strict, sessionToken, { code: ada.code() })
    assert.notEqual(json.sessionId, sessionToken)
    assert.equal((await strict.get('/auth/me', withSession(sessionToken))).status, 401)
    assert.equal((await strict.get('/auth/me', withSession(json.sessionId))).status, 200)
    assert.deepEqual((await strict.get(`${base}/system`)).json.available_methods, ['totp'])
    const other = await strict.post(`${base}/email/setup`, {}, withSession(json.sessionId))
    assert.deepEqual([other.status, other.json.code], [503, 'NOT_CONFIGURED'])
  } finally {
    await strict.stop()
  }
})

test('a seed is kept encrypted, and sealed anew when the keys are changed', async () => {
  const ada = await withTotp(app)
  const begun = await app.post(`${base}/totp/setup`, {}, withSession(ada.sessionToken))
  const stored = async () =>
    (await sql<{ secret: string }>`SELECT secret FROM two_factor WHERE id = ${ada.methodId}`.execute(app.ctx.db))
      .rows[0]?.secret ?? ''
  const everything = await sql<{ row: string }>`SELECT two_factor::text AS row FROM two_factor`.execute(app.ctx.db)
  for (const { row } of everything.rows) assert.ok(!row.includes(begun.json.secret))
  assert.ok(!app.logged().includes(begun.json.secret))
  assert.match(await stored(), /^1\./)

  const [old] = app.ctx.dataKeys
  const fresh = { id: '2', key: Buffer.alloc(32, 9) }
  Object.assign(app.ctx, { dataKeys: [fresh, old] })
  assert.equal((await verify(app, (await pending(app, ada)).sessionToken, { code: ada.code() })).status, 200)
  assert.match(await stored(), /^2\./)
  assert.ok((await resealSeeds(app.ctx)) > 0)
  assert.equal(await resealSeeds(app.ctx), 0)
  Object.assign(app.ctx, { dataKeys: [fresh] })
  app.clock.advance(minute)
  assert.equal((await verify(app, (await pending(app, ada)).sessionToken, { code: ada.code() })).status, 200)
  Object.assign(app.ctx, { dataKeys: [old] })
})

test('an inbox that is proven for the first time sheds the factors of whoever set them up', async () => {
  const ada = await withTotp(app)
  const { token } = await asked(app, ada.email)
  const reply = await redeem(app, { token })
  assert.equal(reply.json.success, true)
  assert.deepEqual((await app.get(`${base}/methods`, withSession(reply.json.sessionId))).json.methods, [])
  await settled(app)
  assert.equal(mailsOf(app, ada.email, /removed|sign-in/i).length > 0, true)
})

test('a proven user who comes by a link still needs the second factor', async () => {
  const ada = await withTotp(app)
  await sql`UPDATE users SET is_verified = true WHERE id = ${ada.id}`.execute(app.ctx.db)
  const { token } = await asked(app, ada.email)
  const reply = await redeem(app, { token })
  assert.equal(reply.json.requires_2fa, true)
  assert.equal((await verify(app, reply.json.sessionId, { code: ada.code() })).status, 200)
})

test('without the module, nobody is asked for a code, and its routes return 404', async () => {
  const bare = await startTestApp()
  try {
    const ada = await registered(bare)
    await sql`UPDATE users SET two_factor = true WHERE id = ${ada.id}`.execute(bare.ctx.db)
    const signedIn = await bare.post('/auth/login', { email: ada.email, password: ada.password })
    assert.equal(signedIn.json.success, true)
    assert.deepEqual((await bare.get(`${base}/system`)).json, {
      success: true,
      global_two_factor_enabled: false,
      available_methods: [],
    })
    for (const path of ['/email/setup', '/email/start', '/recovery/regenerate']) {
      const reply = await bare.post(`${base}${path}`, {}, withSession(ada.sessionToken))
      assert.deepEqual(
        [reply.status, reply.json.error, reply.json.code],
        [404, 'module_not_installed', 'module_not_installed'],
        path,
      )
    }
    assert.equal((await bare.get(`${base}/methods`, withSession(ada.sessionToken))).status, 404)
    const again = await bare.post('/auth/reauthenticate', { code: '000000' }, withSession(ada.sessionToken))
    assert.equal(again.json.code, 'module_not_installed')
  } finally {
    await bare.stop()
  }
})

test('TWO_FACTOR_ENABLED=false switches it off, and what was set up stays', async () => {
  const off = await startTestApp({ modules: ['two-factor'], env: { TWO_FACTOR_ENABLED: 'false' } })
  try {
    const ada = await registered(off)
    await sql`UPDATE users SET two_factor = true WHERE id = ${ada.id}`.execute(off.ctx.db)
    assert.equal((await off.post('/auth/login', { email: ada.email, password: ada.password })).json.success, true)
    assert.equal((await off.get(`${base}/system`)).json.global_two_factor_enabled, false)
    const reply = await off.get(`${base}/methods`, withSession(ada.sessionToken))
    assert.deepEqual([reply.status, reply.json.code], [503, 'MODULE_DISABLED'])
  } finally {
    await off.stop()
  }
})

test('partial sessions do not end full ones, and completed ones count like the others', async (t) => {
  const small = await startTestApp({
    modules: ['two-factor'],
    env: { SESSION_MAX_PER_USER: '2', RATE_LIMIT_LOGIN: '1000/1h', PARTIAL_SESSION_TTL: '10m' },
  })
  t.after(() => small.stop())
  const isLive = async (sessionToken: string) =>
    (await small.get('/auth/session/current', withSession(sessionToken))).status === 200
  const ada = await withTotp(small)
  const partial: string[] = []
  for (let count = 0; count < 5; count++) partial.push((await pending(small, ada)).sessionToken)
  assert.equal(await isLive(ada.sessionToken), true)
  const ended = await Promise.all(partial.slice(0, 3).map((token) => verify(small, token, { code: ada.code() })))
  assert.deepEqual(
    ended.map(({ status }) => status),
    [401, 401, 401],
    'the oldest partial sessions have ended',
  )
  for (const token of partial.slice(3)) {
    assert.equal((await verify(small, token, { code: ada.code() })).status, 200)
    small.clock.advance(minute)
  }
  assert.equal(await isLive(ada.sessionToken), false, 'it is the oldest of three')
})
