import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { endSessionsOfApplications } from '../../src/sessions/end-of-applications.ts'
import { asked, newNumber, setPhone } from '../passwordless/support.ts'
import { textOf } from '../screens/all-pages.ts'
import { codeChallenge, locationOf, signInAt, verifier } from '../screens/flow-support.ts'
import { flowVisitor, linkIn, type Visitor } from '../screens/support.ts'
import { createAuthenticator } from '../support/authenticator.ts'
import { handedOver, issued, redeemed } from '../support/handover.ts'
import { addOwnPasskey, homeOf, passkeyLogin } from '../support/passkeys.ts'
import { registered, type SignedIn } from '../support/people.ts'
import { auditOf } from '../support/rows.ts'
import { bridgeSecret, startTestApp, type TestApp } from '../support/test-app.ts'
import { type Superadmin, secretsOf, superadminOf } from './support.ts'

let app: TestApp
let superadmin: Superadmin
before(async () => {
  const limits = { RATE_LIMIT_ADMIN: '1000/1h', RATE_LIMIT_TOKEN_VALIDATE: '1000/5m', RATE_LIMIT_READ: '10000/1m' }
  const env = { ALLOWED_REDIRECTS: 'https://declared.test', GOOGLE_CLIENT_ID: 'id', GOOGLE_CLIENT_SECRET: 'secret' }
  app = await startTestApp({ env: { ...limits, ...env } })
  superadmin = await superadminOf(app)
})
after(() => app.stop())

const originOf = (key: string) => `https://${key}.test`

async function create(key: string, rules: object = {}) {
  const origin = originOf(key)
  const { id } = await superadmin.create(key, { return_addresses: [origin], ...rules })
  return { id, origin, change: (input: object) => superadmin.call('PUT', `/${id}`, input) }
}

const validate = (session_id: string, secret = bridgeSecret) =>
  app.post('/auth/bridge/validate', { session_id }, { headers: { 'x-bridge-secret': secret } })

/** What a gateway receives for a navigation to this page. */
const verify = (sessionToken: string, page: string, secret = bridgeSecret) =>
  app.get('/auth/verify', {
    headers: {
      'x-bridge-secret': secret,
      'x-session-id': sessionToken,
      'x-original-url': page,
      accept: 'text/html',
    },
  })

/** The sessions of a new user who has signed in with a password, and then with a passkey. */
async function signedInTwice(): Promise<{ byPassword: string; byPasskey: string }> {
  const { sessionToken } = await registered(app, 'grace')
  const authenticator = createAuthenticator(homeOf(app))
  await addOwnPasskey(app, sessionToken, authenticator)
  return { byPassword: sessionToken, byPasskey: (await passkeyLogin(app, authenticator)).json.sessionId }
}

const passwordForm = ({ email, password }: SignedIn) => ({ identifier: email, password })

/** A browser that is signed in with a password. */
async function withPassword(user: SignedIn): Promise<Visitor> {
  const browser = flowVisitor(app)
  await browser.open('/login')
  assert.match(locationOf(await browser.send('/login', passwordForm(user))), /account/)
  return browser
}

/** The last page or the return address that the browser reaches. */
async function follow(browser: Visitor, address: string) {
  for (let at = address, hops = 0; ; hops++) {
    assert.ok(hops < 5, 'no loop')
    if (!at.startsWith('/')) return { at, text: '' }
    const reply = await browser.open(at)
    if (reply.status !== 303) return { at, status: reply.status, text: reply.text }
    at = String(reply.headers.location)
  }
}

async function signInByMail(browser: Visitor, address: string, user: SignedIn) {
  const flow = /flow=([\w-]+)/.exec(address)?.[1]
  await browser.open(`/login/mail?flow=${flow}`)
  await browser.send(`/login/mail?flow=${flow}`, { email: user.email })
  for (let count = 0; ; count++) {
    const mail = await app.mailTo(user.email, count)
    if (!mail.text.includes(`/login?flow=${flow}`)) continue
    await browser.open(linkIn(mail))
    return locationOf(await browser.send(`/auth/token/login?flow=${flow}`))
  }
}

