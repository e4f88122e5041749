import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { skipWithoutChromium } from '../support/browser.ts'
import { signedInAs, withSession } from '../support/people.ts'
import { openSite } from '../support/site.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'

describe('pages of a user who has signed out', { skip: skipWithoutChromium() }, () => {
  let app: TestApp
  let browser: Browser
  let home: string
  before(async () => {
    ;({ app, browser, home } = await openSite((url) => startTestApp({ env: { PUBLIC_URL: url } })))
  })
  after(async () => {
    await browser?.close()
    await app?.stop()
  })

  const atLogin = (page: Page) => page.waitForURL((url) => url.pathname === '/login', { timeout: 10_000 })

  for (const path of ['/account/email', '/admin/people']) {
    test(`${path} is not shown when the next user goes back`, async () => {
      const { page, root } = await open(path)
      await page.click('form[action="/logout"] button')
      await atLogin(page)
      await page.goBack()
      await atLogin(page)
      assert.ok(!(await page.innerText('main')).includes(root.email))
      await page.context().close()
    })

    test(`${path} is loaded again if the browser restores it from memory`, async () => {
      const { page, root } = await open(path)
      await app.post('/auth/logout', {}, withSession(root.sessionToken))
      await page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")
      await atLogin(page)
      await page.context().close()
    })
  }

  async function open(path: string) {
    const root = await signedInAs(app, 'superadmin')
    const context = await browser.newContext({ locale: 'en' })
    await context.addCookies([{ name: 'session_id', value: root.sessionToken, url: home }])
    const page = await context.newPage()
    await page.goto(home + path)
    assert.ok((await page.innerText('main')).includes(root.email))
    return { page, root }
  }
})
