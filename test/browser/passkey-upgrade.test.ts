import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import type { Browser, Page } from 'playwright-core'
import { addAuthenticator, becomesTrue, openBrowser, skipWithoutChromium } from '../support/browser.ts'
import { eventually } from '../support/eventually.ts'
import { freePort } from '../support/free-port.ts'
import { registered, type SignedIn } from '../support/people.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'

const skip = skipWithoutChromium()
let offering: Site
let silent: Site
let browser: Browser
before(async () => {
  if (skip) return
  offering = await openSite('offer')
  silent = await openSite('silent')
  browser = await openBrowser()
})
after(async () => {
  await browser?.close()
  for (const site of [offering, silent]) await site?.app.stop()
})

interface Site {
  app: TestApp
  home: string
}

async function openSite(PASSKEY_UPGRADE: string): Promise<Site> {
  const port = await freePort()
  const home = `http://localhost:${port}`
  const app = await startTestApp({
    env: { PUBLIC_URL: home, FRONTEND_URL: home, PASSKEY_UPGRADE, RATE_LIMIT_LOGIN: '100/15m' },
  })
  await app.http.listen({ host: '127.0.0.1', port })
  return { app, home }
}

/** A new user, and a browser with an authenticator. */
async function newcomer({ app }: Site, script?: string) {
  const page = await (await browser.newContext({ locale: 'en-GB' })).newPage()
  const authenticator = await addAuthenticator(page)
  if (script) await page.addInitScript(script)
  return { ada: await registered(app), page, authenticator }
}

async function signIn({ home }: Site, page: Page, { email, password }: SignedIn, field = 'true') {
  await page.goto(`${home}/login`)
  await becomesTrue(page, `document.querySelector('[name=can_create_passkey]').value === '${field}'`)
  await page.fill('#identifier', email)
  await page.fill('#password', password)
  await page.press('#password', 'Enter')
}

async function signOut({ home }: Site, page: Page) {
  await page.context().clearCookies()
  await page.goto(`${home}/logout`)
}

const passkeysOf = async ({ app }: Site, { id }: SignedIn) => {
  const { rows } = await sql<{ created_via: string; uv_seen: boolean }>`
    SELECT created_via, uv_seen FROM passkeys WHERE user_id = ${id}`.execute(app.ctx.db)
  return rows
}

test('the offer creates a passkey with one click, and the sign-in continues', { skip }, async () => {
  const { ada, page, authenticator } = await newcomer(offering)
  await signIn(offering, page, ada)
  await page.waitForURL(`${offering.home}/login/passkey`)
  await page.click('#add-passkey button')
  await page.waitForURL(`${offering.home}/account`)
  assert.deepEqual(await passkeysOf(offering, ada), [{ created_via: 'settings', uv_seen: true }])
  assert.equal((await authenticator.storedIds()).length, 1)
  await page.context().close()
})

test('"Not now" continues, and the next sign-in does not ask again', { skip }, async () => {
  const { ada, page } = await newcomer(offering)
  await signIn(offering, page, ada)
  await page.click('button:text-is("Not now")')
  await page.waitForURL(`${offering.home}/account`)
  await signOut(offering, page)
  await signIn(offering, page, ada)
  await page.waitForURL(`${offering.home}/account`)
  assert.deepEqual(await passkeysOf(offering, ada), [])
  await page.context().close()
})

test('a browser without an authenticator of its own gets no offer', { skip }, async () => {
  const page = await (await browser.newContext()).newPage()
  await page.addInitScript(
    'PublicKeyCredential.isUserVerifyingPlatformAuthenticatorAvailable = () => Promise.resolve(false)',
  )
  await signIn(offering, page, await registered(offering.app), 'false')
  await page.waitForURL(`${offering.home}/account`)
  await page.context().close()
})

test('an offer is answered only by an authenticator that has verified its user', { skip }, async () => {
  const { ada, page, authenticator } = await newcomer(offering)
  await signIn(offering, page, ada)
  await page.waitForURL(`${offering.home}/login/passkey`)
  await authenticator.denyUser()
  await page.click('#add-passkey button')
  await page.waitForSelector('#form-problem')
  assert.deepEqual(await passkeysOf(offering, ada), [])
  await page.click('button:text-is("Not now")')
  await page.waitForURL(`${offering.home}/account`)
  await page.context().close()
})

test('a passkey does not sign in without its user', { skip }, async () => {
  const { ada, page, authenticator } = await newcomer(
    offering,
    'PublicKeyCredential.isConditionalMediationAvailable = async () => false',
  )
  await signIn(offering, page, ada)
  await page.click('#add-passkey button')
  await page.waitForURL(`${offering.home}/account`)
  await signOut(offering, page)
  await authenticator.denyUser()
  await page.goto(`${offering.home}/login`)
  await page.click('#passkey')
  await page.waitForSelector('#problem:not([hidden])')
  await page.goto(`${offering.home}/account`)
  assert.equal(new URL(page.url()).pathname, '/login')
  await page.context().close()
})

/** The browser supports conditional create: it creates the passkey like a modal one, and notes how it was asked. */
const conditional = (create: string) => `
  PublicKeyCredential.getClientCapabilities = async () => ({ conditionalCreate: true })
  const modal = navigator.credentials.create.bind(navigator.credentials)
  navigator.credentials.create = ({ publicKey, mediation, signal }) => {
    sessionStorage.setItem('asked', [mediation, publicKey.authenticatorSelection.userVerification].join())
    ${create}
  }`

test('silently, the browser creates a passkey on the page of the account, and the owner gets an email', {
  skip,
}, async () => {
  const { ada, page, authenticator } = await newcomer(silent, conditional('return modal({ publicKey })'))
  await authenticator.denyUser()
  await signIn(silent, page, ada)
  await page.waitForURL(`${silent.home}/account`)
  await eventually(async () => (await passkeysOf(silent, ada)).length === 1)
  assert.deepEqual(await passkeysOf(silent, ada), [{ created_via: 'upgrade', uv_seen: false }])
  assert.equal(await page.evaluate('sessionStorage.getItem("asked")'), 'conditional,preferred')
  assert.match((await silent.app.mailTo(ada.email, 1)).subject, /Your browser created a passkey/)
  await page.context().close()
})

test('leaving the page aborts the creation', { skip }, async () => {
  const waiting = `return new Promise((_created, failed) => signal.addEventListener('abort', () => {
    sessionStorage.setItem('aborted', signal.reason.name)
    failed(signal.reason)
  }))`
  const { ada, page } = await newcomer(silent, conditional(waiting))
  await signIn(silent, page, ada)
  await page.waitForURL(`${silent.home}/account`)
  await becomesTrue(page, 'sessionStorage.getItem("asked") !== null')
  await page.goto(`${silent.home}/account/profile`)
  assert.equal(await page.evaluate('sessionStorage.getItem("aborted")'), 'AbortError')
  assert.deepEqual(await passkeysOf(silent, ada), [])
  await page.context().close()
})

test('if the service rejects the passkey, the browser forgets it', { skip }, async () => {
  const { ada, page, authenticator } = await newcomer(silent, conditional('return modal({ publicKey })'))
  await page.route('**/auth/passkeys', async (route) => {
    await sql`UPDATE sessions SET proof = 'social' WHERE user_id = ${ada.id}`.execute(silent.app.ctx.db)
    await route.continue()
  })
  const added = page.waitForResponse((reply) => reply.url().endsWith('/auth/passkeys'))
  await signIn(silent, page, ada)
  assert.equal((await added).status(), 400)
  await eventually(async () => (await authenticator.storedIds()).length === 0)
  await page.context().close()
})
