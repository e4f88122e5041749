import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { skipWithoutChromium } from '../support/browser.ts'
import { type SignedIn, signedInAs, withSession } from '../support/people.ts'
import { openSite } from '../support/site.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'
import { withTotp } from '../two-factor/support.ts'

const looks: Record<string, BrowserContextOptions> = {
  'on a phone, without scripts': { viewport: { width: 360, height: 740 }, javaScriptEnabled: false },
  'on a desk': { viewport: { width: 1280, height: 800 } },
}

describe('the pages for administrators', { skip: skipWithoutChromium() }, () => {
  let app: TestApp
  let browser: Browser
  let home: string
  before(async () => {
    const limits = { RATE_LIMIT_LOGIN: '100/15m', RATE_LIMIT_ADMIN: '10000/1h', RATE_LIMIT_READ: '10000/1m' }
    const env = { BLOG_ENABLED: 'true', ...limits }
    ;({ app, browser, home } = await openSite((url) =>
      startTestApp({ modules: ['two-factor', 'privacy', 'blog'], env: { PUBLIC_URL: url, ...env } }),
    ))
  })
  after(async () => {
    await browser?.close()
    await app?.stop()
  })

  for (const [where, options] of Object.entries(looks))
    describe(where, () => {
      let page: Page
      let root: SignedIn
      let ada: SignedIn
      before(async () => {
        root = await signedInAs(app, 'superadmin')
        ada = await withTotp(app)
        const body = { name: 'Ada', last_name: `of ${ada.user_name}`, display_name: 'Ada' }
        await app.call('PUT', '/auth/profile', { ...withSession(ada.sessionToken), body })
        page = await (await browser.newContext({ ...options, locale: 'en' })).newPage()
      })
      after(() => page.context().close())

      const name = () => `Ada of ${ada.user_name}`

      /** Clicks a link or button with this name, and checks that the next page fits in the window. */
      async function go(label: string | RegExp, role: 'link' | 'button' = 'link'): Promise<void> {
        const control = page.getByRole(role, { name: label, exact: true }).first()
        await Promise.all([page.waitForEvent('load'), control.click()])
        assert.ok(await page.evaluate<boolean>('document.documentElement.scrollWidth <= window.innerWidth'), page.url())
      }

      /** In a narrow window, opens the menu first. */
      async function choose(entry: string): Promise<void> {
        const menu = page.getByRole('button', { name: 'Menu', exact: true })
        if (await menu.isVisible()) await menu.click()
        await go(entry)
      }

      const notice = () => page.locator('.notice[role=status]').innerText()

      async function toAda(): Promise<void> {
        await choose('Users')
        await page.fill('#q', ada.user_name)
        if (options.javaScriptEnabled === false) await go('Search', 'button')
        else await page.waitForURL(/q=/)
        await go(name())
      }

      /** Chooses an action on a user's page and confirms it. */
      async function act(action: string, button = action): Promise<string> {
        await go(action)
        await go(button, 'button')
        return notice()
      }

      test('a superadmin signs in and opens the console from the account', async () => {
        await page.goto(`${home}/login`)
        await page.fill('#identifier', root.email)
        await page.fill('#password', root.password)
        await go('Sign in', 'button')
        await choose('Administration')
        assert.equal(await page.getByRole('heading', { level: 1 }).innerText(), 'Overview')
      })

      test('a person is found, blocked and unblocked', async () => {
        await toAda()
        await go('Block')
        await page.fill('#reason', 'Unsolicited advertising')
        await go('Block', 'button')
        assert.match(await notice(), /is blocked and signed out/)
        assert.match(await page.locator('.notice.warning').innerText(), /Unsolicited advertising/)
        assert.equal((await app.get('/auth/me', withSession(ada.sessionToken))).status, 401)
        await go('Undo', 'button')
        assert.match(await notice(), /can sign in again/)
      })

      test('factors are reset, the role is changed and sessions end', async () => {
        assert.match(await act('Reset second factors'), /factors of .* were removed/)
        const { sessionId } = (await app.post('/auth/login', ada)).json
        await page.reload()
        assert.match(await act('End sessions', 'End all sessions'), /All sessions were ended/)
        assert.equal((await app.get('/auth/me', withSession(sessionId))).status, 401)
        await go('Change role')
        await page.selectOption('#user_type', 'writer')
        await go('Change role', 'button')
        assert.match(await notice(), /now has the role Writer/)
        assert.equal((await app.post('/auth/login', ada)).json.user.user_type, 'writer')
      })

      test('a deleted person is restored, and the page of the person says who did what', async () => {
        assert.match(await act('Delete'), /was deleted/)
        await choose('Users')
        await page.goto(`${home}/admin/people?deleted=true&q=${ada.user_name}`)
        await go(name())
        assert.match(await act('Restore'), /was restored/)
        const activity = await page.getByRole('region', { name: 'Activity' }).innerText()
        for (const did of ['restored', 'deleted', 'changed the role of', 'removed the second factors of'])
          assert.ok(activity.includes(`${root.email} ${did} Ada`), `${did}: ${activity}`)
        await go(root.email)
        assert.equal(await page.getByRole('heading', { level: 1 }).innerText(), root.email)
      })

      test('a person becomes an administrator only after a question, and the change is undone', async () => {
        await toAda()
        await go('Change role')
        await page.selectOption('#user_type', 'admin')
        await go('Change role', 'button')
        assert.equal(await page.getByRole('heading', { level: 1 }).innerText(), `Give ${name()} the role Admin?`)
        await go('Give the role Admin', 'button')
        assert.match(await notice(), /now has the role Admin/)
        await go('Undo', 'button')
        assert.match(await notice(), /now has the role Writer/)
        assert.equal((await app.post('/auth/login', ada)).json.user.user_type, 'writer')
      })

      test('a post is written, previewed, published and read', async () => {
        const title = `A kettle ${options.viewport?.width}`
        await choose('Content')
        await go('Write a post')
        if (options.javaScriptEnabled === false) {
          await page.fill('#title', title)
          await page.fill('#body', 'It *boils*.')
        } else {
          // The title has the focus, and the Enter key leads to the text.
          await page.keyboard.type(`${title}\nIt *boils*.`)
        }
        await go('Preview', 'button')
        assert.equal(await page.locator('#preview em').innerText(), 'boils')
        const publish = page.getByRole('button', { name: 'Publish now' }).filter({ visible: true }).first()
        const { y = 0, height = 0 } = (await publish.boundingBox()) ?? {}
        assert.ok(
          height > 0 && y + height <= (options.viewport?.height ?? 0),
          'the button is in view next to the preview',
        )
        assert.equal(
          (await app.get('/api/v1/posts')).json.data.some((post: { title: string }) => post.title === title),
          false,
        )
        await go('Publish now', 'button')
        await go('Open the page')
        assert.equal(await page.getByRole('heading', { level: 1 }).innerText(), title)
        assert.equal(await page.locator('article em').innerText(), 'boils')
        await page.goto(`${home}/admin`)
      })

      test('the message for a password reset gets other words, which the next message has', async () => {
        const subject = `Choose a password ${options.viewport?.width}`
        await choose('Messages')
        await go('Templates')
        await go(/^English.*Password reset/)
        const frame = page.frameLocator('iframe')
        await frame.getByText('Hello Ada').first().waitFor()
        await page.fill('#subject', subject)
        await page.fill('#text', 'Hello {{name}},\n\nChoose a password:\n{{url}}')
        await page.getByRole('button', { name: 'Dark', exact: true }).click()
        await frame.getByText('Choose a password').first().waitFor()
        await go('Save', 'button')
        assert.match(await notice(), /The next message uses this text/)
        await toAda()
        assert.match(await act('Send reset link'), /accepted for delivery/)
        assert.match((await mailAbout(subject)).text, /^Choose a password:$/m)
      })

      test('a superadmin acts as the person, and the banner leads back', async () => {
        await toAda()
        await go('Act as this user')
        await page.fill('#reason', 'They report an empty page')
        await go('Act as this user', 'button')
        assert.match(await page.getByRole('form', { name: 'Acting as another user' }).innerText(), /acting as /)
        assert.match(await page.locator('main').innerText(), new RegExp(ada.email))
        await go('Stop acting as this user', 'button')
        assert.equal(await page.locator('.acting').count(), 0)
        assert.match(await page.locator('main').innerText(), new RegExp(root.email))
      })

      async function mailAbout(subject: string) {
        for (let count = 0; ; count++) {
          const mail = await app.mailTo(ada.email, count)
          if (mail.subject === subject) return mail
        }
      }
    })
})
