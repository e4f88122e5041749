import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { minute } from '../../src/lib/time.ts'
import { becomesTrue, skipWithoutChromium } from '../support/browser.ts'
import { registered, type SignedIn, signedInAs, withSession } from '../support/people.ts'
import { openSite } from '../support/site.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'

describe('entered values, if the session has ended meanwhile', { skip: skipWithoutChromium() }, () => {
  let app: TestApp
  let browser: Browser
  let home: string
  before(async () => {
    ;({ app, browser, home } = await openSite((url) =>
      startTestApp({ env: { PUBLIC_URL: url, RATE_LIMIT_LOGIN: '100/15m', EMAIL_CHANGE_REAUTH: 'true' } }),
    ))
  })
  after(async () => {
    await browser?.close()
    await app?.stop()
  })

  const stored = (page: Page) => page.evaluate<string>('JSON.stringify(sessionStorage)')

  async function open(user: SignedIn, path: string): Promise<Page> {
    const context = await browser.newContext({ locale: 'en' })
    await context.addCookies([{ name: 'session_id', value: user.sessionToken, url: home }])
    const page = await context.newPage()
    await page.goto(home + path)
    return page
  }

  const sessionOf = async (page: Page) =>
    (await page.context().cookies(home)).find(({ name }) => name === 'session_id')?.value ?? ''

  async function signIn(page: Page, user: SignedIn): Promise<void> {
    await page.waitForURL((url) => url.pathname === '/login')
    await page.fill('#identifier', user.email)
    await page.fill('#password', user.password)
    await page.press('#password', 'Enter')
    await page.waitForURL((url) => url.pathname.startsWith('/account'))
  }

  /** Enters a name in the profile, and saves it after the session has ended. */
  async function saveTooLate(user: SignedIn): Promise<Page> {
    const page = await open(user, '/account/profile')
    await page.fill('#display_name', 'Countess Ada')
    await page.selectOption('#tmz', 'Europe/Madrid')
    await app.post('/auth/logout', {}, withSession(user.sessionToken))
    await page.press('#display_name', 'Enter')
    return page
  }

  test('are in the form again after the user signs in, and are not kept once they are saved', async () => {
    const ada = await registered(app)
    const page = await saveTooLate(ada)
    await signIn(page, ada)
    await becomesTrue(page, 'document.getElementById("display_name").value === "Countess Ada"')
    assert.equal(await page.inputValue('#tmz'), 'Europe/Madrid')
    const note = page.getByRole('status').filter({ hasText: 'Your input was kept.' })
    assert.ok(await note.isVisible())
    assert.equal(await stored(page), '{}')
    await page.press('#display_name', 'Enter')
    await page.waitForURL(/done=profile_saved/)
    assert.equal(await stored(page), '{}')
    await page.fill('#display_name', '')
    await page.press('#display_name', 'Enter')
    await page.waitForURL(/done=profile_saved/)
    await page.reload()
    assert.equal(await page.inputValue('#display_name'), '')
    assert.equal(await note.count(), 0)
    await page.context().close()
  })

  test('are in the form again after the user confirms their identity', async () => {
    const ada = await registered(app)
    const page = await open(ada, '/account/email')
    app.clock.advance(app.ctx.config.REAUTH_WINDOW + minute)
    await page.fill('#new_email', 'countess@example.com')
    await page.press('#new_email', 'Enter')
    await page.waitForURL(/\/account\/confirm/)
    await page.fill('#proof', ada.password)
    await page.press('#proof', 'Enter')
    await page.waitForURL(/\/account\/email\?done=confirmed/)
    await becomesTrue(page, 'document.getElementById("new_email").value === "countess@example.com"')
    await page.context().close()
  })

  test('are not shown to another user, and are removed', async () => {
    const page = await saveTooLate(await registered(app))
    await page.waitForURL((url) => url.pathname === '/login')
    assert.match(await stored(page), /Countess Ada/)
    await signIn(page, await registered(app))
    await becomesTrue(page, 'sessionStorage.length === 0')
    assert.equal(await page.inputValue('#display_name'), '')
    assert.equal(await page.getByText('Your input was kept.').count(), 0)
    await page.context().close()
  })

  test('are announced in the language of the page, and only if some were entered again', async () => {
    const ada = await registered(app)
    await app.call('PUT', '/auth/profile', { ...withSession(ada.sessionToken), body: { lang: 'es' } })
    const page = await saveTooLate(ada)
    await signIn(page, ada)
    await page.getByText('Se ha conservado lo que habías escrito.').waitFor()
    await app.post('/auth/logout', {}, withSession(await sessionOf(page)))
    await page.fill('#display_name', 'Countess')
    await page.press('#display_name', 'Enter')
    await page.waitForURL((url) => url.pathname === '/login')
    // The value has been changed elsewhere meanwhile, so it is not overwritten.
    const { json } = await app.post('/auth/login', { email: ada.email, password: ada.password })
    await app.call('PUT', '/auth/profile', {
      ...withSession(json.sessionId),
      body: { display_name: 'Lady Lovelace', tmz: 'Europe/London' },
    })
    await signIn(page, ada)
    await becomesTrue(page, 'document.getElementById("display_name").value === "Lady Lovelace"')
    assert.equal(await page.getByText('Se ha conservado').count(), 0)
    await page.context().close()
  })

  test('are removed when the user signs out', async () => {
    const page = await open(await registered(app), '/account/profile')
    await page.fill('#user_name', 'a b')
    await page.press('#user_name', 'Enter')
    await page.waitForSelector('#user_name-problem')
    await page.evaluate('sessionStorage.setItem("text of someone", "x")')
    await page.click('form[action="/logout"] button')
    await page.waitForURL((url) => url.pathname === '/login')
    assert.equal(await stored(page), '{}')
    await page.context().close()
  })

  test('select nobody else if the list has changed meanwhile', async () => {
    const admin = await signedInAs(app, 'superadmin')
    const first = await registered(app)
    const page = await open(admin, '/admin/people')
    await page.check(`input[value="${first.id}"]`)
    await page.selectOption('#action', 'block')
    await app.post('/auth/logout', {}, withSession(admin.sessionToken))
    app.clock.advance(minute)
    await registered(app)
    await page.click('.bar-action button')
    await page.waitForURL((url) => url.pathname === '/login')
    await page.fill('#identifier', admin.email)
    await page.fill('#password', admin.password)
    await page.press('#password', 'Enter')
    await page.waitForURL((url) => url.pathname.startsWith('/admin'))
    await page.waitForURL((url) => url.pathname === '/admin/people')
    await becomesTrue(page, 'sessionStorage.length === 0')
    assert.equal(await page.inputValue('#action'), 'block')
    assert.equal(await page.locator('input:checked').count(), 0)
    await page.context().close()
  })

  test('do not include passwords', async () => {
    const ada = await registered(app)
    const page = await open(ada, '/account/password')
    await page.fill('#current_password', ada.password)
    await page.fill('#new_password', 'quiet lamps over the delta')
    await app.post('/auth/logout', {}, withSession(ada.sessionToken))
    await page.press('#new_password', 'Enter')
    await page.waitForURL((url) => url.pathname === '/login')
    assert.equal(await stored(page), '{}')
    await signIn(page, ada)
    assert.equal(await page.inputValue('#new_password'), '')
    await page.context().close()
  })
})
