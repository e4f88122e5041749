import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { type OidcServer, startOidcServer } from '../social/oidc-server.ts'
import { openBrowser, skipWithoutChromium } from '../support/browser.ts'
import { freePort } from '../support/free-port.ts'
import { registered } from '../support/people.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'
import { press } from './keyboard.ts'

describe('linked accounts in a browser', { skip: skipWithoutChromium() }, () => {
  let server: OidcServer
  let app: TestApp
  let browser: Browser
  let home: string
  before(async () => {
    const port = await freePort()
    home = `http://localhost:${port}`
    server = await startOidcServer(`${home}/auth/social/oidc/callback`)
    const env = { PUBLIC_URL: home, ...server.env }
    app = await startTestApp({ env })
    await app.http.listen({ host: '127.0.0.1', port })
    browser = await openBrowser()
  })
  after(async () => {
    await browser?.close()
    await app?.stop()
    await server?.stop()
  })

  /** Opens the page for a signed-in user in a new browser. */
  async function open(options: BrowserContextOptions): Promise<Page> {
    const context = await browser.newContext({ locale: 'en', ...options })
    const member = await registered(app)
    await context.addCookies([{ name: 'session_id', value: member.sessionToken, url: home }])
    const page = await context.newPage()
    await page.goto(`${home}/account/linked`)
    return page
  }

  /** Signs in and consents on the provider's pages, then waits for the return to the service. */
  async function signInThere(page: Page, subject: string): Promise<void> {
    server.people.set(subject, { sub: subject, email: `${subject}@there.example`, email_verified: true })
    await page.fill('input[name=login]', subject)
    await page.fill('input[name=password]', 'any')
    await page.click('[type=submit]')
    await page.click('[type=submit]')
    await page.waitForURL(/\/account\/linked\?done=/)
    assert.ok((await page.textContent('main'))?.includes(`${subject}@there.example`))
  }

  test('by mouse, without scripts: linked and unlinked', async () => {
    const page = await open({ javaScriptEnabled: false, viewport: { width: 360, height: 740 } })
    await page.click('form[action="/account/linked/add"] button')
    await signInThere(page, 'ada')
    await page.click('form[action="/account/linked/remove"] button')
    await page.waitForURL(/done=unlinked/)
    await page.context().close()
  })

  test('by keyboard alone', async () => {
    const page = await open({ viewport: { width: 1280, height: 800 }, colorScheme: 'dark' })
    await press(page, 'form[action="/account/linked/add"] button')
    await signInThere(page, 'grace')
    await press(page, 'form[action="/account/linked/remove"] button')
    await page.waitForURL(/done=unlinked/)
    await page.context().close()
  })
})
