import assert from 'node:assert/strict'
import { test } from 'node:test'
import { errorPage } from '../../packages/server/src/error-page.ts'
import { readOptions } from '../../packages/server/src/read-options.ts'
import { openBrowser, skipWithoutChromium } from '../support/browser.ts'

const url = 'http://localhost:9'

test('an application’s error page fits on a phone if its wide logo does not load', {
  skip: skipWithoutChromium(),
}, async (t) => {
  const browser = await openBrowser()
  t.after(() => browser.close())
  const page = await browser.newPage({ viewport: { width: 360, height: 500 } })
  const settings = readOptions({ url, appUrl: 'http://localhost:8', bridgeSecret: 'x'.repeat(40) })
  const logo = { url: `${url}/logo`, width: 480, height: 32, containsName: true }
  const brand = { name: 'Example Shop', accent: undefined, logo, support: undefined }
  await page.setContent(errorPage(settings, 'UNAVAILABLE', 'The service is not available.', {}, brand).text)
  assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 360)
})
