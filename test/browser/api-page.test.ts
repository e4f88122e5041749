import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core'
import { skipWithoutChromium } from '../support/browser.ts'
import { registered, type SignedIn, signedInAs, withSession } from '../support/people.ts'
import { openSite } from '../support/site.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'

const looks: Record<string, BrowserContextOptions> = {
  'desk-light': { viewport: { width: 1280, height: 800 }, colorScheme: 'light', locale: 'en-GB' },
  'phone-dark': { viewport: { width: 360, height: 740 }, colorScheme: 'dark', locale: 'es-ES' },
}

describe('the API page does not overwrite users by accident', { skip: skipWithoutChromium() }, () => {
  let app: TestApp
  let browser: Browser
  let home: string
  let boss: SignedIn
  before(async () => {
    ;({ app, browser, home } = await openSite((url) =>
      startTestApp({ env: { PUBLIC_URL: url, RATE_LIMIT_ADMIN: '1000/1m' } }),
    ))
    boss = await signedInAs(app, 'superadmin')
  })
  after(async () => {
    await browser?.close()
    await app?.stop()
  })

  async function openOperation(look: BrowserContextOptions, id: string): Promise<[Page, Locator]> {
    const context = await browser.newContext(look)
    await context.addCookies([{ name: 'session_id', value: boss.sessionToken, url: home }])
    const page = await context.newPage()
    await page.goto(`${home}/docs`)
    const operation = page.locator(`#${id}`)
    await operation.locator('summary').first().click()
    await operation.locator('.use form').waitFor()
    return [page, operation]
  }

  const userOf = async (id: string) =>
    (await app.get(`/auth/admin/users/${id}`, withSession(boss.sessionToken))).json.data.user

  for (const [name, look] of Object.entries(looks)) {
    test(`a change of a user begins empty, and is sent only after a question, by keyboard: ${name}`, async () => {
      const ada = await registered(app, 'ada', { name: 'Ada', last_name: 'Byron' })
      const before = await userOf(ada.id)
      const [page, operation] = await openOperation(look, 'put-auth-admin-users-user-id')
      const body = operation.locator('textarea')
      assert.equal(await body.inputValue(), '{}')

      await operation.locator('.use form input').first().fill(ada.id)
      await operation.locator('.optional > summary').focus()
      await page.keyboard.press('Enter')
      assert.equal(
        (await operation.getByRole('group', { name: /^(Optional fields|Campos opcionales)$/ }).count()) > 0,
        true,
      )
      await operation.locator('.optional input[value=name]').focus()
      await page.keyboard.press('Space')
      assert.deepEqual(JSON.parse(await body.inputValue()), { name: 'Ada' })
      await operation.locator('.optional input[value=title]').check()
      await operation.locator('.optional input[value=title]').uncheck()
      await body.fill('{"name": ')
      assert.equal(await operation.locator('.optional input[value=name]').isDisabled(), true)
      await body.fill('{"name": "Augusta"}')
      assert.equal(await operation.locator('.optional input[value=name]').isChecked(), true)
      await picture(page, `${name}-optional`)

      const send = operation.locator('.use form > button')
      await send.focus()
      await page.keyboard.press('Enter')
      const dialog = page.getByRole('dialog')
      await dialog.waitFor()
      assert.match((await dialog.textContent()) ?? '', new RegExp(`PUT /auth/admin/users/${ada.id}.*Augusta`, 's'))
      assert.equal(await dialog.getAttribute('aria-describedby'), 'ask-text ask-request')
      const sizes = await dialog.locator('form button').evaluateAll((buttons) =>
        buttons.map((button) => {
          const { width, height } = button.getBoundingClientRect()
          return { width: Math.round(width), height: Math.round(height) }
        }),
      )
      assert.equal(sizes[0]?.height, sizes[1]?.height)
      if (name.startsWith('phone')) assert.equal(sizes[0]?.width, sizes[1]?.width)
      await picture(page, `${name}-question`)
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
      assert.equal(await send.evaluate((button) => button === button.ownerDocument.activeElement), true)
      await page.keyboard.press('Enter')
      await dialog.waitFor()
      // The first button, which has the focus, cancels.
      await page.keyboard.press('Enter')
      await dialog.waitFor({ state: 'detached' })
      assert.equal((await userOf(ada.id)).name, 'Ada')

      await page.keyboard.press('Enter')
      await dialog.waitFor()
      await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      await operation.locator('.answer strong.good').waitFor()
      const { updated_at: _before, ...unchanged } = before
      const { updated_at: _after, ...now } = await userOf(ada.id)
      assert.deepEqual(now, { ...unchanged, name: 'Augusta' })
      await page.context().close()
    })
  }

  test('a deletion and any POST for administrators ask as well; reading and changing oneself do not', async () => {
    const alan = await registered(app, 'alan')
    const [page, operation] = await openOperation(looks['desk-light'] ?? {}, 'delete-auth-admin-users-user-id')
    await operation.locator('.use form input').first().fill(alan.id)
    await operation.locator('.use form > button').click()
    const deletion = page.getByRole('dialog').getByRole('button', { name: 'Delete a user' })
    assert.match((await deletion.getAttribute('class')) ?? '', /danger/)
    await deletion.click()
    await operation.locator('.answer strong.good').waitFor()
    assert.equal((await app.get('/auth/me', withSession(alan.sessionToken))).status, 401)
    await page.context().close()
    for (const id of ['get-auth-users', 'put-auth-profile']) {
      const [other, asked] = await openOperation(looks['desk-light'] ?? {}, id)
      await asked.locator('.use form > button').click()
      await asked.locator('.answer strong').waitFor()
      assert.equal(await other.getByRole('dialog').count(), 0, id)
      await other.context().close()
    }
    for (const id of ['post-auth-admin-users', 'post-auth-admin-users-user-id-restore']) {
      const [other, asked] = await openOperation(looks['desk-light'] ?? {}, id)
      await asked.locator('.use form > button').click()
      await other.getByRole('dialog').waitFor()
      assert.equal(await asked.locator('.answer strong').count(), 0, id)
      await other.context().close()
    }
  })
})

async function picture(page: Page, name: string): Promise<void> {
  assert.equal(await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth'), true, name)
  const directory = process.env.SCREENSHOTS
  if (!directory) return
  mkdirSync(directory, { recursive: true })
  await page.screenshot({ path: `${directory}/${name}.png` })
}
