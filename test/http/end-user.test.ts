import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { issued } from '../support/handover.ts'
import { person, registered, withSession } from '../support/people.ts'
import { bridgeSecret, startTestApp, type TestApp } from '../support/test-app.ts'

let app: TestApp
before(async () => {
  app = await startTestApp({ env: { MAIL_NEW_DEVICE: 'true' } })
})
after(() => app.stop())

/** The IP address of an application's back end, from which all its calls come. */
const from = '198.51.100.20'
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

let people = 0
const newPlace = (): string => {
  people++
  return `203.0.113.${people}`
}
const named = (ip: string, more: Record<string, string> = {}) => ({
  from,
  headers: { 'x-bridge-secret': bridgeSecret, 'x-end-user-ip': ip, 'x-end-user-agent': firefox, ...more },
})
const wrong = { email: 'nobody@example.com', password: 'not the right one' }

test('an application’s own sign-in form gives each customer a budget of their own', async () => {
  const { attempts } = app.ctx.config.RATE_LIMIT_LOGIN
  const [first, second] = [newPlace(), newPlace()]
  const guess = (ip: string, count: number) =>
    app.post('/auth/login', { ...wrong, email: `nobody.${count}@example.com` }, named(ip))
  for (let count = 0; count < attempts; count++) assert.equal((await guess(first, count)).status, 401)
  const refused = await guess(first, 99)
  assert.equal(refused.status, 429)
  const { rows } = await sql`SELECT ip, details FROM audit_events WHERE event = 'rate_limited'`.execute(app.ctx.db)
  assert.deepEqual(rows, [{ ip: first, details: { class: 'login' } }])
  assert.equal((await guess(second, 100)).status, 401)
  // Without the headers, all these requests would count against the limit for the back end's IP address.
  for (let count = 0; count < attempts; count++)
    assert.equal(
      (await app.post('/auth/login', { ...wrong, email: `nobody.${count}@example.com` }, { from })).status,
      401,
    )
  assert.equal((await app.post('/auth/login', wrong, { from })).status, 429)
})

test('a person has one budget, whether they come by themselves or through a back end', async () => {
  const { attempts } = app.ctx.config.RATE_LIMIT_LOGIN
  const ip = newPlace()
  for (let count = 0; count < attempts; count++)
    assert.equal(
      (await app.post('/auth/login', { ...wrong, email: `no.${count}@example.com` }, { from: ip })).status,
      401,
    )
  assert.equal((await app.post('/auth/login', wrong, named(`::ffff:${ip}`))).status, 429)
})

test('IPv6 customers are counted by their network', async () => {
  const { attempts } = app.ctx.config.RATE_LIMIT_LOGIN
  for (let count = 0; count < attempts; count++)
    assert.equal(
      (await app.post('/auth/login', { ...wrong, email: `six.${count}@example.com` }, named(`2001:db8::${count}`)))
        .status,
      401,
    )
  assert.equal((await app.post('/auth/login', wrong, named('2001:db8:0:0:ffff::1'))).status, 429)
  assert.equal((await app.post('/auth/login', wrong, named('2001:db8:0:1::1'))).status, 401)
})

test('the limits of an account hold wherever a back end says that people come from', async () => {
  const ada = await registered(app)
  for (let count = 0; count < 5; count++)
    assert.equal((await app.post('/auth/login', { ...wrong, email: ada.email }, named(newPlace()))).status, 401)
  assert.equal(
    (await app.post('/auth/login', { email: ada.email, password: ada.password }, named(newPlace()))).status,
    429,
  )
})

