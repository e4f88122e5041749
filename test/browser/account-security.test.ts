import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, describe, test } from 'node:test'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { second } from '../../src/lib/time.ts'
import { addAuthenticator, skipWithoutChromium } from '../support/browser.ts'
import { registered } from '../support/people.ts'
import { openSite } from '../support/site.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'
import { fromBase32, totpOf } from '../two-factor/support.ts'
import { press } from './keyboard.ts'
import { pressEntry } from './menu.ts'

const phone = { viewport: { width: 360, height: 740 }, colorScheme: 'light' } as const
const desk = { viewport: { width: 1280, height: 800 }, colorScheme: 'dark' } as const

describe('the security pages of an account', { skip: skipWithoutChromium() }, () => {
  let app: TestApp
  let browser: Browser
  let home: string
  before(async () => {
    ;({ app, browser, home } = await openSite((url) =>
      startTestApp({ modules: ['two-factor', 'privacy'], env: { PUBLIC_URL: url } }),
    ))
  })
  after(async () => {
    await browser?.close()
    await app?.stop()
  })

  async function signedIn(look: BrowserContextOptions) {
    const ada = await registered(app)
    const context = await browser.newContext({ ...look, locale: 'en-GB' })
    await context.addCookies([{ name: 'session_id', value: ada.sessionToken, url: home }])
    const page = await context.newPage()
    const complaints: string[] = []
    page.on('console', (message) => {
      if (message.type() === 'error' && !message.text().includes('status of 4')) complaints.push(message.text())
    })
    await page.goto(`${home}/account`)
    return { ada, page, context, complaints }
  }

  const codeOn = async (page: Page) => {
    const secret = (await page.textContent('.secret')) ?? ''
    return totpOf(fromBase32(secret.replaceAll(' ', '')), app.clock.now())
  }

  test('an authenticator is set up, used and removed by touch on a phone without scripts', async () => {
    const { page, context, complaints } = await signedIn({ ...phone, javaScriptEnabled: false })
    await page.click('.menu-button')
    await page.click('.menu a[href="/account/security"]')
    await page.waitForURL(`${home}/account/security`)
    assert.equal(await page.locator('.menu').isVisible(), false)
    await page.click('.menu-button')
    for (const entry of await page.locator('.menu :is(a, button)').all()) {
      const { x = -1, width = 0 } = (await entry.boundingBox()) ?? {}
      assert.ok(x >= 0 && x + width <= phone.viewport.width, `${await entry.textContent()} is in sight`)
    }
    assert.equal(await page.evaluate('window.scrollY'), 0)
    await page.keyboard.press('Escape')
    await page.click('a[href$="add?method=totp"]')
    await page.click('.section form button')
    assert.equal(await page.isVisible('.qr svg'), true)
    await page.fill('#code', await codeOn(page))
    app.clock.advance(30 * second)
    await page.click('.section form button')
    assert.equal(await page.locator('.codes li').count(), 10)
    for (const button of ['#copy', '#download', '#print']) assert.equal(await page.isVisible(button), false)
    const [code = ''] = await page.locator('.codes li').allTextContents()
    await page.click('.section a.button')
    assert.equal(page.url(), `${home}/account/security`)
    await page.click('.rows a[href*="/remove?"]')
    await page.click('a:text-is("Recovery codes")')
    await page.fill('#code', code)
    await page.click('.section form button')
    assert.match((await page.textContent('[role=status]')) ?? '', /The method was removed/)
    assert.deepEqual(complaints, [])
    await context.close()
  })

  test('recovery codes are copied, downloaded, printed without what surrounds them, and not there to go back to', async () => {
    const { page, context } = await signedIn(desk)
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: home })
    await page.goto(`${home}/account/security/add?method=totp`)
    await page.click('.section form button')
    await page.fill('#code', await codeOn(page))
    await page.click('.section form button')
    await page.click('#copy')
    await page.waitForSelector('#copy:text-is("Copied")')
    const codes = await page.locator('.codes li').allTextContents()
    assert.equal(await page.evaluate('navigator.clipboard.readText()'), `${codes.join('\n')}\n`)
    const [file] = await Promise.all([page.waitForEvent('download'), page.click('#download')])
    assert.equal(file.suggestedFilename(), 'recovery-codes.txt')
    const saved = await readFile(await file.path(), 'utf8')
    assert.deepEqual(saved.trimEnd().split('\n').slice(2), codes)
    await page.emulateMedia({ media: 'print' })
    for (const gone of ['.menu', '.menu-button', '#copy', '#download', '.brand', '.foot'])
      assert.equal(await page.isVisible(gone), false, gone)
    for (const there of ['.codes', '.only-print']) assert.equal(await page.isVisible(there), true, there)
    await page.emulateMedia({ media: 'screen' })
    await page.click('.section a.button')
    await assert.rejects(page.goBack(), /ERR_CACHE_MISS/)
    await context.close()
  })

  test('a passkey is created and used for its own removal with the keyboard alone', async () => {
    const { page, context, complaints } = await signedIn(desk)
    await addAuthenticator(page)
    await pressEntry(page, '/account/security')
    await page.waitForURL(`${home}/account/security`)
    assert.equal(await page.evaluate('window.scrollY'), 0)
    await page.keyboard.press('Escape')
    await press(page, 'a[href="/account/security/add"]')
    await page.focus('#name')
    await page.keyboard.type('Laptop')
    await page.keyboard.press('Enter')
    await page.waitForURL(`${home}/account/security?done=passkey_added`)
    assert.match((await page.textContent('.rows')) ?? '', /Laptop/)
    await press(page, 'form[action$="/on"] button')
    await page.waitForURL(`${home}/account/security?done=on`)
    await press(page, '.rows a[href*="/remove?"]')
    await press(page, '#passkey')
    await page.waitForURL(`${home}/account/security?done=removed`)
    assert.doesNotMatch((await page.textContent('.section')) ?? '', /Laptop/)
    assert.deepEqual(complaints, [])
    await context.close()
  })

  test('if the browser does not support passkeys, the page says so', async () => {
    const { page, context } = await signedIn(desk)
    await page.addInitScript('delete window.PublicKeyCredential')
    await page.goto(`${home}/account/security/add`)
    await page.click('.section form button')
    assert.match((await page.textContent('#form-problem')) ?? '', /a browser that supports passkeys/)
    await context.close()
  })

  test('data export and account deletion with the keyboard alone', async () => {
    const { ada, page, context, complaints } = await signedIn({ ...phone, javaScriptEnabled: false })
    await pressEntry(page, '/account/privacy')
    await page.focus('form[action$="/download"] button')
    const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')])
    assert.equal(download.suggestedFilename(), 'personal-data.json')
    await press(page, 'a[href="/account/privacy/delete"]')
    await page.focus('#email')
    await page.keyboard.type(ada.email)
    await page.keyboard.press('Enter')
    await page.waitForSelector('h1:text-is("Your account was deleted")')
    await page.goto(`${home}/account`)
    assert.equal(page.url(), `${home}/login`)
    assert.deepEqual(complaints, [])
    await context.close()
  })
})
