import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { createSetupLink } from '../../src/admin/setup-link.ts'
import { linkIn } from '../screens/support.ts'
import { atPage, skipWithoutChromium } from '../support/browser.ts'
import { person, registered } from '../support/people.ts'
import { openSite } from '../support/site.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'
import { focused, tabTo } from './keyboard.ts'

const phone = { viewport: { width: 360, height: 740 } }
const desk = { viewport: { width: 1280, height: 800 } }
const looks: Record<string, BrowserContextOptions> = {
  'on a phone, without scripts, light, in English': {
    ...{ ...phone, javaScriptEnabled: false, colorScheme: 'light', locale: 'en-GB' },
  },
  'on a desk, dark, in Spanish': { ...desk, colorScheme: 'dark', locale: 'es-ES' },
}

describe('registration and password reset', { skip: skipWithoutChromium() }, () => {
  let app: TestApp
  let browser: Browser
  let home: string
  before(async () => {
    ;({ app, browser, home } = await openSite((url) =>
      startTestApp({ env: { PUBLIC_URL: url, RATE_LIMIT_REGISTRATION: '100/1h' } }),
    ))
  })
  after(async () => {
    await browser?.close()
    await app?.stop()
  })

  /** A new visitor's page, and the errors that the browser reports. */
  async function visit(options: BrowserContextOptions): Promise<{ page: Page; complaints: string[] }> {
    const page = await (await browser.newContext(options)).newPage()
    const complaints: string[] = []
    page.on('pageerror', (error) => complaints.push(error.message))
    page.on('console', (message) => {
      // Chromium also reports every 4xx response as an error.
      if (message.type() === 'error' && !message.text().includes('status of 4')) complaints.push(message.text())
    })
    return { page, complaints }
  }

  for (const [where, options] of Object.entries(looks)) {
    const picture = (page: Page, step: string) =>
      takePicture(page, `${step}-${options.viewport?.width}-${options.colorScheme}`)

    test(`registering, and proving the address, ${where}`, async () => {
      const ada = person()
      const { page, complaints } = await visit(options)
      await page.goto(`${home}/login`)
      await picture(page, 'login')
      await page.click('a[href="/register"]')
      await picture(page, 'register-passkey')
      await page.click('a[href="/register?with=password"]')
      await picture(page, 'register')
      await page.fill('#email', ada.email)
      await page.fill('#password', 'qwertyuiop')
      await page.fill('#name', 'Ada')
      await page.click('main form button:not([type=button])')
      await page.waitForSelector('#password-problem')
      assert.deepEqual([await page.inputValue('#name'), await page.inputValue('#password')], ['Ada', ''])
      await picture(page, 'register-refused')
      await page.fill('#password', ada.password)
      // Users may double-click. Without scripts, the second request would be rejected.
      const clickCount = options.javaScriptEnabled === false ? 1 : 2
      await page.click('main form button:not([type=button])', { clickCount })
      await page.waitForURL(atPage(`${home}/verify-email`))
      await picture(page, 'verify-email')
      await page.goto(`${home}${linkIn(await app.mailTo(ada.email))}`)
      await picture(page, 'verify-confirm')
      await page.click('main form button')
      await page.waitForURL(`${home}/login?verification=success`)
      await picture(page, 'verified')
      await page.click('main a.button')
      await page.waitForURL(`${home}/account`)
      assert.deepEqual(complaints, [])
      await page.context().close()
    })

    test(`a new password by mail, ${where}`, async () => {
      const ada = await registered(app)
      const { page, complaints } = await visit(options)
      await page.goto(`${home}/login`)
      await page.click('a[href="/forgot"]')
      await picture(page, 'forgot')
      await page.fill('#email', ada.email)
      await page.press('#email', 'Enter')
      await page.waitForURL(atPage(`${home}/forgot/sent`))
      await picture(page, 'forgot-sent')
      const link = linkIn(await app.mailTo(ada.email, 1))
      await page.goto(`${home}${link}`)
      assert.ok(atPage(`${home}/reset-password`)(new URL(page.url())))
      await picture(page, 'reset')
      await page.fill('#password', ada.password)
      await page.press('#password', 'Enter')
      await page.waitForSelector('#password-problem')
      await picture(page, 'reset-refused')
      await page.fill('#password', ' a tape without an end ')
      await page.click('main form button:not([type=button])')
      await page.waitForURL(atPage(`${home}/login?reset=success`))
      await picture(page, 'reset-done')
      const login = await app.post('/auth/login', { email: ada.email, password: ' a tape without an end ' })
      assert.equal(login.status, 200)
      await page.goto(`${home}${link}`)
      assert.match((await page.textContent('[role=alert]')) ?? '', /no longer valid|ya no es válido/)
      await picture(page, 'reset-spent')
      assert.deepEqual(complaints, [])
      await page.context().close()
    })
  }

  test('with the keyboard alone: register, show the password, hear how good it is, and ask again', async () => {
    const ada = person()
    const { page, complaints } = await visit({ ...desk, locale: 'en-GB' })
    await page.goto(`${home}/register?with=password`)
    await tabTo(page, 'email')
    await page.keyboard.type(ada.email)
    await tabTo(page, 'password')
    const judged = () => page.locator('.strength [role=status]').innerText()
    await page.keyboard.type('short')
    assert.equal(await judged(), 'Too short')
    await page.keyboard.type('er')
    await page.fill('#password', ada.email)
    assert.equal(await judged(), 'Easy to guess')
    await page.fill('#password', ada.password)
    assert.equal(await judged(), 'Hard to guess')
    await page.keyboard.press('Tab')
    assert.equal(await focused(page), 'Show')
    await page.keyboard.press('Space')
    assert.equal(await page.getAttribute('#password', 'type'), 'text')
    await takePicture(page, 'register-shown')
    await tabTo(page, 'Create account')
    await page.keyboard.press('Enter')
    await page.waitForURL(atPage(`${home}/verify-email`))
    const again = page.locator('button[data-wait]')
    assert.match(await again.innerText(), /^Send it again in \d+ s$/)
    await tabTo(page, 'Development inbox')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    assert.ok(atPage(`${home}/verify-email`)(new URL(page.url())))
    await tabTo(page, 'Skip for now')
    await page.clock.install()
    await page.reload()
    await page.clock.runFor(31_000)
    assert.equal(await again.innerText(), 'Send it again')
    await tabTo(page, 'Send it again')
    await page.keyboard.press('Enter')
    await page.waitForURL(atPage(`${home}/verify-email?sent=true`))
    assert.deepEqual(complaints, [])
    await page.context().close()
  })

  test('the first administrator is created on the set-up page', async () => {
    const { page, complaints } = await visit({ ...phone, locale: 'en-GB', javaScriptEnabled: false })
    await page.goto((await createSetupLink(app.ctx)) ?? '')
    assert.equal(page.url(), `${home}/setup`)
    const grace = person('grace')
    await page.fill('#name', ' Grace ')
    await page.fill('#email', (await registered(app)).email)
    await page.fill('#password', grace.password)
    await page.press('#password', 'Enter')
    await page.waitForSelector('#email-problem')
    await takePicture(page, 'setup-refused')
    await page.fill('#email', grace.email)
    await page.fill('#password', grace.password)
    await page.click('main form button:not([type=button])')
    await page.waitForURL(`${home}/admin?done=set-up`)
    const { json } = await app.post('/auth/login', grace)
    assert.deepEqual([json.user.user_type, json.user.name], ['superadmin', 'Grace'])
    assert.deepEqual(complaints, [])
    await page.context().close()
  })
})

/** Takes a screenshot if SCREENSHOTS is set, and checks that no element is wider than the window. */
async function takePicture(page: Page, name: string): Promise<void> {
  assert.equal(await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth'), true, name)
  const folder = process.env.SCREENSHOTS
  if (!folder) return
  mkdirSync(folder, { recursive: true })
  await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true })
}