test('session, audit and mails tell of the person, not of the back end', async () => {
  const ada = await registered(app)
  const ip = newPlace()
  const reply = await app.post('/auth/login', { email: ada.email, password: ada.password }, named(ip))
  assert.equal(reply.status, 200)
  const [session] = (await app.get('/auth/sessions', withSession(reply.json.sessionId))).json.data.sessions
  assert.deepEqual([session.ipAddress, session.userAgent, session.userDevice], [ip, firefox, 'Firefox on Linux'])
  const { rows } = await sql`SELECT ip, user_agent FROM audit_events
    WHERE event = 'login_success' AND target_id = ${ada.id} ORDER BY time DESC LIMIT 1`.execute(app.ctx.db)
  assert.deepEqual(rows, [{ ip, user_agent: firefox }])
  const mails = [await app.mailTo(ada.email), await app.mailTo(ada.email, 1)]
  const [told] = mails.filter(({ text }) => text.includes('Firefox on Linux'))
  assert.ok(told?.text.includes(ip))
})

test('without the bridge secret the headers have no effect', async () => {
  const ada = await registered(app)
  const headers = { 'x-end-user-ip': '203.0.113.250', 'x-end-user-agent': firefox, 'user-agent': 'curl/8' }
  const place = '198.51.100.77'
  const reply = await app.post('/auth/login', { email: ada.email, password: ada.password }, { headers, from: place })
  const [session] = (await app.get('/auth/sessions', withSession(reply.json.sessionId))).json.data.sessions
  assert.deepEqual([session.ipAddress, session.userAgent], [place, 'curl/8'])
  assert.equal((await app.post('/auth/login', wrong, { headers: { 'x-end-user-ip': 'nonsense' } })).status, 401)
  const { attempts } = app.ctx.config.RATE_LIMIT_LOGIN
  for (let count = 1; count < attempts; count++) {
    const other = { ...headers, 'x-end-user-ip': `203.0.113.${200 + count}` }
    await app.post('/auth/login', { ...wrong, email: `x.${count}@example.com` }, { headers: other, from: place })
  }
  assert.equal((await app.post('/auth/login', wrong, { headers, from: place })).status, 429)
})

test('refuses the headers with a wrong bridge secret, or with the right one from a page', async () => {
  const secrets: Record<string, string>[] = [
    { 'x-bridge-secret': `${bridgeSecret}x` },
    { 'x-bridge-secret': '' },
    { origin: 'https://shop.example' },
  ]
  for (const more of secrets) {
    const reply = await app.post('/auth/login', wrong, { ...named(newPlace(), more), from: newPlace() })
    assert.equal(reply.status, 401)
    assert.equal(reply.json.code, 'BRIDGE_SECRET_REQUIRED')
  }
})

test('refuses what is no address, and names the header', async () => {
  const bad = ['', 'somewhere', '203.0.113.7:443', '203.0.113.7, 203.0.113.8', '[2001:db8::1]', '999.1.1.1', ' ']
  for (const ip of bad) {
    const reply = await app.post('/auth/login', wrong, named(ip))
    assert.equal(reply.status, 400, ip)
    assert.equal(reply.json.code, 'VALIDATION_ERROR')
    assert.deepEqual(reply.json.details, [{ field: 'X-End-User-IP', message: 'must be one IP address' }])
  }
})

