import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { day, minute } from '../../src/lib/time.ts'
import { createAuthenticator } from '../support/authenticator.ts'
import { addOwnPasskey, homeOf } from '../support/passkeys.ts'
import { registered, type SignedIn, signedInAs } from '../support/people.ts'
import { auditOf } from '../support/rows.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'
import { withTotp } from '../two-factor/support.ts'
import { textOf } from './all-pages.ts'
import { codeChallenge, locationOf, shop, signInAt } from './flow-support.ts'
import { flowVisitor, type Visitor, visitor } from './support.ts'

const offerPath = '/login/passkey'
const env = {
  ALLOWED_REDIRECTS: 'https://shop.test',
  RATE_LIMIT_REGISTRATION: '1000/1h',
  RATE_LIMIT_LOGIN: '1000/15m',
}
let app: TestApp
let silent: TestApp
before(async () => {
  app = await startTestApp({ modules: ['two-factor'], env })
  silent = await startTestApp({ modules: ['two-factor'], env: { ...env, PASSKEY_UPGRADE: 'silent' } })
})
after(async () => {
  await app?.stop()
  await silent?.stop()
})

/** The script of the page sets the field. */
const able = { can_create_passkey: 'true' }

async function signIn(browser: Visitor, { email, password }: SignedIn, more: object = able): Promise<string> {
  await browser.open('/login')
  return locationOf(await browser.send('/login', { identifier: email, password, ...more }))
}

/** Fills in the form of the offer as its script does. */
async function accept(browser: Visitor, address = offerPath) {
  await browser.open(address)
  const session = { headers: { cookie: browser.cookie() } }
  const { json } = await app.post('/auth/passkeys/options', {}, session)
  const created = createAuthenticator(homeOf(app)).create(json.options)
  return browser.send(address, { response: JSON.stringify(created) })
}

const passkeysOf = async ({ id }: SignedIn, on = app): Promise<number> => {
  const { rows } = await sql`SELECT FROM passkeys WHERE user_id = ${id}`.execute(on.ctx.db)
  return rows.length
}

test('after a sign-in with a password, the user is offered a passkey, and accepts', async () => {
  const [ada, browser] = [await registered(app), visitor(app)]
  assert.equal(await signIn(browser, ada), offerPath)
  const page = textOf((await browser.open(offerPath)).text)
  assert.match(page, /Sign in faster with a passkey[\s\S]*Create a passkey\nNot now/)
  assert.equal(locationOf(await accept(browser)), '/account')
  assert.equal(await passkeysOf(ada), 1)
  app.clock.advance(31 * day)
  assert.equal(await signIn(visitor(app), ada), '/account', 'there is a passkey')
})

test('"Not now" is remembered for 30 days, in every browser', async () => {
  const [ada, browser] = [await registered(app), visitor(app)]
  await signIn(browser, ada)
  await browser.open(offerPath)
  assert.equal(locationOf(await browser.send(offerPath, { later: 'true' })), '/account')
  assert.equal(await passkeysOf(ada), 0)
  assert.equal(await signIn(visitor(app), ada), '/account')
  app.clock.advance(30 * day)
  assert.equal(await signIn(visitor(app), ada), offerPath)
})

test('without a script that says otherwise, the browser gets no offer', async () => {
  const ada = await registered(app)
  for (const more of [{}, { can_create_passkey: '' }, { can_create_passkey: 'false' }])
    assert.equal(await signIn(visitor(app), ada, more), '/account')
  assert.equal(await signIn(visitor(app), ada), offerPath)
})

test('the offer leads to the page that was asked for, and to the application with its code', async () => {
  const [ada, grace] = [await registered(app), await registered(app, 'grace')]
  const browser = visitor(app)
  await browser.open('/account/sessions')
  assert.equal(await signIn(browser, ada), offerPath)
  await browser.open(offerPath)
  assert.equal(locationOf(await browser.send(offerPath, { later: 'true' })), '/account/sessions')

  for (const choice of ['later', 'accept'] as const) {
    await sql`DELETE FROM passkey_offers`.execute(app.ctx.db)
    const flow = flowVisitor(app)
    const address = locationOf(
      await flow.open(signInAt({ return_to: shop, state: 'x', code_challenge: codeChallenge })),
    )
    await flow.open(address)
    const onward = locationOf(await flow.send(address, { identifier: grace.email, password: grace.password, ...able }))
    assert.equal(onward, address.replace('/login', offerPath))
    await flow.open(onward)
    const reply = choice === 'later' ? await flow.send(onward, { later: 'true' }) : await accept(flow, onward)
    assert.equal(locationOf(reply), address)
    const end = new URL(locationOf(await flow.open(address)))
    assert.deepEqual([end.origin + end.pathname, end.searchParams.get('state')], [shop, 'x'])
    assert.ok(end.searchParams.get('code'))
  }
})

test('no address in the query or the form changes where the offer leads', async () => {
  const [ada, browser] = [await registered(app), visitor(app)]
  await signIn(browser, ada)
  const evil = 'https://evil.test/'
  const query = new URLSearchParams({ return_to: evil, next: evil, flow: 'A'.repeat(12) })
  await browser.open(`${offerPath}?${query}`)
  const reply = await browser.send(offerPath, { later: 'true', next: evil, return_to: evil })
  assert.equal(locationOf(reply), '/account')
})

