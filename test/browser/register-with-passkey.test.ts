import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { addAuthenticator, openBrowser, skipWithoutChromium } from '../support/browser.ts'
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

/** Opens the page that creates the passkey. */
async function proveAddress(page: Page): Promise<string> {
  const { email } = person()
  await page.goto(`${base}/register`)
  await page.fill('[name=email]', email)
  await submit(page, 'email')
  await page.fill('[name=code]', /^\d{6}$/m.exec((await app.mailTo(email)).text)?.[0] ?? '')
  await submit(page, 'code')
  return email
}

/** Leaves the page that shows the recovery codes. */
async function saveCodes(page: Page): Promise<void> {
  await page.waitForSelector('#codes')
  assert.equal(await page.evaluate(isWiderThanWindow), false)
  await page.click('.actions a.button')
}

const isWiderThanWindow = 'document.documentElement.scrollWidth > document.documentElement.clientWidth'

for (const width of [360, 1280])
  test(`at ${width} px, a newcomer creates an account in four steps, and signs in again with the passkey`, {
    skip,
  }, async () => {
    const context = await browser.newContext({ viewport: { width, height: 800 } })
    const page = await context.newPage()
    const authenticator = await addAuthenticator(page)
    const email = await proveAddress(page)
    await page.fill('[name=name]', 'Ada')
    assert.equal(await page.evaluate(isWiderThanWindow), false)
    await page.press('[name=name]', 'Enter')
    await saveCodes(page)
    await page.waitForURL(`${base}/account`)
    assert.equal((await authenticator.storedIds()).length, 1)
    assert.ok((await page.innerText('main')).includes(email))

    await context.clearCookies()
    await page.goto(`${base}/login`)
    await page.waitForURL(`${base}/account`)
    await context.close()
  })

test('if the browser’s dialog is cancelled, the page says so, and the button asks again', { skip }, async () => {
  const context = await browser.newContext()
  const page = await context.newPage()
  await addAuthenticator(page)
  await proveAddress(page)
  await page.evaluate(`{
    const create = navigator.credentials.create.bind(navigator.credentials)
    let count = 0
    navigator.credentials.create = (options) =>
      count++ === 0 ? Promise.reject(new DOMException('cancelled', 'NotAllowedError')) : create(options)
  }`)
  await page.click('#passkey')
  await page.waitForSelector('#problem:not([hidden])')
  assert.match((await page.textContent('#problem')) ?? '', /wasn’t created/)
  await page.click('#passkey')
  await saveCodes(page)
  await page.waitForURL(`${base}/account`)
  await context.close()
})

test('a browser without passkeys or scripts is led to the form with the password', { skip }, async () => {
  for (const javaScriptEnabled of [true, false]) {
    const context = await browser.newContext({ javaScriptEnabled })
    await context.addInitScript('delete window.PublicKeyCredential')
    const page = await context.newPage()
    await page.goto(`${base}/register`)
    await page.waitForSelector('#without-passkey', { state: 'visible' })
    assert.equal(await page.isVisible('[name=email]'), false)
    await page.click('main a.button')
    const { email, password } = person()
    await page.fill('[name=email]', email)
    await page.fill('[name=password]', password)
    await submit(page, 'password')
    assert.match(page.url(), /\/verify-email/)
    await context.close()
  }
})