describe('a rule', () => {
  test('is stored, shown, recorded and taken back', async () => {
    const { id, change } = await create('stored', { sign_in_methods: ['google', 'passkey', 'passkey'] })
    const shown = async () => (await superadmin.call('GET', `/${id}`)).json.data
    const { sign_in_methods, registration } = await shown()
    assert.deepEqual({ sign_in_methods, registration }, { sign_in_methods: ['passkey', 'google'], registration: true })
    assert.equal((await change({ sign_in_methods: ['password'], registration: false })).status, 200)
    const { changed, changes } = (await auditOf(app, 'application_updated')).at(-1)!.details as Record<string, unknown>
    assert.deepEqual(changed, ['sign_in_methods', 'registration'])
    assert.deepEqual(changes, {
      sign_in_methods: { from: ['passkey', 'google'], to: ['password'] },
      registration: { from: true, to: false },
    })
    await change({ sign_in_methods: [] })
    assert.deepEqual((await shown()).sign_in_methods, [])
  })

  test('is rejected if it names an unknown way, or only ways that are off in the settings', async () => {
    const { id, change } = await create('rejected')
    for (const sign_in_methods of [
      ['carrier_pigeon'],
      ['password', 'PASSKEY'],
      [''],
      ['github'],
      ['github', 'apple'],
    ]) {
      for (const response of [
        await change({ sign_in_methods }),
        await superadmin.call('POST', '', { key: 'never', name: 'x', kind: 'website', sign_in_methods }),
      ]) {
        assert.equal(response.status, 400, response.text)
        assert.equal(response.json.details[0].field.split('.')[0], 'sign_in_methods')
      }
    }
    assert.deepEqual((await superadmin.call('GET', `/${id}`)).json.data.sign_in_methods, [])
    assert.equal((await change({ sign_in_methods: ['github', 'google'] })).status, 200)
  })
})

describe('a code', () => {
  test('is issued only for a session that began in an accepted way', async () => {
    const { origin } = await create('codes', { sign_in_methods: ['passkey', 'email'] })
    const ada = await registered(app)
    await assert.rejects(issued(app, ada.sessionToken, `${origin}/callback`), { code: 'INVALID_SESSION' })
    await issued(app, ada.sessionToken, 'https://declared.test/')
    const { byPasskey: sessionId } = await signedInTwice()
    assert.match(await handedOver(app, sessionId, `${origin}/callback`), /./)
  })

  test('is not redeemed if the rule has changed since', async () => {
    const { id, origin } = await create('redeem')
    const ada = await registered(app)
    const code = await issued(app, ada.sessionToken, `${origin}/`)
    // By hand, so that the node that checks the code has not read the rule.
    await sql`UPDATE applications SET sign_in_methods = '{passkey}' WHERE id = ${id}`.execute(app.ctx.db)
    assert.equal((await redeemed(app, code)).json.code, 'INVALID_CODE')
    assert.equal((await auditOf(app, 'handover_rejected')).at(-1)?.details.reason, 'sign_in_method')
  })

  test('is issued by no rule with unknown names, whatever the session', async () => {
    const { id, origin, change } = await create('unknown', { sign_in_methods: ['password'] })
    const ada = await registered(app)
    await handedOver(app, ada.sessionToken, `${origin}/`)
    await sql`UPDATE applications SET sign_in_methods = '{"gone",""}' WHERE id = ${id}`.execute(app.ctx.db)
    await change({ note: 'read again' })
    await sql`UPDATE sessions SET sign_in_method = NULL WHERE user_id = ${ada.id}`.execute(app.ctx.db)
    app.clock.advance(60_000)
    await assert.rejects(issued(app, ada.sessionToken, `${origin}/`), { code: 'INVALID_SESSION' })
    assert.equal((await verify(ada.sessionToken, `${origin}/`)).status, 401)
  })
})

