import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { adapted, staticSiteSample } from '../nodes/samples.ts'
import { openBrowser, skipWithoutChromium } from '../support/browser.ts'
import { startService } from '../support/examples.ts'
import { freePort } from '../support/free-port.ts'
import { registered } from '../support/people.ts'
import { findNginx, noNginx, type Proxy as Running, startNginx } from '../support/proxies.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'
import { bridgeSecret, type TestApp } from '../support/test-app.ts'

const skip = skipWithoutChromium() || (!findNginx() && noNginx)

describe('a static site behind nginx, as documented', { skip }, () => {
  let service: { app: TestApp; home: string }
  let browser: Browser
  let proxy: Running
  let site: string
  before(async () => {
    const port = await freePort()
    site = `http://localhost:${port}`
    service = await startService([port])
    const files = temporaryDirectory('static-site')
    await writeFile(`${files}/index.html`, '<a href="/inside.html">Inside</a>')
    await writeFile(`${files}/inside.html`, '<p>Only for members</p>')
    proxy = await startNginx(port, () =>
      adapted(staticSiteSample(), {
        '127.0.0.1:3000': `127.0.0.1:${new URL(service.home).port}`,
        '127.0.0.1:4000': `127.0.0.1:${port}`,
        YOUR_BRIDGE_SECRET: bridgeSecret,
        '/srv/app': files,
      }),
    )
    browser = await openBrowser()
  })
  after(async () => {
    await browser?.close()
    await proxy?.stop()
    await service?.app.stop()
  })

  test('people sign in on the way, read, sign out, and are sent to sign in again', async () => {
    const ada = await registered(service.app)
    const page = await (await browser.newContext()).newPage()
    const wanted = `${site}/inside.html?a=1&b=%C3%A9`
    await page.goto(wanted)
    assert.equal(new URL(page.url()).origin, service.home)
    const text = (await page.textContent('main'))!
    assert.match(text, new RegExp(`to continue to ${new URL(site).host}\\b`))
    assert.doesNotMatch(text, /Cancel/, 'the site would send them here again')
    await page.fill('#identifier', ada.email)
    await page.fill('#password', ada.password)
    await page.press('#password', 'Enter')
    await page.waitForURL(wanted)
    assert.equal(await page.textContent('p'), 'Only for members')
    await page.goto(`${site}/`)
    await page.click('text=Inside')
    await page.waitForURL(`${site}/inside.html`)

    await page.goto(`${service.home}/logout?return_to=${encodeURIComponent(`${site}/`)}`)
    await page.click('main form button')
    await page.waitForURL((url) => url.origin === service.home && url.pathname === '/login')
    await page.goto(wanted)
    assert.equal(new URL(page.url()).pathname, '/login')
    await page.goBack()
    assert.doesNotMatch((await page.textContent('body'))!, /Only for members/)
  })
})
