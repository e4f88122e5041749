import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { addAuthenticator, openBrowser, skipWithoutChromium } from '../support/browser.ts'
import { eventually } from '../support/eventually.ts'
import { freePort } from '../support/free-port.ts'
import { person } from '../support/people.ts'
import { recoveryMails } from '../support/recovery.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'

const skip = skipWithoutChromium()
let app: TestApp
let browser: Browser
let base: string
before(async () => {
  if (skip) return
  const port = await freePort()
  base = `http://localhost:${port}`
  app = await startTestApp({ env: { PUBLIC_URL: base, FRONTEND_URL: base, RATE_LIMIT_REGISTRATION: '1000/1h' } })
  await app.http.listen({ host: '127.0.0.1', port })
  browser = await openBrowser()
})
after(async () => {
  await browser?.close()
  await app?.stop()
})

const submit = (page: Page, field: string) =>
  Promise.all([page.waitForEvent('load'), page.press(`[name=${field}]`, 'Enter')])

const codeIn = (text = ''): string => /^\d{6}$/m.exec(text)?.[0] ?? ''

const isWiderThanWindow = 'document.documentElement.scrollWidth > document.documentElement.clientWidth'

async function assertFits(page: Page): Promise<void> {
  assert.equal(await page.evaluate(isWiderThanWindow), false, page.url())
}

/** Creates an account with a passkey, and returns its recovery codes. */
async function register(page: Page, email: string): Promise<string[]> {
  await page.goto(`${base}/register`)
  await page.fill('[name=email]', email)
  await submit(page, 'email')
  await page.fill('[name=code]', codeIn((await app.mailTo(email)).text))
  await submit(page, 'code')
  await page.click('#passkey')
  await page.waitForSelector('#codes')
  const codes = await page.locator('#codes li').allInnerTexts()
  await page.click('.actions a.button')
  await page.waitForURL(`${base}/account`)
  return codes
}

for (const [width, locale] of [
  [360, 'es'],
  [1280, 'en'],
] as const)
  test(`at ${width} px, a user who lost the authenticator recovers the account with a new one (${locale})`, {
    skip,
  }, async () => {
    const context = await browser.newContext({ locale, viewport: { width, height: 800 } })
    const page = await context.newPage()
    const lost = await addAuthenticator(page)
    const { email } = person()
    const codes = await register(page, email)
    assert.equal(codes.length, 10)
    await lost.remove()
    await context.clearCookies()

    const found = await addAuthenticator(page)
    await page.goto(`${base}/login`)
    await page.click('a[href^="/recover"]')
    await assertFits(page)
    await page.fill('[name=email]', email)
    await submit(page, 'email')
    await eventually(() => recoveryMails(app, email).length > 0)
    await page.fill('[name=code]', codeIn(recoveryMails(app, email).at(-1)?.text))
    await page.fill('[name=recovery_code]', codes[0] ?? '')
    await assertFits(page)
    await submit(page, 'recovery_code')
    assert.equal(await page.evaluate('document.activeElement.tagName'), 'BODY', 'no passkey is marked by mistake')
    await page.check('[name=lost0]')
    await assertFits(page)
    await page.click('#passkey')
    await page.waitForURL(({ pathname }) => pathname === '/account')
    assert.equal((await found.storedIds()).length, 1)

    await context.clearCookies()
    await page.goto(`${base}/login`)
    await page.waitForURL(`${base}/account`)
    await page.goto(`${base}/account/security`)
    assert.equal(await page.locator('.rows li').count(), 1, 'the lost passkey was removed')
    await context.close()
  })

test('without JavaScript, only the passkey itself is missing', { skip }, async () => {
  const withScript = await browser.newContext()
  const first = await withScript.newPage()
  await addAuthenticator(first)
  const { email } = person()
  const codes = await register(first, email)
  await withScript.close()

  const context = await browser.newContext({ javaScriptEnabled: false })
  const page = await context.newPage()
  await page.goto(`${base}/recover`)
  await page.fill('[name=email]', email)
  await submit(page, 'email')
  await eventually(() => recoveryMails(app, email).length > 0)
  await page.fill('[name=code]', codeIn(recoveryMails(app, email).at(-1)?.text))
  await page.fill('[name=recovery_code]', codes[0] ?? '')
  await submit(page, 'recovery_code')
  assert.match(page.url(), /\/recover\/passkey/)
  assert.equal(await page.isVisible('#without-passkey'), true)
  assert.equal(await page.isVisible('#passkey'), false)
  await context.close()
})
