import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { tokenAfter, verifyPath } from '../email-addresses/change-support.ts'
import { drawn } from '../pictures/support.ts'
import { skipWithoutChromium } from '../support/browser.ts'
import { person, registered, type SignedIn } from '../support/people.ts'
import { openSite } from '../support/site.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'
import { openEntry } from './menu.ts'

const phone = { viewport: { width: 360, height: 740 }, colorScheme: 'light', javaScriptEnabled: false } as const
const desk = { viewport: { width: 1280, height: 800 }, colorScheme: 'dark' } as const
const looks: Record<string, BrowserContextOptions> = {
  'on a phone, without scripts, light, in Spanish': { ...phone, locale: 'es-ES' },
  'on a desk, dark, in English': { ...desk, locale: 'en-GB' },
}

describe('the account in a browser', { skip: skipWithoutChromium() }, () => {
  let app: TestApp
  let browser: Browser
  let home: string
  before(async () => {
    ;({ app, browser, home } = await openSite((url) =>
      startTestApp({ modules: ['two-factor'], env: { PUBLIC_URL: url, RATE_LIMIT_LOGIN: '100/15m' } }),
    ))
  })
  after(async () => {
    await browser?.close()
    await app?.stop()
  })

  /** A browser in which this user is signed in. Collects console errors. */
  async function signedIn(person: SignedIn, options: BrowserContextOptions = {}) {
    const context = await browser.newContext(options)
    await context.addCookies([{ name: 'session_id', value: person.sessionToken, url: home }])
    const page = await context.newPage()
    const complaints: string[] = []
    page.on('console', (message) => {
      if (message.type() === 'error' && !message.text().includes('status of 4')) complaints.push(message.text())
    })
    return { page, complaints, close: () => context.close() }
  }

  /** Takes screenshots if SCREENSHOTS is set, and checks that no part of the page is cut off. */
  async function picture(page: Page, step: string): Promise<void> {
    assert.equal(await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth'), true, step)
    const folder = process.env.SCREENSHOTS
    if (!folder) return
    mkdirSync(folder, { recursive: true })
    const { width } = page.viewportSize() ?? { width: 0 }
    await page.screenshot({ path: `${folder}/${step}-${width}.png`, fullPage: true })
  }

  for (const [where, options] of Object.entries(looks)) {
    test(`every page by clicks, ${where}`, async () => {
      const ada = await registered(app, 'ada', { name: 'Ada', last_name: 'Lovelace' })
      const { page, complaints, close } = await signedIn(ada, options)
      await page.goto(`${home}/account`)
      await picture(page, 'account')

      await openEntry(page, '/account/profile')
      await page.fill('#display_name', 'Countess Ada')
      await page.fill('#dob', '1990-12-10')
      await page.selectOption('#tmz', 'Europe/Madrid')
      await page.fill('#user_name', 'a b')
      await page.click('form[action="/account/profile"] button')
      await page.waitForSelector('#user_name-problem')
      await picture(page, 'profile-refused')
      await page.fill('#user_name', ada.user_name)
      await page.click('form[action="/account/profile"] button')
      await page.waitForURL(/done=profile_saved/)
      assert.equal(await page.inputValue('#display_name'), 'Countess Ada')
      assert.equal(await page.inputValue('#tmz'), 'Europe/Madrid')
      await page.setInputFiles('#picture', { name: 'me.png', mimeType: 'image/png', buffer: await wide() })
      await page.click(options.javaScriptEnabled === false ? '#picture-form > .actions button' : '#crop button')
      await page.waitForURL(/done=picture_saved/)
      await page.evaluate('document.querySelector("img.avatar").decode()')
      await picture(page, 'profile')

      await openEntry(page, '/account/email')
      const newEmail = person().email
      await page.fill('#new_email', newEmail)
      await page.press('#new_email', 'Enter')
      await page.waitForURL(/done=email_change_started/)
      await picture(page, 'email-pending')
      const token = tokenAfter((await app.mailTo(newEmail)).text, verifyPath)
      await page.goto(`${home}${verifyPath}?token=${token}`)
      await page.click('main form button')
      await page.goto(`${home}/account/email`)
      assert.equal(await page.locator('.rows .chip.good').count(), 1)
      await page.click('form[action="/account/email/cancel"] button')
      await page.waitForURL(/done=email_change_cancelled/)

      await openEntry(page, '/account/password')
      await page.fill('#current_password', ada.password)
      await page.fill('#new_password', 'password123')
      await page.press('#new_password', 'Enter')
      await page.waitForSelector('#new_password-problem')
      await picture(page, 'password-refused')
      await page.fill('#current_password', ada.password)
      await page.fill('#new_password', 'quiet lamps over the delta')
      await page.click('main form[action="/account/password"] .actions button')
      await page.waitForURL(/done=password_saved/)
      await picture(page, 'password')
      ada.password = 'quiet lamps over the delta'

      const other = await signedIn(ada, {
        ...options,
        userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Firefox/150.0',
      })
      await app.post('/auth/login', { email: ada.email, password: ada.password })
      await other.close()
      await openEntry(page, '/account/sessions')
      await picture(page, 'sessions')
      await page.click('form[action="/account/sessions/end"] button')
      await page.waitForURL(/done=session_ended/)
      await picture(page, 'session-ended')

      await page.goto(`${home}/account/confirm?next=/account/sessions`)
      await picture(page, 'confirm')
      await page.fill('#proof', ada.password)
      await page.press('#proof', 'Enter')
      await page.waitForURL(/\/account\/sessions\?done=confirmed/)
      assert.deepEqual(complaints, [])
      await close()
    })
  }

  test('password strength is shown while typing, by the rules of the service, with the keyboard alone', async () => {
    const ada = await registered(app)
    const { page, complaints, close } = await signedIn(ada, desk)
    await page.goto(`${home}/account/password`)
    await page.focus('#current_password')
    await page.keyboard.type(ada.password)
    await page.keyboard.press('Tab')
    assert.equal(await page.evaluate('document.activeElement.id'), 'new_password')
    const said = (words: RegExp) => page.locator('.strength [role=status]', { hasText: words }).waitFor()
    await page.keyboard.type('short')
    await said(/Too short/)
    await page.fill('#new_password', '')
    // The password is long enough and not in the page's list of common passwords, but it is in the service's longer
    // list.
    await page.keyboard.type('football1')
    await said(/This password is too common/)
    await picture(page, 'password-judged')
    await page.fill('#new_password', '')
    await page.keyboard.type('quiet lamps over the delta')
    await said(/Hard to guess/)
    await page.keyboard.press('Enter')
    await page.waitForURL(/done=password_saved/)
    assert.deepEqual(complaints, [])
    await close()
  })

  test('the part of a picture that is kept is chosen with the keyboard alone', async () => {
    const ada = await registered(app)
    const { page, complaints, close } = await signedIn(ada, desk)
    await page.goto(`${home}/account/profile`)
    await page.setInputFiles('#picture', { name: 'me.png', mimeType: 'image/png', buffer: await halves() })
    await page.waitForSelector('#crop[open]')
    await picture(page, 'crop')
    assert.equal(await page.evaluate('document.activeElement.className'), 'crop-view')
    for (let count = 0; count < 20; count++) await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Tab')
    assert.equal(await page.evaluate('document.activeElement.id'), 'zoom')
    await page.keyboard.press('End')
    await picture(page, 'crop-zoomed')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.waitForURL(/done=picture_saved/)
    // The user selected a square in the right half of the picture, which is blue.
    const shown = await page.evaluate(`(async () => {
      const image = document.querySelector('img.avatar')
      await image.decode()
      const canvas = document.createElement('canvas')
      canvas.width = canvas.height = 1
      canvas.getContext('2d').drawImage(image, 0, 0, 1, 1)
      const [red, , blue] = canvas.getContext('2d').getImageData(0, 0, 1, 1).data
      return { square: image.naturalWidth === image.naturalHeight, red, blue }
    })()`)
    const { square, red, blue } = shown as { square: boolean; red: number; blue: number }
    assert.ok(square && red < 60 && blue > 200, JSON.stringify(shown))
    assert.deepEqual(complaints, [])
    await close()
  })
})

const wide = () => drawn(600, 400).png().toBuffer()

/** A picture whose left half is red and whose right half is blue. */
const halves = async () => {
  const half = (background: string) => ({ create: { width: 400, height: 400, channels: 3 as const, background } })
  return (await drawn(800, 400))
    .composite([
      { input: half('#ff0000'), left: 0, top: 0 },
      { input: half('#0000ff'), left: 400, top: 0 },
    ])
    .png()
    .toBuffer()
}