describe('the sign-in page of an application', () => {
  const ways = { password: /name="password"/, mail: /\/login\/mail\?flow/, google: /social\/google\/login/ }
  const offered = (text: string) =>
    Object.entries(ways).flatMap(([name, pattern]) => (pattern.test(text) ? [name] : []))

  for (const [key, sign_in_methods, expected] of [
    ['offer-all', [], ['password', 'mail', 'google']],
    ['offer-password', ['password'], ['password']],
    ['offer-mail', ['email', 'google'], ['mail', 'google']],
  ] as const)
    test(`offers only accepted ways: ${expected}`, async () => {
      const { origin } = await create(key, { sign_in_methods })
      const page = await follow(flowVisitor(app), signInAt({ return_to: origin }))
      assert.deepEqual(offered(page.text), expected)
      assert.doesNotMatch(textOf(page.text), /another way/)
    })

  test('says so if no accepted way is left', async () => {
    const { id, origin, change } = await create('offer-none', { sign_in_methods: ['password'] })
    await sql`UPDATE applications SET sign_in_methods = '{github}' WHERE id = ${id}`.execute(app.ctx.db)
    await change({ note: 'read again' })
    const page = await follow(flowVisitor(app), signInAt({ return_to: origin }))
    assert.equal(page.status, 403)
    assert.match(textOf(page.text), /You can’t sign in to this application/)
  })

  test('asks a visitor who is signed in by another way for an accepted one, and leads back then', async () => {
    const { origin } = await create('other-way', { sign_in_methods: ['email'] })
    const ada = await registered(app)
    const browser = await withPassword(ada)
    const start = signInAt({ return_to: `${origin}/callback`, code_challenge: codeChallenge, state: 's' })
    const page = await follow(browser, start)
    assert.match(textOf(page.text), /doesn’t accept the way in which you signed in/)
    assert.deepEqual(offered(page.text), ['mail'])
    // A sign-in by the same way does not lead there either, and does not end in a loop.
    await browser.send('/login', passwordForm(ada))
    assert.match(textOf((await follow(browser, page.at)).text), /doesn’t accept the way/)

    await signInByMail(browser, page.at, ada)
    const end = new URL((await follow(browser, page.at)).at)
    assert.equal(end.origin, origin)
    const code = { code: end.searchParams.get('code') ?? '', verifier, returnTo: `${origin}/callback` }
    assert.equal((await redeemed(app, code)).json.user.id, ada.id)
    assert.equal(new URL((await follow(browser, start)).at).origin, origin, 'at once the next time')
  })

  test('lets another user sign in, and gives the application that one', async () => {
    const { origin } = await create('other-user', { sign_in_methods: ['email'] })
    const [ada, grace] = [await registered(app), await registered(app, 'grace')]
    const browser = await withPassword(ada)
    const start = signInAt({ return_to: `${origin}/callback`, code_challenge: codeChallenge })
    const { at } = await follow(browser, start)
    await signInByMail(browser, at, grace)
    const end = new URL((await follow(browser, at)).at)
    const code = { code: end.searchParams.get('code') ?? '', verifier, returnTo: `${origin}/callback` }
    assert.equal((await redeemed(app, code)).json.user.id, grace.id)
  })

  test('does not lead back without a code challenge either', async () => {
    const { origin } = await create('shared-cookie', { sign_in_methods: ['email'] })
    const browser = await withPassword(await registered(app))
    assert.match((await follow(browser, signInAt({ return_to: origin }))).at, /^\/login\?flow=/)
  })

  test('is not shown for prompt=none', async () => {
    const { origin } = await create('silent', { sign_in_methods: ['email'] })
    const browser = await withPassword(await registered(app))
    const end = await follow(browser, signInAt({ return_to: origin, prompt: 'none' }))
    assert.equal(new URL(end.at).searchParams.get('error'), 'login_required')
  })

  test('has no page for a mailed link that the application does not accept', async () => {
    const { origin } = await create('no-mail', { sign_in_methods: ['password'] })
    const page = await follow(flowVisitor(app), signInAt({ return_to: origin, screen: 'mail' }))
    assert.deepEqual(offered(page.text), ['password'])
  })
})