test('the second step comes first, and only the confirmed session is offered a passkey', async () => {
  const [ada, browser] = [await withTotp(app), visitor(app)]
  assert.equal(await signIn(browser, ada), '/login/verify')
  assert.equal(locationOf(await browser.open(offerPath)), '/login/verify')
  await browser.open('/login/verify')
  assert.equal(locationOf(await browser.send('/login/verify', { code: ada.code() })), offerPath)
  assert.equal(locationOf(await accept(browser)), '/account')
  assert.equal(await passkeysOf(ada), 1)
  assert.doesNotMatch(browser.cookie(), /kept_upgrade/)
})

test('the page is skipped with a passkey, while acting as another user, and without a session', async () => {
  const [ada, browser] = [await registered(app), visitor(app)]
  await signIn(browser, ada)
  await addOwnPasskey(app, ada.sessionToken, createAuthenticator(homeOf(app)))
  assert.equal(locationOf(await browser.open(offerPath)), '/account')
  assert.equal(locationOf(await visitor(app).open(offerPath)), '/login')

  const root = await signedInAs(app, 'superadmin')
  const grace = await registered(app, 'grace')
  const from = { headers: { cookie: `session_id=${root.sessionToken}`, origin: 'http://localhost:3000' } }
  const acting = await app.post(`/auth/admin/users/${grace.id}/impersonate`, { reason: 'A test' }, from)
  assert.equal(acting.status, 200, acting.text)
  const cookie = `session_id=${acting.json.sessionId}; own_session=${root.sessionToken}`
  const page = await app.get(offerPath, { headers: { cookie, accept: 'text/html' } })
  assert.equal(locationOf(page), '/account')
})

test('the page says why no passkey was created, and the user continues', async () => {
  const [ada, browser] = [await registered(app), visitor(app)]
  await signIn(browser, ada)
  const sent: [Record<string, string>, RegExp][] = [
    [{}, /browser that supports passkeys/],
    [{ response: 'no JSON' }, /The passkey wasn’t created/],
    [{ response: '{}' }, /The passkey wasn’t created/],
    [{ later: 'true', form_token: 'forged' }, /expired|again/],
  ]
  for (const [fields, text] of sent) {
    await browser.open(offerPath)
    const reply = await browser.send(offerPath, fields)
    assert.equal(reply.status, 400)
    assert.match(textOf(reply.text), text)
  }
  assert.equal((await auditOf(app, 'csrf_rejected')).at(-1)?.actor_id, ada.id)
  app.clock.advance(11 * minute)
  await browser.open(offerPath)
  const late = await browser.send(offerPath)
  assert.equal(late.status, 403)
  assert.match(textOf(late.text), /Too much time has passed since you signed in/)
  assert.equal(locationOf(await browser.send(offerPath, { later: 'true' })), '/account')
})

const script = 'mediation: "conditional"'
const upgradesIn = ({ text }: { text: string }): boolean => text.replaceAll("'", '"').includes(script)

test('silently, the page of the account creates the passkey, once after the sign-in', async () => {
  const [ada, browser] = [await registered(silent), visitor(silent)]
  assert.equal(await signIn(browser, ada), '/account')
  assert.equal(upgradesIn(await browser.open('/account')), true)
  assert.equal(upgradesIn(await browser.open('/account')), false)
  assert.equal(await signIn(browser, ada, {}), '/account')
  assert.equal(upgradesIn(await browser.open('/account')), false, 'the browser cannot')
})

test('silently, nothing is tried on other pages, on the way to an application, or with a passkey', async () => {
  const ada = await registered(silent)
  const elsewhere = visitor(silent)
  await elsewhere.open('/account/sessions')
  assert.equal(await signIn(elsewhere, ada), '/account/sessions')
  assert.equal(upgradesIn(await elsewhere.open('/account')), false)

  const flow = flowVisitor(silent)
  const address = locationOf(await flow.open(signInAt({ return_to: shop, state: 'x', code_challenge: codeChallenge })))
  await flow.open(address)
  assert.equal(
    locationOf(await flow.send(address, { identifier: ada.email, password: ada.password, ...able })),
    address,
  )
  assert.doesNotMatch(flow.cookie(), /kept_upgrade/)

  const owner = visitor(silent)
  await signIn(owner, ada)
  await addOwnPasskey(silent, ada.sessionToken, createAuthenticator(homeOf(silent)))
  assert.equal(upgradesIn(await owner.open('/account')), false)
})

test('silently, a second step does not end the attempt', async () => {
  const [ada, browser] = [await withTotp(silent), visitor(silent)]
  await signIn(browser, ada)
  await browser.open('/login/verify')
  assert.equal(locationOf(await browser.send('/login/verify', { code: ada.code() })), '/account')
  assert.equal(upgradesIn(await browser.open('/account')), true)
})

test('the sign-in page looks for passkeys only if something follows', async () => {
  const off = await startTestApp({ env: { ...env, PASSKEY_UPGRADE: 'off' } })
  try {
    assert.ok((await visitor(app).open('/login')).text.includes('name="can_create_passkey"'))
    const bare = await visitor(off).open('/login')
    assert.ok(!bare.text.includes('can_create_passkey'))
    const ada = await registered(off)
    assert.equal(await signIn(visitor(off), ada), '/account')
    assert.equal((await visitor(off).open(offerPath)).status, 303)
  } finally {
    await off.stop()
  }
})
