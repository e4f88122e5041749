import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import type { Browser, BrowserContextOptions, Page, Response } from 'playwright-core'
import { linkIn, resetMail } from '../screens/support.ts'
import { addAuthenticator, atPage, skipWithoutChromium } from '../support/browser.ts'
import { registered } from '../support/people.ts'
import { proveInbox } from '../support/second-factor.ts'
import { openSite } from '../support/site.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'
import { withTotp, wrongCode } from '../two-factor/support.ts'
import { focused, tabTo } from './keyboard.ts'
import { openMenu } from './menu.ts'

const phone = { viewport: { width: 360, height: 740 } }
const desk = { viewport: { width: 1280, height: 800 } }
const looks: Record<string, BrowserContextOptions> = {
  'on a phone, without scripts, light': { ...phone, javaScriptEnabled: false, colorScheme: 'light' },
  'on a desk, dark': { ...desk, colorScheme: 'dark' },
}

describe('signing in by the pages', { skip: skipWithoutChromium() }, () => {
  let app: TestApp
  let browser: Browser
  let home: string
  before(async () => {
    const env = { RATE_LIMIT_LOGIN: '100/15m' }
    ;({ app, browser, home } = await openSite((url) =>
      startTestApp({ modules: ['two-factor'], env: { PUBLIC_URL: url, ...env } }),
    ))
  })
  after(async () => {
    await browser?.close()
    await app?.stop()
  })

  /** Takes screenshots if SCREENSHOTS is set. */
  async function picture(page: Page, name: string): Promise<void> {
    assert.equal(await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth'), true, name)
    const folder = process.env.SCREENSHOTS
    if (!folder) return
    mkdirSync(folder, { recursive: true })
    await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true })
  }

  test('the sign-in page is one reply of at most 30 kB', async () => {
    const context = await browser.newContext(phone)
    const page = await context.newPage()
    const replies: Response[] = []
    page.on('response', (reply) => replies.push(reply))
    await page.goto(`${home}/login`, { waitUntil: 'networkidle' })
    const sizes = await Promise.all(replies.map((reply) => reply.request().sizes()))
    const total = sizes.reduce((sum, one) => sum + one.responseBodySize + one.responseHeadersSize, 0)
    assert.deepEqual(
      replies.map((reply) => new URL(reply.url()).pathname),
      ['/login', '/auth/passkey/login/options'],
    )
    assert.ok(total <= 30_000, `${total} bytes`)
    await context.close()
  })

  for (const [where, options] of Object.entries(looks)) {
    const name = (step: string) => `${step}-${options.viewport?.width}-${options.colorScheme}`

    test(`password and code of an authenticator, ${where}`, async () => {
      const ada = await withTotp(app)
      const context = await browser.newContext({ ...options, locale: 'en-GB' })
      const page = await context.newPage()
      const complaints: string[] = []
      page.on('console', (message) => {
        if (message.type() === 'error' && !message.text().includes('status of 4')) complaints.push(message.text())
      })
      await page.goto(`${home}/login`)
      await picture(page, name('login'))
      await page.fill('#identifier', ada.email)
      await page.fill('#password', 'not the password')
      await page.press('#password', 'Enter')
      assert.match((await page.textContent('[role=alert]')) ?? '', /Incorrect email address/)
      assert.equal(await page.inputValue('#identifier'), ada.email)
      await picture(page, name('login-refused'))
      await page.fill('#password', ada.password)
      await page.click('main form button')
      await page.waitForURL(atPage(`${home}/login/verify`))
      await page.fill('#code', wrongCode(ada.code()))
      await page.press('#code', 'Enter')
      assert.match((await page.textContent('[role=alert]')) ?? '', /4 attempts left/)
      await picture(page, name('second-step'))
      await page.fill('#code', ada.code())
      await page.press('#code', 'Enter')
      await page.waitForURL(`${home}/account`)
      await picture(page, name('account'))
      await openMenu(page)
      await page.click('form[action="/logout"] button:visible')
      await page.waitForURL(`${home}/login?logout=success`)
      await picture(page, name('signed-out'))
      assert.deepEqual(complaints, [])
      await context.close()
    })

    test(`a mailed code, ${where}`, async () => {
      const ada = await registered(app)
      const context = await browser.newContext({ ...options, locale: 'es-ES' })
      const page = await context.newPage()
      await page.goto(`${home}/login`)
      await page.click('a[href="/login/mail"]')
      await picture(page, name('mail-es'))
      await page.fill('#email', ada.email)
      await page.press('#email', 'Enter')
      await page.waitForSelector('#code')
      await picture(page, name('mail-code-es'))
      const code = /\b(\d{6})\b/.exec((await app.mailTo(ada.email, 1)).text)?.[1] ?? ''
      await page.fill('#code', code)
      await page.press('#code', 'Enter')
      await page.click('main .actions a:not(.button)')
      await page.waitForURL(`${home}/account`)
      await context.close()
    })
  }

  test('with the keyboard alone: a new password, then password and code', async () => {
    const ada = await withTotp(app)
    await proveInbox(app, ada.id)
    const page = await (await browser.newContext({ ...desk, locale: 'en-GB' })).newPage()
    const password = 'moths around a quiet lamp'
    const press = async (what: string) => {
      await tabTo(page, what)
      await page.keyboard.press('Enter')
    }
    const type = async (field: string, text: string) => {
      await tabTo(page, field)
      await page.keyboard.type(text)
    }
    await page.goto(`${home}/login`)
    await press('Forgot your password?')
    await page.waitForURL(`${home}/forgot`)
    await type('email', ada.email)
    await press('Send link and code')
    await page.waitForURL(atPage(`${home}/forgot/sent`))
    await page.goto(`${home}${linkIn(await resetMail(app, ada.email))}`)
    await type('password', 'qwertyuiop')
    await page.keyboard.press('Enter')
    await page.waitForSelector('#password-problem')
    assert.equal(await focused(page), 'password')
    await page.keyboard.type(password)
    await press('Set password')
    await page.waitForURL(atPage(`${home}/login?reset=success`))
    await type('identifier', ada.email)
    await type('password', password)
    await press('Sign in')
    await page.waitForURL(atPage(`${home}/login/verify`))
    await press('Recovery code')
    await page.waitForURL(atPage(`${home}/login/verify?method=recovery`))
    await press('Code from an authenticator app')
    await page.waitForURL((url) => url.search.includes(ada.methodId))
    await type('code', ada.code())
    await press('Confirm')
    await page.waitForURL(`${home}/account`)
    await page.context().close()
  })

  test('a passkey signs in where scripts run, and its button is not there where they do not', async () => {
    const still = await (await browser.newContext({ javaScriptEnabled: false })).newPage()
    await still.goto(`${home}/login`)
    assert.equal(await still.isVisible('#passkey'), false)

    const context = await browser.newContext()
    const page = await context.newPage()
    await addAuthenticator(page)
    // With autofill, the virtual authenticator signs in before anything is clicked.
    await page.addInitScript('PublicKeyCredential.isConditionalMediationAvailable = async () => false')
    await page.goto(`${home}/login`)
    await page.route('**/auth/passkey/login/options', (route) => route.abort())
    await page.click('#passkey')
    await page.waitForSelector('#problem:not([hidden])')
    await page.unroute('**/auth/passkey/login/options')
    assert.match((await page.textContent('#problem')) ?? '', /weren’t signed in/)
    const ada = await registered(app)
    await context.addCookies([{ name: 'session_id', value: ada.sessionToken, url: home }])
    await page.evaluate(`(async () => {
      const post = async (path, body) => (await fetch(path, {
        method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body),
      })).json()
      const { method_id, options } = await post('/auth/two_factor/passkey/setup', {})
      const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options)
      const response = (await navigator.credentials.create({ publicKey })).toJSON()
      await post('/auth/two_factor/verify', { action: 'setup', method_id, response })
    })()`)
    await context.clearCookies()
    await page.goto(`${home}/login`)
    await page.click('#passkey')
    await page.waitForURL(`${home}/account`)
    assert.match((await page.textContent('main')) ?? '', new RegExp(ada.email))

    await context.clearCookies()
    await page.goto(`${home}/login`)
    await page.fill('#identifier', ada.email)
    await page.fill('#password', ada.password)
    await page.press('#password', 'Enter')
    await page.waitForURL(atPage(`${home}/login/verify`))
    await page.click('#passkey')
    await page.waitForURL(`${home}/account`)
    await context.close()
  })

  test('a form of another site signs its visitor in as nobody', async (t) => {
    const mallory = await registered(app)
    const html = (await app.get('/login')).text
    const form = /<form[\s\S]*<\/form>/.exec(html)?.[0].replace('action="', `action="${home}`)
    const filled = form
      ?.replace('name="identifier"', `name="identifier" value="${mallory.email}"`)
      .replace('value="" ', '')
      .replace('name="password"', `name="password" value="${mallory.password}"`)
    const site = createServer((_request, reply) => {
      reply.setHeader('content-type', 'text/html')
      reply.end(`${filled}<script>document.forms[0].submit()</script>`)
    })
    await once(site.listen(0, '127.0.0.1'), 'listening')
    t.after(() => site.close())
    const context = await browser.newContext()
    const page = await context.newPage()
    await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`)
    await page.waitForURL(`${home}/login`)
    // The page does not contain the form, which the visitor could otherwise submit with the values of the other site.
    assert.equal(await page.locator('input[name=password]').count(), 0)
    assert.ok(!(await context.cookies()).some(({ name }) => name === 'session_id'))
    await context.close()
  })
})
