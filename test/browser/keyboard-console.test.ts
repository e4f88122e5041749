import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { skipWithoutChromium } from '../support/browser.ts'
import { registered, type SignedIn, signedInAs } from '../support/people.ts'
import { openSite } from '../support/site.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'
import { press, tabTo } from './keyboard.ts'
import { pressEntry } from './menu.ts'

const sizes = { 'on a phone': { width: 360, height: 740 }, 'on a desk': { width: 1280, height: 800 } }

describe('the pages for administrators with the keyboard alone', { skip: skipWithoutChromium() }, () => {
  let app: TestApp
  let browser: Browser
  let home: string
  before(async () => {
    ;({ app, browser, home } = await openSite((url) =>
      startTestApp({ modules: ['blog'], env: { PUBLIC_URL: url, BLOG_ENABLED: 'true' } }),
    ))
  })
  after(async () => {
    await browser?.close()
    await app?.stop()
  })

  for (const [where, viewport] of Object.entries(sizes))
    describe(where, () => {
      let page: Page
      let ada: SignedIn
      before(async () => {
        const root = await signedInAs(app, 'superadmin')
        ada = await registered(app)
        const context = await browser.newContext({ viewport, locale: 'en' })
        await context.addCookies([{ name: 'session_id', value: root.sessionToken, url: home }])
        page = await context.newPage()
        await page.goto(`${home}/admin`)
      })
      after(() => page.context().close())

      async function choose(path: string): Promise<void> {
        await pressEntry(page, path)
        await page.waitForURL(home + path)
      }

      async function type(field: string, text: string): Promise<void> {
        await tabTo(page, field)
        await page.keyboard.press('ControlOrMeta+a')
        await page.keyboard.type(text)
      }

      test('the skip link leads past the navigation', async () => {
        await page.goto(`${home}/admin/people`)
        await page.keyboard.press('Tab')
        await page.keyboard.press('Enter')
        await page.keyboard.press('Tab')
        assert.equal(await page.locator('.head a:focus').getAttribute('href'), '/admin/people/new')
      })

      test('the menu opens, and Escape closes it and returns the focus', { skip: viewport.width > 960 }, async () => {
        await press(page, '.menu-button')
        assert.equal(await page.locator('.menu').isVisible(), true)
        await page.keyboard.press('Escape')
        assert.equal(await page.locator('.menu').isVisible(), false)
        assert.equal(await page.locator('.menu-button:focus').count(), 1)
      })

      test('a person is found, blocked and unblocked', async () => {
        await choose('/admin/people')
        await type('q', ada.user_name)
        await page.waitForURL(/q=/)
        await press(page, `a[href="/admin/people/${ada.id}"]`)
        await page.waitForURL(`${home}/admin/people/${ada.id}`)
        await press(page, 'a[href$="/block"]')
        await page.waitForURL(/\/block$/)
        await type('reason', 'Unsolicited advertising')
        await page.keyboard.press('Enter')
        await page.waitForURL(/done=block/)
        await press(page, '.notice button')
        await page.waitForURL(/done=unblock/)
        assert.equal((await app.post('/auth/login', ada)).status, 200)
      })

      test('people are selected and changed at once, and the change is undone', async () => {
        await choose('/admin/people')
        await type('q', ada.user_name)
        await page.waitForURL(/q=/)
        await tabTo(page, 'select-all')
        await page.keyboard.press('Space')
        await tabTo(page, 'action')
        await page.keyboard.type('Block')
        await press(page, '.bar-action button')
        await page.waitForURL(`${home}/admin/bulk/people`)
        await type('reason', 'Unsolicited advertising')
        await page.keyboard.press('Enter')
        await page.waitForURL(`${home}/admin/bulk/people/confirm`)
        assert.equal((await app.post('/auth/login', ada)).status, 403)
        await press(page, 'main .panel form button')
        await page.waitForURL(/done=unblock/)
        assert.equal((await app.post('/auth/login', ada)).status, 200)
      })

      test('a post is written and published', async () => {
        await choose('/admin/content')
        await press(page, 'a[href="/admin/content/new"]')
        await page.waitForURL(`${home}/admin/content/new`)
        await type('title', `Keys ${viewport.width}`)
        await type('body', 'Only keys.')
        await press(page, 'button[value=publish]')
        await page.waitForURL(/done=/)
        assert.match((await app.get('/blog')).text, new RegExp(`Keys ${viewport.width}`))
      })
    })
})
