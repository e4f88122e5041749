import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { hour, minute } from '../../src/lib/time.ts'
import { registered, withSession } from '../support/people.ts'
import { auditOf } from '../support/rows.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'
import { withTotp } from '../two-factor/support.ts'
import { textOf } from './all-pages.ts'
import { codeChallenge, flowIn, locationOf, shop, signInAt } from './flow-support.ts'
import { flowVisitor, type Visitor } from './support.ts'

let app: TestApp
const label = 'a'.repeat(60)
const longHost = `${label}.${label}.shop.test`
before(async () => {
  const env = { ALLOWED_REDIRECTS: `https://shop.test,https://${longHost}:8443,myapp://` }
  app = await startTestApp({ modules: ['two-factor'], env })
})
after(() => app.stop())

const begin = async (browser: Visitor, members: Record<string, string>): Promise<string> => {
  const address = locationOf(await browser.open(signInAt(members)))
  await browser.open(address)
  return address
}

const signedIn = async (): Promise<{ browser: Visitor; ada: Awaited<ReturnType<typeof registered>> }> => {
  const ada = await registered(app)
  const browser = flowVisitor(app)
  await browser.open('/login')
  await browser.send('/login', { identifier: ada.email, password: ada.password })
  app.clock.advance(minute)
  return { browser, ada }
}

test('pages on the way to an application name it', async () => {
  for (const [return_to, name] of [
    [shop, 'shop.test'],
    [`https://${longHost}:8443/`, '…shop.test:8443'],
    ['myapp://signed-in', 'myapp'],
  ] as const) {
    const browser = flowVisitor(app)
    const address = await begin(browser, { return_to })
    for (const path of ['/login', '/register', '/login/mail', '/forgot', '/verify-email', '/forgot/sent']) {
      const page = await browser.open(`${path}?flow=${flowIn(address)}`)
      assert.ok(textOf(page.text).includes(`\nto continue to\n${name}\n`), `${path}: ${textOf(page.text)}`)
    }
    const spanish = await browser.open(locationOf(await browser.open(signInAt({ return_to, ui_locales: 'es' }))))
    assert.ok(textOf(spanish.text).includes(`para continuar en\n${name}`))
  }
  const link = await flowVisitor(app).open(`/login?token=${'a'.repeat(43)}`)
  assert.doesNotMatch(textOf(link.text), /to continue/)
})

test('the second step names the application', async () => {
  const ada = await withTotp(app)
  const browser = flowVisitor(app)
  const address = await begin(browser, { return_to: shop })
  const step = locationOf(await browser.send(address, { identifier: ada.email, password: ada.password }))
  assert.match(textOf((await browser.open(step)).text), /\nto continue to\nshop\.test\n/)
})

test('a cancelled second step leads back at once, and ends the session that waited for it', async () => {
  const ada = await withTotp(app)
  const browser = flowVisitor(app)
  const address = await begin(browser, { return_to: shop, state: 's' })
  const step = locationOf(await browser.send(address, { identifier: ada.email, password: ada.password }))
  const page = await browser.open(step)
  assert.match(textOf(page.text), /\nCancel\n/)
  assert.doesNotMatch(textOf(page.text), /sign out/)
  const [, sessionToken = ''] = /session_id=(ses_[\w-]+)/.exec(browser.cookie()) ?? []
  assert.ok(sessionToken)
  const end = await browser.send(`/login/cancel?flow=${flowIn(address)}`)
  assert.equal(locationOf(end), `${shop}?error=access_denied&state=s`)
  assert.equal((await app.get('/auth/session/current', withSession(sessionToken))).status, 401)
  assert.ok(!browser.cookie().includes(sessionToken))
  assert.equal((await auditOf(app, 'sign_in_cancelled')).length, 1)
})

test('a second step with nobody to tell of it is left by signing out', async () => {
  const ada = await withTotp(app)
  const browser = flowVisitor(app)
  const address = await begin(browser, { return_to: shop })
  const page = await browser.open(
    locationOf(await browser.send(address, { identifier: ada.email, password: ada.password })),
  )
  assert.match(textOf(page.text), /Cancel and sign out/)
})

test('every page before the sign-in can be left for the application', async () => {
  for (const path of ['/register', '/login/mail', '/forgot']) {
    const browser = flowVisitor(app)
    const flow = flowIn(await begin(browser, { return_to: shop, state: 's' }))
    await browser.open(`${path}?flow=${flow}`)
    const end = await browser.send(`/login/cancel?flow=${flow}`)
    assert.equal(locationOf(end), `${shop}?error=access_denied&state=s`, path)
  }
})