describe('a gateway', () => {
  test('sends a visitor who is signed in by another way to the sign-in page, until the way is accepted', async () => {
    const { origin } = await create('gateway', { sign_in_methods: ['email'] })
    const ada = await registered(app)
    const browser = await withPassword(ada)
    const page = `${origin}/dashboard?x=1`
    const token = () => /session_id=([\w-]+)/.exec(browser.cookie())?.[1] ?? ''
    const rejected = await verify(token(), page)
    assert.equal(rejected.status, 401)
    const login = new URL(String(rejected.headers['x-auth-login']))
    const { at, text } = await follow(browser, login.pathname + login.search)
    assert.match(textOf(text), /doesn’t accept the way/)
    await signInByMail(browser, at, ada)
    assert.equal((await follow(browser, at)).at, page)
    assert.equal((await verify(token(), page)).status, 200)
  })

  test('accepts the same visitor for other applications', async () => {
    await create('strict', { sign_in_methods: ['passkey'] })
    const ada = await registered(app)
    const { origin } = await create('lenient')
    assert.equal((await verify(ada.sessionToken, `${originOf('strict')}/`)).status, 401)
    for (const page of [`${origin}/`, 'https://declared.test/'])
      assert.equal((await verify(ada.sessionToken, page)).status, 200)
  })

  test('finds the rule under other spellings of the address', async () => {
    await create('spelled', { return_addresses: ['https://spelled.test', 'https://declared.test/private'] })
    await superadmin.create('spelled-inner', {
      return_addresses: ['https://spelled.test/inner'],
      sign_in_methods: ['passkey'],
    })
    const ada = await registered(app)
    const statusOf = async (page: string) => (await verify(ada.sessionToken, page)).status
    assert.equal(await statusOf('https://spelled.test/outer'), 200)
    for (const page of ['/inner', '/INNER/x', '/%69nner', '//inner', '/inner;x'])
      assert.equal(await statusOf(`https://spelled.test${page}`), 401, page)
    for (const page of ['http://spelled.test/inner', 'https://spelled.test:8443/inner', 'https://spelled.test./inner'])
      assert.equal(await statusOf(page), 401, page)
    // The sign-in page has the same rule, so that it does not lead back to the gateway at once.
    const browser = await withPassword(ada)
    const { text } = await follow(browser, signInAt({ return_to: 'https://spelled.test/INNER' })).catch(() => ({
      text: '',
    }))
    assert.match(textOf(text), /doesn’t accept the way/)
  })

  test('finds the rule of an address that the settings also contain', async () => {
    const { change } = await create('adopted', {
      return_addresses: ['https://declared.test/adopted'],
      sign_in_methods: ['passkey'],
    })
    const ada = await registered(app)
    assert.equal((await verify(ada.sessionToken, 'https://declared.test/adopted/')).status, 401)
    await change({ return_addresses: ['https://declared.test'] })
    assert.equal((await verify(ada.sessionToken, 'https://declared.test/')).status, 401)
    await assert.rejects(issued(app, ada.sessionToken, 'https://declared.test/'), { code: 'INVALID_SESSION' })
    await change({ sign_in_methods: [] })
  })
})

describe('a back end', () => {
  test('is given no browser session that its own application does not accept', async () => {
    const { id, call } = await secretsOf(superadmin, 'own-secret', { return_addresses: ['https://own-secret.test'] })
    const { secret } = (await call('POST', '', {})).json.data
    const ada = await registered(app)
    assert.equal((await validate(ada.sessionToken, secret)).status, 200)
    await superadmin.call('PUT', `/${id}`, { sign_in_methods: ['passkey'] })
    const rejection = await validate(ada.sessionToken, secret)
    const unknown = await validate('x'.repeat(43), secret)
    assert.deepEqual([rejection.status, rejection.json.code], [unknown.status, unknown.json.code])
    assert.equal((await validate(ada.sessionToken)).status, 200, 'with a secret of the settings')
    assert.equal((await verify(ada.sessionToken, 'https://own-secret.test/', secret)).status, 401)
    // Another sign-in would not help, because the page belongs to another application.
    assert.equal((await verify(ada.sessionToken, 'https://elsewhere.test/', secret)).status, 403)
  })
})

