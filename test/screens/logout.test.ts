import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { handedOver } from '../support/handover.ts'
import { registered, withSession } from '../support/people.ts'
import { auditOf } from '../support/rows.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'
import { textOf } from './all-pages.ts'
import { locationOf } from './flow-support.ts'
import { flowVisitor, type Visitor } from './support.ts'

let app: TestApp
before(async () => {
  app = await startTestApp({ env: { ALLOWED_REDIRECTS: 'https://shop.test,myapp://' } })
})
after(() => app.stop())

const back = 'https://shop.test/bye?a=1'
const at = (returnTo: string) => `/logout?${new URLSearchParams({ return_to: returnTo })}`

async function signedIn(): Promise<{ browser: Visitor; sessionToken: string }> {
  const ada = await registered(app)
  const browser = flowVisitor(app)
  await browser.open('/login')
  await browser.send('/login', { identifier: ada.email, password: ada.password })
  const sessionToken = /session_id=(ses_[\w-]+)/.exec(browser.cookie())?.[1] ?? ''
  return { browser, sessionToken }
}

const isAlive = async (sessionToken: string): Promise<boolean> =>
  (await app.call('GET', '/auth/session/current', withSession(sessionToken))).status === 200

test('a page asks first, then ends the whole sign-in and returns to the application', async () => {
  const { browser, sessionToken } = await signedIn()
  const child = await handedOver(app, sessionToken, 'https://shop.test/')
  const page = await browser.open(at(back))
  assert.equal(page.status, 200)
  assert.match(textOf(page.text), /You’ll then return to shop\.test\./)
  assert.match(String(page.headers['content-security-policy']), /form-action 'self' https:\/\/shop\.test;/)
  const [, stay = ''] = /<a href="([^"]+)">Stay signed in and return to shop\.test<\/a>/.exec(page.text) ?? []
  assert.equal(locationOf(await flowVisitor(app, { cookie: browser.cookie() }).open(stay)), back)
  assert.ok(await isAlive(sessionToken), 'opening the page changes nothing')
  assert.equal(locationOf(await browser.send('/logout')), back)
  assert.deepEqual([await isAlive(sessionToken), await isAlive(child)], [false, false])
  assert.doesNotMatch(browser.cookie(), /session_id/)
})

test('without an address it ends on the sign-in page', async () => {
  const { browser, sessionToken } = await signedIn()
  assert.equal((await browser.open('/logout')).status, 200)
  assert.equal(locationOf(await browser.send('/logout')), '/login?logout=success')
  assert.equal(await isAlive(sessionToken), false)
})

test('a visitor who is not signed in is redirected at once', async () => {
  assert.equal(locationOf(await flowVisitor(app).open(at(back))), back)
  assert.equal(locationOf(await flowVisitor(app).open(at('myapp://bye'))), 'myapp://bye')
  assert.equal(locationOf(await flowVisitor(app).open('/logout')), '/login')
})

test('with two different session cookies the page asks, and ends both', async () => {
  const [ada, grace] = [await registered(app), await registered(app)]
  const browser = flowVisitor(app, { cookie: `session_id=${ada.sessionToken}; session_id=${grace.sessionToken}` })
  assert.equal((await browser.open(at(back))).status, 200)
  assert.equal(locationOf(await browser.send('/logout')), back)
  assert.deepEqual([await isAlive(ada.sessionToken), await isAlive(grace.sessionToken)], [false, false])
})

test('an address that is not allowed gets an error page and leaves a trace, and nobody is signed out', async () => {
  const { browser, sessionToken } = await signedIn()
  for (const wrong of ['https://evil.test/', '//evil.test', '']) {
    const before = (await auditOf(app, 'return_rejected')).length
    const page = await browser.open(at(wrong))
    assert.deepEqual([page.status, page.headers.location], [400, undefined], wrong)
    assert.match(textOf(page.text), /ALLOWED_REDIRECTS/)
    await browser.open(at(back))
    const posted = await browser.send('/logout', { return_to: wrong })
    assert.deepEqual([posted.status, posted.headers.location], [400, undefined], wrong)
    assert.equal((await auditOf(app, 'return_rejected')).length, before + 2)
  }
  assert.ok(await isAlive(sessionToken))
  assert.equal((await flowVisitor(app).open(at('https://evil.test/'))).status, 400, 'nor without a session')
})

test('a form of another site signs nobody out', async () => {
  const { browser, sessionToken } = await signedIn()
  await browser.open(at(back))
  const foreign = await browser.send('/logout', {}, { 'sec-fetch-site': 'cross-site', origin: 'https://evil.test' })
  assert.equal(foreign.status, 403)
  await browser.open(at(back))
  assert.equal(locationOf(await browser.send('/logout', { form_token: 'forged' })), at(back))
  assert.ok(await isAlive(sessionToken))
})
