import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { after, before, describe, test } from 'node:test'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { openBrowser, skipWithoutChromium } from '../support/browser.ts'
import { type Service, startService, written } from '../support/child.ts'
import { person } from '../support/people.ts'
import { fromBase32, totpOf } from '../two-factor/support.ts'
import { openEntry, openMenu } from './menu.ts'

const looks: Record<string, BrowserContextOptions> = {
  'on a desk, light, in English': { viewport: { width: 1280, height: 800 }, colorScheme: 'light', locale: 'en-GB' },
  'on a phone, dark, in Spanish': { viewport: { width: 360, height: 740 }, colorScheme: 'dark', locale: 'es-ES' },
}

// Starts the service without settings, as in the quick start. The users open the printed link and then navigate only by
// clicking.
describe('from the first start to the personal data, by clicks', { skip: skipWithoutChromium() }, () => {
  let service: Service
  let browser: Browser
  let link: string
  let home: string
  before(async () => {
    service = await startService({})
    link = (await written(service, /First superadmin\s+(\S+)/))[1] ?? ''
    home = new URL(link).origin
    browser = await openBrowser()
  })
  after(async () => {
    await browser?.close()
    await service?.stop()
  })

  test('the printed link makes the first superadmin, who installs a module on the API page', async () => {
    const context = await open({ viewport: { width: 1280, height: 800 }, locale: 'en-GB' })
    const page = await context.newPage()
    const grace = person('grace')
    await page.goto(link)
    await picture(page, 'set-up')
    await page.fill('#name', 'Grace Hopper')
    await page.fill('#email', grace.email)
    await page.fill('#password', grace.password)
    await send(page)
    assert.equal(new URL(page.url()).pathname, '/admin')
    await page.goto(home)
    await page.click('a[href="/docs"]')
    await page.fill('input[type=search]', '}/run')
    const operation = page.locator('details.operation:visible', { hasText: 'POST' }).first()
    await operation.locator('summary').first().click()
    await operation.getByRole('button', { name: 'Send' }).click()
    await page.locator('dialog button[value=send]').click()
    await operation.locator('.answer strong.good').waitFor()
    await picture(page, 'api-page')
    await context.close()
  })

  for (const [where, look] of Object.entries(looks)) {
    test(`a second person has an account and all that belongs to it, ${where}`, async () => {
      const context = await open(look)
      const page = await context.newPage()
      const shot = (step: string) => picture(page, `${step}-${look.locale?.slice(0, 2)}`)
      const ada = person()

      await page.goto(home)
      await page.click('main a[href="/account"]')
      await page.click('main a[href="/register"]')
      await page.click('main a[href="/register?with=password"]')
      await page.fill('#email', ada.email)
      await page.fill('#password', ada.password)
      await shot('register')
      await send(page)
      await shot('look-into-the-inbox')
      await followMail(context, ada.email, 'token/verify')
      await page.goto(`${home}/account`)
      assert.equal(await page.locator('.chip.warn').count(), 0, 'the address is confirmed')
      await shot('account')

      await openEntry(page, '/account/security')
      await page.click('a[href*="method=totp"]')
      await send(page)
      await shot('authenticator')
      const seed = fromBase32((await page.innerText('.secret')).replaceAll(/\s/g, ''))
      await page.fill('#code', totpOf(seed, Date.now()))
      await send(page)
      await shot('recovery-codes')
      const codes = await page.locator('.codes li').allInnerTexts()
      assert.ok(codes.length >= 8)
      await page.click('main .actions a.button')

      await openEntry(page, '/account')
      await openMenu(page)
      await page.click('form[action="/logout"] button:visible')
      await page.waitForURL(/\/login/)
      await signIn(page, ada.email, ada.password)
      await shot('second-step')
      // Each code can be used only once, so this is the authenticator app's next code.
      await page.fill('#code', totpOf(seed, Date.now() + 30_000))
      await send(page)
      assert.equal(new URL(page.url()).pathname, '/account')

      const moved = person().email
      await openEntry(page, '/account/email')
      await page.fill('[name=new_email]', moved)
      await sendWith(page, '[name=new_email]')
      await shot('address-changes')
      await followMail(context, ada.email, 'email-change/verify')
      await followMail(context, moved, 'email-change/verify')
      await page.goto(`${home}/account/email`)
      assert.match(await page.innerText('main'), new RegExp(moved))
      assert.equal(await page.locator('form[action$="/cancel"]').count(), 0, 'nothing is pending any more')

      const elsewhere = await open(look)
      const other = await elsewhere.newPage()
      await other.goto(`${home}/login`)
      await signIn(other, moved, ada.password)
      await other.click('a[href*="recovery"]')
      await other.fill('#code', codes[0] ?? '')
      await send(other)
      await openEntry(page, '/account/sessions')
      await shot('sessions')
      await Promise.all([page.waitForEvent('load'), page.click('form[action="/account/sessions/end"] button')])
      await other.reload()
      assert.equal(new URL(other.url()).pathname, '/login', 'the other device is signed out')
      await elsewhere.close()

      await openEntry(page, '/account/privacy')
      await shot('privacy')
      const download = page.waitForEvent('download')
      await page.click('form[action$="/download"] button')
      const file = await (await download).path()
      assert.ok((await readFile(file, 'utf8')).includes(moved))
      await context.close()
    })
  }

  async function open(look: BrowserContextOptions): Promise<BrowserContext> {
    const context = await browser.newContext(look)
    context.setDefaultTimeout(10_000)
    return context
  }

  /**
   * Opens the newest message to this recipient in the development inbox, follows its link, and clicks the button there.
   */
  async function followMail(context: BrowserContext, to: string, path: string): Promise<void> {
    const inbox = await context.newPage()
    const link = inbox.frameLocator('details[open] iframe').locator(`a[href*="${path}"]`).first()
    const opened = await retried(async () => {
      await inbox.goto(`${home}/dev/inbox?to=${encodeURIComponent(to)}`)
      // The inbox page reloads when a message arrives. A click during the reload would be lost.
      const [page] = await Promise.all([
        context.waitForEvent('page', { timeout: 2_000 }),
        link.click({ timeout: 2_000 }),
      ])
      return page
    })
    await opened.waitForLoadState()
    await send(opened)
    await opened.close()
    await inbox.close()
  }

  async function signIn(page: Page, email: string, password: string): Promise<void> {
    await page.fill('#identifier', email)
    await page.fill('#password', password)
    await send(page)
    assert.equal(new URL(page.url()).pathname, '/login/verify')
  }
})

async function retried<Value>(work: () => Promise<Value>): Promise<Value> {
  for (let left = 10; ; left--) {
    try {
      return await work()
    } catch (error) {
      if (left === 0) throw error
    }
  }
}

/** Clicks the page's main button. */
const send = (page: Page) =>
  Promise.all([page.waitForEvent('load'), page.click('main form button:not([type=button], .quiet, .menu *)')])

const sendWith = (page: Page, field: string) => Promise.all([page.waitForEvent('load'), page.press(field, 'Enter')])

/** Takes a screenshot if SCREENSHOTS is set, and checks that no element is wider than the window. */
async function picture(page: Page, step: string): Promise<void> {
  assert.equal(await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth'), true, step)
  const folder = process.env.SCREENSHOTS
  if (!folder) return
  mkdirSync(folder, { recursive: true })
  await page.screenshot({ path: `${folder}/walk-${step}.png`, fullPage: true })
}
