import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { operator } from '../../src/admin/principal.ts'
import { createApplication } from '../../src/applications/change-application.ts'
import { createSecret } from '../../src/applications/secrets/change-secrets.ts'
import { textOf } from '../screens/all-pages.ts'
import { flowIn, locationOf, signInAt } from '../screens/flow-support.ts'
import { flowVisitor, hiddenFields, linkIn, type Visitor } from '../screens/support.ts'
import { type OidcServer, startOidcServer } from '../social/oidc-server.ts'
import { jsonSignIn } from '../social/support.ts'
import { createAuthenticator } from '../support/authenticator.ts'
import { homeOf } from '../support/passkeys.ts'
import { person, registered } from '../support/people.ts'
import { auditOf } from '../support/rows.ts'
import { bridgeSecret, startTestApp, type TestApp } from '../support/test-app.ts'
import { type Superadmin, superadminOf } from './support.ts'

const open = 'https://open.test'
const closed = 'https://closed.test'

let app: TestApp
let server: OidcServer
let superadmin: Superadmin
before(async () => {
  server = await startOidcServer()
  app = await startTestApp({
    env: {
      ...server.env,
      TOKEN_LOGIN_AUTO_REGISTER: 'true',
      VERIFY_REGISTRATION: 'false',
      RATE_LIMIT_REGISTRATION: '1000/1h',
      RATE_LIMIT_TOKEN_LOGIN: '1000/1h',
    },
  })
  superadmin = await superadminOf(app)
  await superadmin.create('open', { return_addresses: [open] })
  await superadmin.create('closed', { return_addresses: [closed], registration: false })
})
after(async () => {
  await app?.stop()
  await server?.stop()
})

const countUsers = async () =>
  (await sql<{ count: number }>`SELECT count(*)::int AS count FROM users`.execute(app.ctx.db)).rows[0]?.count
const hasUser = async (email: string) =>
  (await sql`SELECT FROM users WHERE email = ${email}`.execute(app.ctx.db)).rows.length > 0

/** A browser on the sign-in page of the application. */
async function begun(return_to: string) {
  const browser = flowVisitor(app)
  const address = locationOf(await browser.open(signInAt({ return_to })))
  const page = await browser.open(address)
  return { browser, flow: flowIn(address), page: page.text }
}

const registration = ({ email, password }: { email: string; password: string }) => ({ email, password, name: 'Ada' })

/** The form of the registration page, which the browser has opened without a flow. */
async function postRegistration(browser: Visitor, flow: string, fields: Record<string, string>) {
  const { text } = await flowVisitorPage(browser)
  const token = /name="form_token" value="([^"]+)"/.exec(text)?.[1] ?? ''
  return browser.send(`/register?flow=${flow}`, { ...fields, form_token: token })
}
const flowVisitorPage = (browser: Visitor) => browser.open('/register?with=password')

