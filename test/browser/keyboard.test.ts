import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { createSetupLink } from '../../src/admin/setup-link.ts'
import { skipWithoutChromium } from '../support/browser.ts'
import { person } from '../support/people.ts'
import { openSite } from '../support/site.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'
import { press, tabTo } from './keyboard.ts'
import { pressEntry } from './menu.ts'

describe('with the keyboard alone', { skip: skipWithoutChromium() }, () => {
  let app: TestApp
  let browser: Browser
  let page: Page
  let home: string
  const grace = person('grace')
  before(async () => {
    ;({ app, browser, home } = await openSite((url) => startTestApp({ env: { PUBLIC_URL: url } })))
    page = await (await browser.newContext({ locale: 'en' })).newPage()
  })
  after(async () => {
    await browser?.close()
    await app?.stop()
  })

  /** Moves the focus to a field and replaces its value. */
  async function type(field: string, text: string): Promise<void> {
    await tabTo(page, field)
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type(text)
  }

  test('the first administrator is created', async () => {
    await page.goto((await createSetupLink(app.ctx)) ?? '')
    await type('name', 'Grace')
    await type('email', grace.email)
    await type('password', grace.password)
    await tabTo(page, 'Create administrator')
    await page.keyboard.press('Enter')
    await page.waitForURL(`${home}/admin?done=set-up`)
  })

  test('a profile is changed', async () => {
    await page.goto(`${home}/account`)
    await pressEntry(page, '/account/profile')
    await page.waitForURL(`${home}/account/profile`)
    await type('last_name', 'Hopper')
    await page.keyboard.press('Enter')
    await page.waitForURL(/done=profile_saved/)
    assert.equal(await page.inputValue('#last_name'), 'Hopper')
  })

  test('one session is ended, and then all others', async () => {
    for (let count = 0; count < 3; count++) assert.equal((await app.post('/auth/login', grace)).status, 200)
    await pressEntry(page, '/account/sessions')
    await page.waitForURL(`${home}/account/sessions`)
    assert.equal(await page.locator('.rows li').count(), 4)
    await press(page, 'form[action="/account/sessions/end"] button')
    await page.waitForURL(/done=session_ended/)
    assert.equal(await page.locator('.rows li').count(), 3)
    await press(page, 'form[action="/account/sessions/end-others"] button')
    await page.waitForURL(/done=others_ended/)
    assert.equal(await page.locator('.rows li').count(), 1)
  })

  test('a new address is requested and cancelled', async () => {
    await pressEntry(page, '/account/email')
    await page.waitForURL(`${home}/account/email`)
    await type('new_email', 'grace@elsewhere.example')
    await page.keyboard.press('Enter')
    await page.waitForURL(/done=/)
    await press(page, 'form[action="/account/email/cancel"] button')
    await page.waitForSelector('form[action="/account/email/cancel"]', { state: 'detached' })
  })
})
