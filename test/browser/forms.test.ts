import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { createSetupLink } from '../../src/admin/setup-link.ts'
import { openBrowser, skipWithoutChromium } from '../support/browser.ts'
import { person, registered } from '../support/people.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'

const skip = skipWithoutChromium()
let app: TestApp
let browser: Browser
let base: string
before(async () => {
  if (skip) return
  app = await startTestApp()
  await app.http.listen({ host: '127.0.0.1', port: 0 })
  base = `http://127.0.0.1:${(app.http.server.address() as AddressInfo).port}`
  browser = await openBrowser()
})
after(async () => {
  await browser?.close()
  await app?.stop()
})

/** A page of ours, and everything that it complains about. */
async function open(path: string): Promise<{ page: Page; complaints: string[] }> {
  const page = await browser.newPage({ locale: 'en-GB' })
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    // The browser itself reports every 4xx.
    if (message.type() === 'error' && !message.text().includes('status of 4')) complaints.push(message.text())
  })
  await page.goto(`${base}${path}`)
  return { page, complaints }
}

const tokenIn = (text: string): string => /token=([\w-]{43})/.exec(text)?.[1] ?? ''
const problemOf = (page: Page, field: string) => page.locator(`#${field}-problem`).innerText()

test('a person without their password asks for a link, and chooses a new one with it', { skip }, async () => {
  const ada = await registered(app)
  const { page: request, complaints } = await open('/reset-password')
  await request.fill('#email', 'nobody')
  await request.click('#submit')
  assert.match(await problemOf(request, 'email'), /Enter an email address/)
  await request.fill('#email', ` ${ada.email}`)
  await request.press('#email', 'Enter')
  await request.waitForSelector('#done:not([hidden])')
  const token = tokenIn((await app.mailTo(ada.email, 1)).text)

  const { page: choose, complaints: more } = await open(`/reset-password?token=${token}`)
  assert.equal(choose.url(), `${base}/reset-password`)
  await choose.fill('#password', 'short')
  await choose.click('#submit')
  assert.match(await problemOf(choose, 'password'), /at least 8 characters/)
  for (const password of ['password123', ada.password]) {
    await choose.fill('#password', password)
    await choose.click('#submit')
    await choose.waitForSelector('#password-problem:not([hidden])')
    assert.match(await problemOf(choose, 'password'), /too easy to guess, or it is the one you have/)
  }
  await choose.click('#reveal')
  assert.equal(await choose.getAttribute('#password', 'type'), 'text')
  await choose.fill('#password', ' a tape without an end ')
  await choose.click('#submit')
  await choose.waitForSelector('#done:not([hidden])')
  const login = await app.post('/auth/login', { email: ada.email, password: ' a tape without an end ' })
  assert.equal(login.status, 200)

  const { page: again, complaints: last } = await open(`/reset-password?token=${token}`)
  await again.fill('#password', 'moths around the relay')
  await again.click('#submit')
  await again.waitForSelector('#problem:not([hidden])')
  assert.match(await again.locator('#problem').innerText(), /no longer valid/)
  assert.deepEqual([...complaints, ...more, ...last], [])
})

test('the first administrator is made on the set-up page', { skip }, async () => {
  const address = new URL((await createSetupLink(app.ctx)) ?? '')
  const { page, complaints } = await open(`${address.pathname}${address.search}`)
  assert.equal(page.url(), `${base}/auth/setup`)
  const grace = person('grace')
  await page.fill('#email', (await registered(app)).email)
  await page.fill('#password', grace.password)
  await page.click('#submit')
  await page.waitForSelector('#email-problem:not([hidden])')
  assert.match(await problemOf(page, 'email'), /already registered/)
  await page.fill('#email', grace.email)
  await page.fill('#name', ' Grace ')
  await page.click('#submit')
  await page.waitForSelector('#done:not([hidden])')
  const { json } = await app.post('/auth/login', grace)
  assert.equal(json.user.user_type, 'superadmin')
  assert.equal(json.user.name, 'Grace')
  assert.deepEqual(complaints, [])
})
