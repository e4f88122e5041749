import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { after, before, describe, test } from 'node:test'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { routes } from '../../packages/server/src/express.ts'
import { createWardenry } from '../../packages/server/src/index.ts'
import { skipWithoutChromium } from '../support/browser.ts'
import { freePort } from '../support/free-port.ts'
import { registered, type SignedIn, signedInAs } from '../support/people.ts'
import { showUser } from '../support/show-user.ts'
import { openSite } from '../support/site.ts'
import { bridgeSecret, startTestApp, type TestApp } from '../support/test-app.ts'

const looks: Record<string, BrowserContextOptions> = {
  'on a phone, without scripts': { viewport: { width: 360, height: 740 }, javaScriptEnabled: false },
  'on a desk, in dark mode': { viewport: { width: 1280, height: 800 }, colorScheme: 'dark' },
}

/** Starts an application with the settings from the console's page. */
async function startWith(settings: Record<string, string | undefined>) {
  const { WARDENRY_URL: url = '', APP_URL: appUrl = '' } = settings
  const wardenry = createWardenry({ url, bridgeSecret, appUrl })
  const answer = routes(wardenry)
  const server = createServer((request, reply) => answer(request, reply, () => void showUser(wardenry, request, reply)))
  await new Promise<void>((done) => server.listen(Number(settings.PORT), '127.0.0.1', done))
  return {
    stop() {
      wardenry.close()
      server.close()
      server.closeAllConnections()
    },
  }
}

describe('an application that is added in the console', { skip: skipWithoutChromium() }, () => {
  let app: TestApp
  let browser: Browser
  let home: string
  before(async () => {
    const limits = { RATE_LIMIT_LOGIN: '100/15m', RATE_LIMIT_ADMIN: '10000/1h', RATE_LIMIT_READ: '10000/1m' }
    const env = { ALLOWED_REDIRECTS: '', CORS_ORIGINS: '', ...limits }
    ;({ app, browser, home } = await openSite((url) => startTestApp({ env: { PUBLIC_URL: url, ...env } })))
  })
  after(async () => {
    await browser?.close()
    await app?.stop()
  })

  async function signIn(page: Page, { email, password }: SignedIn): Promise<void> {
    await page.fill('#identifier', email)
    await page.fill('#password', password)
    await page.press('#password', 'Enter')
  }

  for (const [where, options] of Object.entries(looks))
    test(`accepts sign-ins until it is disabled, and again once it is enabled, ${where}`, async (t) => {
      const address = `http://127.0.0.1:${await freePort()}`
      const ada = await registered(app)
      const admin = await (await browser.newContext({ ...options, locale: 'en' })).newPage()
      const press = async (name: string, role: 'link' | 'button' = 'button') => {
        const control = admin.getByRole(role, { name, exact: true }).first()
        await Promise.all([admin.waitForEvent('load'), control.click()])
        assert.ok(
          await admin.evaluate<boolean>('document.documentElement.scrollWidth <= window.innerWidth'),
          admin.url(),
        )
      }
      await admin.goto(`${home}/admin/applications`)
      await signIn(admin, await signedInAs(app, 'superadmin'))
      await admin.waitForURL(`${home}/admin/applications`)
      await press('Add an application', 'link')
      await admin.selectOption('#with', 'express')
      await admin.fill('#name', `Shop ${where}`)
      await admin.fill('#address', `${address}/`)
      await press('Add the application')
      const shown = await admin.locator('.code pre', { hasText: 'APP_URL=http' }).innerText()
      const settings = Object.fromEntries(
        [...shown.matchAll(/^(\w+)=(\S+) \\$/gm)].map(([, name, value]) => [name, value]),
      )
      assert.deepEqual([settings.APP_URL, settings.WARDENRY_URL], [address, home])
      const shop = await startWith(settings)
      t.after(() => shop.stop())

      const page = await (await browser.newContext(options)).newPage()
      await page.goto(`${address}/orders`)
      assert.equal(new URL(page.url()).origin, home)
      await signIn(page, ada)
      await page.waitForURL(`${address}/orders`)
      assert.equal(await page.textContent('#user'), ada.email)

      const again = async () => {
        await page.context().clearCookies()
        await page.goto(`${address}/orders`)
        return page.textContent('main')
      }
      await press(`Shop ${where}`, 'link')
      await press('Disable…', 'link')
      assert.match((await admin.textContent('main'))!, /Nobody can sign in .* until you enable it again/)
      await press('Disable the application')
      assert.match((await again())!, /This address isn’t allowed/)
      await press('Enable')
      assert.doesNotMatch((await again())!, /This address isn’t allowed/)
      await signIn(page, ada)
      await page.waitForURL(`${address}/orders`)
      for (const one of [admin, page]) await one.context().close()
    })
})