test('counts every call that a back end makes for a person under that person', async () => {
  const code = await issued(app, (await registered(app)).sessionToken)
  const calls: [method: string, url: string, body?: unknown][] = [
    ['POST', '/auth/login', {}],
    ['POST', '/auth/register', {}],
    ['POST', '/auth/register/public', {}],
    ['POST', '/auth/token/login', { identifier: 'x@example.com' }],
    ['POST', '/auth/token/create', { identifier: 'x@example.com' }],
    ['POST', '/auth/token/validate', { token: 'x' }],
    ['GET', '/auth/token/validate?token=x'],
    ['POST', '/auth/token/verify', { token: 'x' }],
    ['GET', '/auth/token/verify?token=x'],
    ['POST', '/auth/resend-verification', { email: 'x@example.com' }],
    ['POST', '/auth/password-reset/request', { email: 'x@example.com' }],
    ['POST', '/auth/password-reset/validate', { token: 'x' }],
    ['GET', '/auth/password-reset/validate?token=x'],
    ['GET', '/auth/password-reset/validate/x'],
    ['POST', '/auth/password-reset/complete', { token: 'x', password: 'three owls in a willow' }],
    ['POST', '/auth/two_factor/verify', {}],
    ['POST', '/auth/two_factor/email/start', {}],
    ['POST', '/auth/passkey/login', {}],
    ['POST', '/auth/passkey/login/options', {}],
    ['POST', '/auth/passkey/link', { token: 'x' }],
    ['POST', '/auth/register/passkey/code', { email: 'x@example.com' }],
    ['POST', '/auth/register/passkey/options', {}],
    ['POST', '/auth/register/passkey', {}],
    ['POST', '/auth/recovery/code', { email: 'x@example.com' }],
    ['POST', '/auth/recovery', {}],
    ['POST', '/auth/social/google/login-api', {}],
    ['POST', '/auth/bridge/redeem', { code: code.code, code_verifier: code.verifier, return_to: code.returnTo }],
  ]
  for (const [method, url, body] of calls) {
    const [ip, other] = [newPlace(), newPlace()]
    const left = async (place: string) => {
      const again = url.includes('redeem') ? { ...(body as object), code: String(Math.random()) } : body
      const reply = await app.call(method, url, { ...named(place), ...(again !== undefined && { body: again }) })
      return Number(reply.headers['x-ratelimit-remaining'])
    }
    const first = await left(ip)
    // Requests with a one-time token also count against the token's limit.
    assert.equal(await left(ip), first - 1, `${method} ${url}`)
    if (!JSON.stringify(body ?? url).includes('token')) assert.equal(await left(other), first, `${method} ${url}`)
  }
})

test('a person who registers through a back end is told of by their own address', async () => {
  const ip = newPlace()
  const reply = await app.post('/auth/register', person('grace'), named(ip))
  assert.equal(reply.status, 200)
  const { rows } = await sql`SELECT ip FROM audit_events WHERE event = 'register'
    AND target_id = ${reply.json.data.id}`.execute(app.ctx.db)
  assert.deepEqual(rows, [{ ip }])
})

test('a back end signs its customers out under its secret, and can name each of them', async () => {
  const { attempts } = app.ctx.config.RATE_LIMIT_WRITE
  const address = '198.51.100.77'
  const signOut = (headers: Record<string, string>) => app.post('/auth/logout', {}, { from: address, headers })
  const secret = { 'x-bridge-secret': bridgeSecret }
  for (let count = 0; count < attempts; count++) assert.equal((await signOut(secret)).status, 401)
  const ada = await registered(app)
  assert.equal((await signOut({ ...secret, 'x-session-id': ada.sessionToken })).status, 200)

  const ip = newPlace()
  const grace = await registered(app, 'grace')
  const reply = await signOut({
    ...secret,
    'x-session-id': grace.sessionToken,
    'x-end-user-ip': ip,
    'x-end-user-agent': firefox,
  })
  assert.equal(reply.status, 200)
  const { rows } = await sql`SELECT ip FROM audit_events WHERE event = 'logout' AND target_id = ${grace.id}`.execute(
    app.ctx.db,
  )
  assert.deepEqual(rows, [{ ip }])
  for (let count = 0; count < attempts; count++) await signOut({ ...secret, 'x-end-user-ip': ip })
  assert.equal((await signOut({ ...secret, 'x-end-user-ip': ip })).status, 429)

  const alan = await registered(app, 'alan')
  const wrongSecret = await signOut({ 'x-bridge-secret': 'wrong', 'x-session-id': alan.sessionToken })
  assert.equal(wrongSecret.json.code, 'BRIDGE_SECRET_REQUIRED')
  const leaked = await signOut({ ...secret, origin: 'https://evil.example', 'x-session-id': alan.sessionToken })
  assert.equal(leaked.json.code, 'BRIDGE_SECRET_REQUIRED')
  assert.equal((await app.get('/auth/me', withSession(alan.sessionToken))).status, 200)
})
