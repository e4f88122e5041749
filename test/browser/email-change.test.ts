import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, BrowserContext } from 'playwright-core'
import { cancelPath, emailOf, startedChange, statusOf, verifyPath } from '../email-addresses/change-support.ts'
import { openBrowser, skipWithoutChromium } from '../support/browser.ts'
import { freePort } from '../support/free-port.ts'
import { registered } from '../support/people.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'

describe('the pages behind the links of a change of address', { skip: skipWithoutChromium() }, () => {
  let app: TestApp
  let browser: Browser
  let home: string
  before(async () => {
    const port = await freePort()
    home = `http://127.0.0.1:${port}`
    app = await startTestApp({ env: { PUBLIC_URL: home, PORT: String(port) } })
    await app.http.listen({ host: '127.0.0.1', port })
    browser = await openBrowser()
  })
  after(async () => {
    await browser?.close()
    await app?.stop()
  })

  /** Opens a link, clicks the button on its page, and returns the next page's URL. */
  async function press(visit: BrowserContext, path: string, token: string): Promise<string> {
    const page = await visit.newPage()
    await page.goto(`${home}${path}?token=${token}`)
    await page.click('button')
    await page.waitForURL(/\/login\?email_change=/)
    return (await page.textContent('main')) ?? ''
  }

  test('both inboxes confirm by a click, without any script', async () => {
    const ada = await registered(app)
    const { current, fresh, newEmail } = await startedChange(app, ada)
    const visit = await browser.newContext({ javaScriptEnabled: false })
    assert.match(await press(visit, verifyPath, current), /other address must confirm/)
    assert.equal(await emailOf(app, ada.sessionToken), ada.email)
    assert.match(await press(visit, verifyPath, fresh), /sign in with your new address/)
    assert.equal(await emailOf(app, ada.sessionToken), newEmail)
    await visit.close()
  })

  test('the click that cancels counts in a browser that is signed in as somebody else', async () => {
    const [ada, grace] = [await registered(app), await registered(app, 'grace')]
    const { cancel } = await startedChange(app, ada)
    await startedChange(app, grace)
    const visit = await browser.newContext()
    await visit.addCookies([{ name: 'session_id', value: grace.sessionToken, url: home }])
    assert.match(await press(visit, cancelPath, cancel), /wasn’t changed/)
    assert.equal((await statusOf(app, ada.sessionToken)).status, 'none')
    assert.equal((await statusOf(app, grace.sessionToken)).status, 'pending')
    await visit.close()
  })
})
