import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { skipWithoutChromium } from '../support/browser.ts'
import { signedInAs } from '../support/people.ts'
import { openSite } from '../support/site.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'

describe('the brand page', { skip: skipWithoutChromium() }, () => {
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

  test('asks before the form for the name is saved while a chosen logo is not', async () => {
    const { sessionToken } = await signedInAs(app, 'superadmin')
    const context = await browser.newContext()
    await context.addCookies([{ name: 'session_id', value: sessionToken, url: home }])
    const page = await context.newPage()
    await page.goto(`${home}/admin/settings/brand`)
    await page.setInputFiles('#picture', { name: 'logo.png', mimeType: 'image/png', buffer: Buffer.from('x') })
    await page.fill('#APP_NAME', 'Example Shop')
    const asked = page.waitForEvent('dialog', { timeout: 5_000 })
    await page.click('.save button', { noWaitAfter: true })
    const dialog = await asked
    assert.equal(dialog.type(), 'beforeunload')
    await dialog.dismiss()
    assert.match(await page.inputValue('#picture'), /logo\.png$/)
    assert.equal(await page.inputValue('#APP_NAME'), 'Example Shop')
    await context.close()
  })
})
