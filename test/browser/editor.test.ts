import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { contentPaths } from '../../src/modules/blog/pages/content/schemas.ts'
import { type Author, somebody, startBlog } from '../modules/blog/support.ts'
import { becomesTrue, skipWithoutChromium } from '../support/browser.ts'
import { openSite } from '../support/site.ts'
import type { TestApp } from '../support/test-app.ts'

describe('unsaved text in the editor', { skip: skipWithoutChromium() }, () => {
  let app: TestApp
  let browser: Browser
  let home: string
  before(async () => {
    ;({ app, browser, home } = await openSite((url) => startBlog({ PUBLIC_URL: url })))
  })
  after(async () => {
    await browser?.close()
    await app?.stop()
  })

  const signIn = (context: BrowserContext, { sessionToken }: Author) =>
    context.addCookies([{ name: 'session_id', value: sessionToken, url: home }])
  const kept = (page: Page) =>
    page.evaluate<string[]>("Object.keys(sessionStorage).filter((name) => name.startsWith('text '))")

  /** Opens the editor as this writer and types a title, which is kept in the tab. */
  async function begin(writer: Author): Promise<{ page: Page; context: BrowserContext }> {
    const context = await browser.newContext()
    await signIn(context, writer)
    const page = await context.newPage()
    await page.goto(home + contentPaths.create)
    await page.fill('#title', 'Only mine')
    await becomesTrue(page, "Object.values(sessionStorage).some((text) => text.includes('Only mine'))")
    return { page, context }
  }

  test('is offered to its writer, and never to the next person in the same tab', async () => {
    const [one, other] = [await somebody(app), await somebody(app)]
    const { page, context } = await begin(one)
    await page.reload()
    assert.ok(await page.isVisible('#kept'))
    await signIn(context, other)
    await page.reload()
    assert.ok(!(await page.isVisible('#kept')))
    assert.deepEqual(await kept(page), [])
    await context.close()
  })

  test('is gone when its writer signs out', async () => {
    const { page, context } = await begin(await somebody(app))
    await page.goto(home + contentPaths.posts)
    assert.equal((await kept(page)).length, 1)
    await page.click('form[action="/logout"] button')
    await page.waitForURL((url) => url.pathname === '/login')
    assert.deepEqual(await kept(page), [])
    await context.close()
  })
})
