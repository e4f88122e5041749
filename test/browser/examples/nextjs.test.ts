import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { openBrowser, skipWithoutChromium } from '../../support/browser.ts'
import { type Example, startExample, startService } from '../../support/examples.ts'
import { freePort } from '../../support/free-port.ts'
import { registered } from '../../support/people.ts'
import { bridgeSecret, type TestApp } from '../../support/test-app.ts'

describe('the example for Next.js in a browser', { skip: skipWithoutChromium() }, () => {
  let service: { app: TestApp; home: string }
  let browser: Browser
  let example: Example

  before(async () => {
    const port = await freePort()
    service = await startService([port])
    // The secret is not set during the build, as on most build machines.
    const build = 'BRIDGE_SECRET= NEXT_TELEMETRY_DISABLED=1 next build'
    const command = `next start -H 127.0.0.1 -p ${port}`
    example = await startExample('nextjs', { port, service: service.home, build, command })
    browser = await openBrowser()
  })
  after(async () => {
    await browser?.close()
    await example?.stop()
    await service?.app.stop()
  })

  test('users sign in, return, and sign out', async () => {
    const ada = await registered(service.app)
    const { url } = example
    const context = await browser.newContext()
    const page = await context.newPage()
    const sent: string[] = []
    page.on('response', async (response) => {
      if (response.url().startsWith(url)) sent.push(await response.text().catch(() => ''))
    })
    await page.goto(`${url}/private`)
    await page.fill('#identifier', ada.email)
    await page.fill('#password', ada.password)
    await page.press('#password', 'Enter')
    await page.waitForURL(`${url}/private`)
    assert.match((await page.textContent('body'))!, new RegExp(`Only for ${ada.email}`))
    const [cookie] = (await context.cookies(url)).filter(({ name }) => name === 'wardenry_session')
    assert.deepEqual([cookie?.httpOnly, cookie?.sameSite], [true, 'Lax'])
    await page.goto(url)
    assert.match((await page.textContent('body'))!, new RegExp(`Hello ${ada.email}`))
    await page.click('form[action="/sign-out"] button')
    await page.waitForSelector('text=Sign in')
    const replayed = await fetch(`${url}/private`, { headers: { cookie: `wardenry_session=${cookie?.value}` } })
    assert.equal(replayed.status, 401)
    assert.ok(sent.length > 4)
    for (const text of sent) assert.doesNotMatch(text, new RegExp(`${bridgeSecret}|x-bridge-secret|BRIDGE_SECRET`))
  })

  test('programs receive errors, a forged callback is refused, and a foreign form signs nobody out', async () => {
    const { url } = example
    assert.equal((await fetch(`${url}/private`)).status, 401)
    assert.equal((await fetch(`${url}/sign-in/callback?code=c&state=s`)).status, 400)
    const forged = { method: 'POST', headers: { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' } }
    assert.equal((await fetch(`${url}/sign-out`, forged)).status, 403)
  })
})
