import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { openBrowser, skipWithoutChromium } from '../../support/browser.ts'
import { type Example, startExample, startService } from '../../support/examples.ts'
import { freePort } from '../../support/free-port.ts'
import { registered } from '../../support/people.ts'
import type { TestApp } from '../../support/test-app.ts'

describe('the static example in a browser', { skip: skipWithoutChromium() }, () => {
  let service: { app: TestApp; home: string }
  let browser: Browser
  let example: Example

  before(async () => {
    const port = await freePort()
    service = await startService([port])
    const given = { port, host: 'localhost', service: service.home, command: 'node serve.js' }
    example = await startExample('static', given)
    browser = await openBrowser()
  })
  after(async () => {
    await browser?.close()
    await example?.stop()
    await service?.app.stop()
  })

  test('users sign in, return, and sign out in every tab', async () => {
    const ada = await registered(service.app)
    const context = await browser.newContext()
    const page = await context.newPage()
    await page.goto(example.url)
    await page.waitForSelector('text=Nobody is signed in.')
    await page.click('#sign-in')
    await page.fill('#identifier', ada.email)
    await page.fill('#password', ada.password)
    await page.press('#password', 'Enter')
    await page.waitForURL(`${example.url}/`)
    await page.waitForSelector(`text=Hello ${ada.email}`)
    const other = await context.newPage()
    await other.goto(example.url)
    await other.waitForSelector(`text=Hello ${ada.email}`)
    await page.click('#sign-out')
    await page.waitForSelector('text=Nobody is signed in.')
    await other.waitForSelector('text=Nobody is signed in.')
  })

  test('while the service is unavailable, the page shows that the state is unknown', async () => {
    const page = await (await browser.newContext()).newPage()
    await page.route(`${service.home}/**`, (route) => route.abort())
    await page.goto(example.url)
    await page.waitForSelector('text=The service is not available')
    assert.equal(await page.isVisible('#sign-in'), false)
    assert.equal(await page.isVisible('#sign-out'), false)
  })
})