describe('a registration on the way to an application that does not accept any', () => {
  test('has no link and no page', async () => {
    assert.match((await begun(open)).page, /href="\/register\?flow=/)
    const { browser, flow, page } = await begun(closed)
    assert.doesNotMatch(page, /\/register/)
    for (const path of ['/register', '/register?with=password']) {
      const reply = await browser.open(`${path}${path.includes('?') ? '&' : '?'}flow=${flow}`)
      assert.equal(reply.status, 403)
      assert.doesNotMatch(reply.text, /<form class="stack"/)
    }
  })

  test('is rejected when the form is sent, in the same way for known and new addresses', async () => {
    const known = await registered(app)
    const ada = person()
    const before = await countUsers()
    const seen = []
    for (const email of [ada.email, known.email]) {
      const { browser, flow } = await begun(closed)
      const reply = await postRegistration(browser, flow, registration({ ...ada, email }))
      seen.push([reply.status, textOf(reply.text).replaceAll(email, 'address')])
    }
    assert.deepEqual(seen[0], seen[1])
    assert.equal(seen[0]?.[0], 403)
    assert.equal(await countUsers(), before)
    assert.deepEqual((await auditOf(app, 'register')).at(-1)?.details, { reason: 'application' })

    const other = await begun(open)
    const reply = await postRegistration(other.browser, other.flow, registration(ada))
    assert.equal(reply.status, 303, reply.text)
    assert.ok(await hasUser(ada.email))
  })

  test('is rejected if the API is told the flow', async () => {
    const { browser, flow } = await begun(closed)
    const call = (body: object) =>
      app.post('/auth/register', body, { headers: { cookie: browser.cookie(), 'sec-fetch-site': 'same-origin' } })
    const reply = await call({ ...registration(person()), flow })
    assert.deepEqual([reply.status, reply.json.code], [403, 'REGISTRATION_DISABLED'])
    assert.equal((await call(registration(person()))).status, 200, 'without a flow')
  })

  test('sends no code for a passkey', async () => {
    const { browser, flow } = await begun(closed)
    await browser.open('/register')
    const ada = person()
    const { text } = await browser.open('/register')
    const token = /action="\/register\/address"[\s\S]*?name="form_token" value="([^"]+)"/.exec(text)?.[1] ?? ''
    const reply = await browser.send(`/register/address?flow=${flow}`, { email: ada.email, form_token: token })
    assert.equal(reply.status, 403, textOf(reply.text))
    assert.equal(app.inbox?.list({ to: ada.email }).length, 0)
  })

  test('does not end with a passkey whose code was requested elsewhere', async () => {
    const { browser, flow } = await begun(closed)
    const ada = person()
    await browser.open('/register')
    await browser.send('/register/address', { email: ada.email })
    const code = /^\d{6}$/m.exec((await app.mailTo(ada.email)).text)?.[0] ?? ''
    await browser.open('/register/code')
    const page = await browser.send('/register/code', { code })
    const options = JSON.parse(/id="settings">(.+?)<\/script>/.exec(page.text)?.[1] ?? '{}').create
    const response = JSON.stringify(createAuthenticator(homeOf(app)).create(options))
    const fields = { ...hiddenFields(page.text, '/register/passkey'), response }
    const reply = await browser.send(`/register/passkey?flow=${flow}`, fields)
    assert.equal(reply.status, 403, textOf(reply.text))
    assert.equal(await hasUser(ada.email), false)
  })

  test('sends no link to an unknown address, and the page does not say so', async () => {
    const known = await registered(app)
    const unknown = person()
    const before = await countUsers()
    const seen = []
    for (const email of [unknown.email, known.email]) {
      const { browser, flow } = await begun(closed)
      await browser.open(`/login/mail?flow=${flow}`)
      const sent = await browser.send(`/login/mail?flow=${flow}`, { email })
      const page = await browser.open(locationOf(sent))
      seen.push([sent.status, textOf(page.text).replaceAll(email, 'address')])
    }
    await app.mailTo(known.email, 1)
    assert.deepEqual(seen[0], seen[1])
    assert.equal(app.inbox?.list({ to: unknown.email }).length, 0)
    assert.equal(
      (await auditOf(app, 'token_sent')).find(({ details }) => details.reason === 'unknown') !== undefined,
      true,
    )
    assert.equal(await countUsers(), before)
  })

  test('does not happen with a link that leads to the application, or that was requested elsewhere', async () => {
    const [ada, grace] = [person(), person('grace')]
    await app.post('/auth/token/login', { identifier: ada.email, type: 'email', redirect_url: `${closed}/in` })
    await app.post('/auth/token/login', { identifier: grace.email, type: 'email', redirect_url: `${open}/in` })
    const mail = await app.mailTo(grace.email)
    assert.equal(app.inbox?.list({ to: ada.email }).length, 0)

    const { browser, flow } = await begun(closed)
    const token = new URLSearchParams(linkIn(mail).split('?')[1]).get('token')
    await browser.open(`/login?flow=${flow}&token=${token}`)
    const reply = await browser.send(`/auth/token/login?flow=${flow}`)
    assert.equal(reply.status, 400)
    assert.equal(await hasUser(grace.email), false)
    assert.equal((await app.post('/auth/token/login', { token })).status, 200, 'the link is still valid elsewhere')
    assert.ok(await hasUser(grace.email))
  })

  test('does not happen with a provider', async () => {
    for (const name of ['new', 'elsewhere'])
      server.people.set(name, { sub: name, email: `${name}@closed.example.com`, email_verified: true, given_name: 'A' })
    const { browser, flow } = await begun(closed)
    const started = await browser.open(`/auth/social/oidc/login?flow=${flow}`)
    const back = await server.signIn(String(started.headers.location), 'new')
    const end = await browser.open(`${back.pathname}${back.search}`)
    assert.match(String(end.headers.location), /error=registration_disabled/)
    assert.equal(await hasUser('new@closed.example.com'), false)
    const page = await browser.open(String(end.headers.location))
    assert.equal(page.status, 200)

    assert.equal((await jsonSignIn(app, server, 'elsewhere')).status, 200)
    const { rows } = await sql`SELECT sign_in_method FROM sessions ORDER BY created_at DESC, id DESC LIMIT 1`.execute(
      app.ctx.db,
    )
    assert.deepEqual(rows, [{ sign_in_method: 'oidc' }])
    assert.ok(await hasUser('elsewhere@closed.example.com'))
    const again = await begun(closed)
    const link = await again.browser.open(`/auth/social/oidc/login?flow=${again.flow}`)
    const known = await server.signIn(String(link.headers.location), 'elsewhere')
    const signedIn = await again.browser.open(`${known.pathname}${known.search}`)
    assert.match(String(signedIn.headers.location), /^\/login\?flow=/, 'a known user signs in')
  })

  test('is not possible for its back end', async () => {
    const other = await startTestApp({ env: { REGISTRATION_REQUIRES_BRIDGE: 'true' } })
    try {
      const request = { principal: operator }
      const input = { key: 'closed', name: 'Closed', kind: 'website', registration: false } as const
      const id = await createApplication(other.ctx, request, input)
      const { secret } = await createSecret(other.ctx, { ...request, id }, { rights: ['sessions', 'users'] })
      const register = (value: string) =>
        other.post('/auth/register', registration(person()), { headers: { 'x-bridge-secret': value } })
      assert.equal((await register(secret)).json.code, 'REGISTRATION_DISABLED')
      assert.equal((await register(bridgeSecret)).status, 200)
    } finally {
      await other.stop()
    }
  })
})
