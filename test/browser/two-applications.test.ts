import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { after, before, describe, test } from 'node:test'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { routes } from '../../packages/server/src/express.ts'
import { createWardenry } from '../../packages/server/src/index.ts'
import { atPage, openBrowser, skipWithoutChromium } from '../support/browser.ts'
import { startService } from '../support/examples.ts'
import { freePort } from '../support/free-port.ts'
import { auditOf } from '../support/rows.ts'
import { showUser } from '../support/show-user.ts'
import { bridgeSecret, type TestApp } from '../support/test-app.ts'
import { type Enrolled, withTotp } from '../two-factor/support.ts'

interface Application {
  url: string
  stop(): void
}

/** An application with a single page for signed-in users. */
async function startApplication(service: string, host: string, port: number): Promise<Application> {
  const url = `http://${host}:${port}`
  const wardenry = createWardenry({ url: service, bridgeSecret, appUrl: url })
  const answer = routes(wardenry)
  const server = createServer((request, reply) => answer(request, reply, () => void showUser(wardenry, request, reply)))
  await new Promise<void>((done) => server.listen(port, '127.0.0.1', done))
  return {
    url,
    stop() {
      wardenry.close()
      server.close()
      server.closeAllConnections()
    },
  }
}

describe('two applications on two host names', { skip: skipWithoutChromium() }, () => {
  let service: { app: TestApp; home: string }
  let browser: Browser
  let shop: Application
  let books: Application
  let ada: Enrolled
  before(async () => {
    const ports = [await freePort(), await freePort()] as const
    service = await startService([...ports])
    shop = await startApplication(service.home, '127.0.0.1', ports[0])
    books = await startApplication(service.home, 'localhost', ports[1])
    browser = await openBrowser()
    ada = await withTotp(service.app)
  })
  after(async () => {
    await browser?.close()
    for (const application of [shop, books]) application?.stop()
    await service?.app.stop()
  })

  /** Also collects browser errors, such as policy violations. */
  async function openPage(context: BrowserContext): Promise<{ page: Page; complaints: string[] }> {
    const page = await context.newPage()
    const complaints: string[] = []
    page.on('console', (message) => {
      if (message.type() === 'error' && /policy|refused|blocked/i.test(message.text())) complaints.push(message.text())
    })
    return { page, complaints }
  }

  async function signIn(page: Page): Promise<void> {
    await page.fill('#identifier', ada.email)
    await page.fill('#password', ada.password)
    await page.press('#password', 'Enter')
    await page.waitForSelector('#code')
    service.app.clock.advance(30_000)
    await page.fill('#code', ada.code())
    await page.press('#code', 'Enter')
  }

  const named = (url: string): RegExp => new RegExp(`to continue to ${new URL(url).host}\\b`)

  for (const javaScriptEnabled of [true, false]) {
    const scripts = javaScriptEnabled ? 'with scripts' : 'without scripts'

    test(`a hand-over with a second step, a fresh proof and a single sign-out, ${scripts}`, async () => {
      const context = await browser.newContext({ javaScriptEnabled })
      const { page, complaints } = await openPage(context)
      await page.goto(`${shop.url}/orders`)
      assert.match((await page.textContent('main'))!, named(shop.url))
      await signIn(page)
      await page.waitForURL(`${shop.url}/orders`)
      assert.equal(await page.textContent('#user'), ada.email)

      await page.goto(`${books.url}/`)
      assert.equal(page.url(), `${books.url}/`, 'signed in: at once')

      await page.goto(`${books.url}/sign-in?prompt=login&return_to=/shelf`)
      assert.equal(new URL(page.url()).pathname, '/account/confirm')
      const text = (await page.textContent('main'))!
      assert.match(text, named(books.url))
      assert.ok(text.includes(ada.email))
      assert.equal(await page.locator('nav.menu').count(), 0)
      await page.fill('#proof', ada.password)
      await page.press('#proof', 'Enter')
      await page.waitForURL(`${books.url}/shelf`)

      const other = await context.newPage()
      await other.goto(`${shop.url}/orders`)
      assert.equal(await other.textContent('#user'), ada.email)
      await page.click('form[action="/sign-out"] button')
      await page.waitForURL(atLogin)
      const begun = performance.now()
      while (new URL(other.url()).origin === shop.url) {
        assert.ok(performance.now() - begun < 5000, 'signed out in the other application')
        await other.goto(`${shop.url}/orders`)
      }
      assert.match((await other.textContent('main'))!, named(shop.url))
      assert.deepEqual(complaints, [])
      await context.close()
    })

    test(`a cancelled sign-in and a cancelled proof come back to the application, ${scripts}`, async () => {
      const context = await browser.newContext({ javaScriptEnabled })
      const { page, complaints } = await openPage(context)
      const before = (await auditOf(service.app, 'sign_in_cancelled')).length
      await page.goto(`${shop.url}/orders`)
      await page.click('text=Cancel')
      await page.waitForURL((url) => url.pathname === '/sign-in/callback')
      assert.equal(new URL(page.url()).searchParams.get('error'), 'access_denied')
      assert.match((await page.textContent('body'))!, /You cancelled the sign-in\./)
      await page.goto(`${shop.url}/orders`)
      await signIn(page)
      await page.waitForURL(`${shop.url}/orders`)

      await page.goto(`${shop.url}/sign-in?prompt=login`)
      await page.click('text=Cancel')
      await page.waitForURL((url) => url.pathname === '/sign-in/callback')
      assert.match((await page.textContent('body'))!, /You cancelled the sign-in\./)
      await page.goto(`${shop.url}/orders`)
      assert.equal(await page.textContent('#user'), ada.email, 'both sessions go on')
      assert.equal((await auditOf(service.app, 'sign_in_cancelled')).length, before + 2)
      assert.deepEqual(complaints, [])
      await context.close()
    })
  }

  test('a refused return address causes no redirect, and the page links to the account', async () => {
    const page = await (await browser.newContext()).newPage()
    await page.goto(`${service.home}/login?return_to=https%3A%2F%2Fevil.example%2F`)
    assert.match((await page.textContent('main'))!, /https:\/\/evil\.example\b.*ALLOWED_REDIRECTS/s)
    await page.click('main a.button')
    await page.waitForURL(atPage(`${service.home}/`))
  })

  const atLogin = (url: URL): boolean => url.origin === service.home && url.pathname === '/login'
})