test('addresses of the service itself have no name and nothing to cancel', async () => {
  const browser = flowVisitor(app)
  const address = await begin(browser, { return_to: 'http://localhost:3000/account/security', state: 's' })
  const page = await browser.open(address)
  assert.doesNotMatch(textOf(page.text), /to continue|Cancel/)
  assert.equal((await browser.send(`/login/cancel?flow=${flowIn(address)}`)).status, 400)
})

test('a cancelled sign-in leads back with access_denied and the state, ends the flow and leaves a trace', async () => {
  for (const [return_to, code_challenge, back, origin] of [
    [shop, codeChallenge, `${shop}?error=access_denied&state=a+b%26c`, 'https://shop.test'],
    ['myapp://done?x=1#y', '', 'myapp://done?x=1&error=access_denied&state=a+b%26c#y', 'myapp://done'],
  ] as const) {
    const before = (await auditOf(app, 'sign_in_cancelled')).length
    const browser = flowVisitor(app)
    const members = { return_to, state: 'a b&c', ...(code_challenge && { code_challenge }) }
    const address = await begin(browser, members)
    const end = await browser.send(`/login/cancel?flow=${flowIn(address)}`)
    assert.equal(locationOf(end), back)
    assert.equal(end.headers['cache-control'], 'no-store')
    assert.doesNotMatch(browser.cookie(), /flow_/)
    const entries = await auditOf(app, 'sign_in_cancelled')
    assert.equal(entries.length, before + 1)
    assert.deepEqual(entries.at(-1)?.details, { origin })
    assert.equal((await browser.send(`/login/cancel?flow=${flowIn(address)}`)).status, 400, 'the flow is over')
  }
})

test('an application that sent neither state nor challenge gets no cancelled sign-in', async () => {
  const browser = flowVisitor(app)
  const address = await begin(browser, { return_to: shop })
  const page = await browser.open(address)
  assert.match(textOf(page.text), /to continue to\nshop\.test/)
  assert.doesNotMatch(textOf(page.text), /Cancel/)
  assert.equal((await browser.send(`/login/cancel?flow=${flowIn(address)}`)).status, 400)
})

test('only a form of ours cancels, within the hour, in the browser that began', async () => {
  const members = { return_to: shop, state: 's', code_challenge: codeChallenge }
  const { browser } = await signedIn()
  const confirm = await begin(browser, { ...members, prompt: 'login' })
  const cancel = `/login/cancel?flow=${flowIn(confirm)}`
  const kept = `=${flowIn(confirm)}.`
  const before = (await auditOf(app, 'csrf_rejected')).length
  await browser.open(confirm)
  const foreign = await browser.send(cancel, {}, { 'sec-fetch-site': 'cross-site', origin: 'https://evil.test' })
  assert.equal(foreign.status, 403)
  assert.equal((await auditOf(app, 'csrf_rejected')).length, before + 1)
  await browser.open(confirm)
  const forged = await browser.send(cancel, { form_token: 'forged' })
  assert.equal(forged.status, 400)
  assert.match(textOf(forged.text), /open for too long/)
  const other = flowVisitor(app)
  await other.open('/login')
  assert.equal((await other.send(cancel)).status, 400)
  assert.ok(browser.cookie().includes(kept), 'nothing has ended')
  await browser.open(confirm)
  app.clock.advance(hour)
  assert.equal((await browser.send(cancel)).status, 400)
})

test('the page that asks for a fresh proof stands alone, says whose it is, and can be left', async () => {
  const { browser, ada } = await signedIn()
  const members = { return_to: shop, state: 's', code_challenge: codeChallenge, prompt: 'login' }
  const confirm = await begin(browser, members)
  const page = await browser.open(confirm)
  const text = textOf(page.text)
  for (const part of [ada.email, 'to continue to\nshop.test', 'Use another account', 'Cancel'])
    assert.ok(text.includes(part), part)
  assert.doesNotMatch(page.text, /<nav/)
  assert.equal(
    locationOf(await browser.send(`/login/cancel?flow=${flowIn(confirm)}`)),
    `${shop}?error=access_denied&state=s`,
  )
  assert.equal((await browser.open('/account')).status, 200, 'the session goes on')
  const ours = await browser.open('/account/confirm?next=/account/security')
  assert.match(ours.text, /<a href="\/account">Cancel<\/a>/)
  assert.doesNotMatch(textOf(ours.text), /to continue|Use another account/)
})