describe('after a rule has been narrowed', () => {
  const rowOf = async (id: string) =>
    (
      await sql<{ status: string; sign_in_method: string }>`SELECT status, end_reason, sign_in_method FROM sessions
        WHERE application_id = ${id} ORDER BY sign_in_method`.execute(app.ctx.db)
    ).rows

  test('sessions that began in another way are rejected at once, and the others stay', async () => {
    const { id, origin, change } = await create('narrowed')
    const browsers = await signedInTwice()
    const [byPassword, byPasskey] = [
      await handedOver(app, browsers.byPassword, `${origin}/`),
      await handedOver(app, browsers.byPasskey, `${origin}/`),
    ]
    for (const session of [byPassword, byPasskey]) assert.equal((await validate(session)).status, 200)
    await change({ sign_in_methods: ['passkey'] })
    assert.equal((await validate(byPassword)).status, 401)
    assert.equal((await validate(byPasskey)).status, 200)
    assert.equal((await superadmin.call('GET', `/${id}`)).json.data.live_sessions, 1)
    await endSessionsOfApplications(app.ctx)
    assert.deepEqual(await rowOf(id), [
      { status: 'active', end_reason: null, sign_in_method: 'passkey' },
      { status: 'revoked', end_reason: 'sign_in_method', sign_in_method: 'password' },
    ])
    await change({ sign_in_methods: [] })
    assert.equal((await validate(byPassword)).status, 401, 'it is not revived')
    assert.equal((await validate(browsers.byPassword)).status, 200, 'the user stays signed in elsewhere')
  })

  test('the same holds for a change that was made by hand', async () => {
    const { id, origin } = await create('narrowed-by-hand')
    const ada = await registered(app)
    const session = await handedOver(app, ada.sessionToken, `${origin}/`)
    assert.equal((await validate(session)).status, 200)
    await sql`UPDATE applications SET sign_in_methods = '{passkey}' WHERE id = ${id}`.execute(app.ctx.db)
    const { rows } = await sql`SELECT FROM session_revocations WHERE user_id = ${id} AND epoch = 2`.execute(app.ctx.db)
    assert.equal(rows.length, 1, 'nodes and back ends learn of it as of the end of a session')
    app.clock.advance(60_000)
    assert.equal((await validate(session)).status, 401)
  })
})

test('sessions record how they began', async () => {
  const ada = await registered(app)
  const methodOf = async (sessionToken: string) =>
    (
      await sql<{ sign_in_method: string }>`SELECT s.sign_in_method FROM sessions s
        WHERE s.token_hash = sha256(${sessionToken}::bytea)`.execute(app.ctx.db)
    ).rows[0]?.sign_in_method
  assert.equal(await methodOf(ada.sessionToken), 'password')
  const { sessionId } = (await app.post('/auth/login', { email: ada.email, password: ada.password })).json
  assert.equal(await methodOf(sessionId), 'password')
  assert.equal(await methodOf((await signedInTwice()).byPasskey), 'passkey')
  await sql`UPDATE users SET is_verified = true WHERE id = ${ada.id}`.execute(app.ctx.db)
  const phone = newNumber()
  await setPhone(app, ada.id, phone)
  await sql`UPDATE users SET phone_trusted = true WHERE id = ${ada.id}`.execute(app.ctx.db)
  for (const [contact, method] of [
    [ada.email, 'email'],
    [phone, 'sms'],
  ] as const) {
    const { token } = await asked(app, contact)
    assert.equal(await methodOf((await app.post('/auth/token/login', { token })).json.sessionId), method)
  }
})
