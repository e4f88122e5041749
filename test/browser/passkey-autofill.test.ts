import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import type { Browser, Page } from 'playwright-core'
import { addAuthenticator, becomesTrue, openBrowser, skipWithoutChromium } from '../support/browser.ts'
import { eventually } from '../support/eventually.ts'
import { freePort } from '../support/free-port.ts'
import { person } from '../support/people.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'

const skip = skipWithoutChromium()
let app: TestApp
let browser: Browser
let base: string
before(async () => {
  if (skip) return
  const port = await freePort()
  base = `http://localhost:${port}`
  app = await startTestApp({ env: { PUBLIC_URL: base, FRONTEND_URL: base } })
  await app.http.listen({ host: '127.0.0.1', port })
  browser = await openBrowser()
})
after(async () => {
  await browser?.close()
  await app?.stop()
})

interface Owner {
  page: Page
  email: string
  /** The ids of the passkeys in the virtual authenticator. */
  stored(): Promise<string[]>
}

/** A browser whose user has registered, added `count` passkeys and signed out. */
async function openAsOwner(count = 1): Promise<Owner> {
  const page = await (await browser.newContext()).newPage()
  const authenticator = await addAuthenticator(page)
  await page.goto(`${base}/privacy-of-nothing`)
  const ada = person()
  await page.evaluate(`(async ({ ada, count }) => {
    const send = async (path, body) => {
      const headers = { 'content-type': 'application/json' }
      const reply = await fetch(path, { method: 'POST', headers, body: JSON.stringify(body) })
      if (!reply.ok) throw new Error(path + ': ' + (await reply.text()))
      return reply.json()
    }
    await send('/auth/register/public', ada)
    for (let at = 0; at < count; at++) {
      const { options } = await send('/auth/passkeys/options', {})
      // A virtual authenticator refuses a second passkey of the same user.
      const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON({ ...options, excludeCredentials: [] })
      const made = await navigator.credentials.create({ publicKey })
      await send('/auth/passkeys', { response: made.toJSON() })
    }
    await send('/auth/logout', {})
  })(${JSON.stringify({ ada, count })})`)
  return { page, email: ada.email, stored: authenticator.storedIds }
}

const problem = '#problem'

test('the field is prepared with one request after the first paint, and nothing moves', { skip }, async () => {
  const page = await (await browser.newContext({ viewport: { width: 360, height: 740 } })).newPage()
  await page.addInitScript(watch)
  await page.goto(`${base}/login`)
  await becomesTrue(page, 'window.wanted')
  assert.equal(await page.getAttribute('input[name=identifier]', 'autocomplete'), 'username webauthn')
  await page.focus('input[name=identifier]')
  await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
  const [painted] = await page.evaluate<{ startTime: number }[]>(
    "performance.getEntriesByName('first-paint').map((entry) => entry.toJSON())",
  )
  const requests = await page.evaluate<{ name: string; startTime: number }[]>(
    "performance.getEntriesByType('resource').map((entry) => entry.toJSON())",
  )
  assert.deepEqual(
    requests.map(({ name }) => name),
    [`${base}/auth/passkey/login/options`],
  )
  assert.ok(painted && requests[0] && requests[0].startTime >= painted.startTime, JSON.stringify({ painted, requests }))
  assert.deepEqual(await page.evaluate('[wanted.mediation, wanted.publicKey.allowCredentials, shift]'), [
    'conditional',
    [],
    0,
  ])
})

/** Adds up the layout shifts, and keeps the first call for a passkey. */
const watch = `
  window.shift = 0
  new PerformanceObserver((list) => {
    for (const { value } of list.getEntries()) shift += value
  }).observe({ type: 'layout-shift', buffered: true })
  const { get } = CredentialsContainer.prototype
  CredentialsContainer.prototype.get = function (options) {
    window.wanted ??= options
    return get.call(this, options)
  }
`

test('the field for the address offers the passkey, which signs in without a click', { skip }, async () => {
  const { page } = await openAsOwner()
  // The page can sign in before it has loaded, and before a further statement reads it.
  await page.goto(`${base}/login`, { waitUntil: 'commit' })
  await page.waitForURL(`${base}/account`)
})

test('while the field waits, the button asks at once, and says if no passkey was accepted', { skip }, async () => {
  const page = await (await browser.newContext()).newPage()
  await addAuthenticator(page)
  await Promise.all([page.waitForResponse((reply) => reply.url().endsWith('/options')), page.goto(`${base}/login`)])
  await page.click('#passkey')
  await page.waitForSelector(`${problem}:not([hidden])`)
  assert.match((await page.textContent(problem)) ?? '', /weren’t signed in/)
  assert.equal(await page.getAttribute('#passkey', 'aria-disabled'), 'false')
})

test('a passkey that the account no longer has leaves the browser', { skip }, async () => {
  const { page, email, stored } = await openAsOwner()
  await sql`DELETE FROM passkeys USING users WHERE user_id = users.id AND email = ${email}`.execute(app.ctx.db)
  await page.goto(`${base}/login`)
  await page.waitForSelector(`${problem}:not([hidden])`)
  await eventually(async () => (await stored()).length === 0)
})

test('switched off, the page asks for nothing before the button is used', { skip }, async () => {
  const port = await freePort()
  const own = `http://localhost:${port}`
  const off = await startTestApp({ env: { PUBLIC_URL: own, FRONTEND_URL: own, PASSKEY_AUTOFILL: 'false' } })
  try {
    await off.http.listen({ host: '127.0.0.1', port })
    const page = await (await browser.newContext()).newPage()
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await page.goto(`${own}/login`, { waitUntil: 'networkidle' })
    assert.equal(await page.getAttribute('input[name=identifier]', 'autocomplete'), 'username')
    assert.ok(await page.isVisible('#passkey'))
    assert.deepEqual(
      asked.filter((url) => url.includes('/auth/')),
      [],
    )
  } finally {
    await off.stop()
  }
})
