import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { minute } from '../../../src/lib/time.ts'
import { type OidcServer, startOidcServer } from '../../social/oidc-server.ts'
import type { Reply } from '../../support/test-app.ts'
import { startTestApp, type TestApp } from '../../support/test-app.ts'
import { textOf } from '../all-pages.ts'
import type { Visitor } from '../support.ts'
import { memberOf } from './support.ts'

let server: OidcServer
let app: TestApp
before(async () => {
  server = await startOidcServer()
  const env = {
    ...server.env,
    RATE_LIMIT_LOGIN: '100/15m',
    RATE_LIMIT_SOCIAL_LOGIN: '100/15m',
    TOKEN_LOGIN_ENABLED: 'false',
  }
  app = await startTestApp({ env })
})
after(async () => {
  await app?.stop()
  await server?.stop()
})

const page = '/account/linked'

/** Clicks the button, signs in at the provider, and follows the redirects back to the page. */
async function link(browser: Visitor, subject: string): Promise<Reply> {
  await browser.open(page)
  const away = await browser.send(`${page}/add`)
  const [, url = ''] = /^0;url=(http:.+)$/.exec(String(away.headers.refresh)) ?? []
  assert.ok(away.text.includes(`href="${url.replaceAll('&', '&amp;')}"`), away.text)
  const back = await server.signIn(url, subject)
  const arrived = await browser.open(`${back.pathname}${back.search}`)
  const sendOutcome = new URL(String(arrived.headers.location))
  const led = await browser.open(`${sendOutcome.pathname}${sendOutcome.search}`)
  return browser.open(String(led.headers.location))
}

test('another account is linked and unlinked, and the browser is where it was', async () => {
  const ada = await memberOf(app)
  server.people.set('ada-there', { sub: 'ada-there', email: 'ada@there.example', email_verified: true })
  assert.match(textOf((await ada.open('/account')).text), /Linked accounts/)
  assert.match(textOf((await ada.open(page)).text), /No linked accounts/)
  const linked = await link(ada, 'ada-there')
  assert.match(textOf(linked.text), /The account is linked[\s\S]*OpenID Connect\nada@there\.example/)
  assert.doesNotMatch(textOf(linked.text), /Link OpenID Connect/)
  assert.equal((await ada.send(`${page}/remove`)).headers.location, `${page}?done=unlinked`)
  assert.match(textOf((await ada.open(`${page}?done=unlinked`)).text), /was unlinked[\s\S]*No linked accounts/)
})

test('an account that belongs to somebody else here is refused in words', async () => {
  server.people.set('taken', { sub: 'taken', email: 'taken@there.example', email_verified: true })
  const ada = await memberOf(app)
  const grace = await memberOf(app)
  await link(ada, 'taken')
  assert.match(textOf((await link(grace, 'taken')).text), /already linked to another user/)
})

test('the only way to sign in stays', async () => {
  server.people.set('only', { sub: 'only', email: 'only@there.example', email_verified: true })
  const ada = await memberOf(app)
  await link(ada, 'only')
  await sql`UPDATE users SET password_hash = NULL WHERE id = ${ada.id}`.execute(app.ctx.db)
  const refused = await ada.send(`${page}/remove`)
  assert.equal(refused.status, 400)
  assert.match(textOf(refused.text), /your only sign-in method/)
})

test('linking asks anew who it is, and takes no form of another site', async () => {
  const ada = await memberOf(app)
  await ada.open(page)
  assert.equal((await ada.send(`${page}/add`, {}, { 'sec-fetch-site': 'cross-site' })).status, 403)
  app.clock.advance(11 * minute)
  await ada.open(page)
  const asked = await ada.send(`${page}/add`)
  assert.equal(asked.headers.location, `/account/confirm?next=${encodeURIComponent(page)}`)
})

test('a long word for what went wrong is no failure of its own', async () => {
  const ada = await memberOf(app)
  const led = await ada.open(`/login?social_login=error&error=${'x'.repeat(101)}`)
  assert.equal((await ada.open(String(led.headers.location))).status, 200)
})

test('where no provider is offered there is no page', async () => {
  const plain = await startTestApp()
  try {
    const ada = await memberOf(plain)
    assert.equal((await ada.open(page)).status, 404)
    assert.ok(!(await ada.open('/account')).text.includes(page))
  } finally {
    await plain.stop()
  }
})
