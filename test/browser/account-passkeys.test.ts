import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import type { Browser, Page } from 'playwright-core'
import { minute } from '../../src/lib/time.ts'
import { addAuthenticator, openBrowser, skipWithoutChromium } from '../support/browser.ts'
import { eventually } from '../support/eventually.ts'
import { freePort } from '../support/free-port.ts'
import { person, registered } from '../support/people.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'

const skip = skipWithoutChromium()
const list = '/account/security'
let app: TestApp
let browser: Browser
let home: string
before(async () => {
  if (skip) return
  const port = await freePort()
  home = `http://localhost:${port}`
  app = await startTestApp({ env: { PUBLIC_URL: home, FRONTEND_URL: home } })
  await app.http.listen({ host: '127.0.0.1', port })
  browser = await openBrowser()
})
after(async () => {
  await browser?.close()
  await app?.stop()
})

/** A user who has signed in, in a browser with an authenticator. */
async function signedIn() {
  const ada = await registered(app)
  const context = await browser.newContext({ locale: 'en-GB' })
  await context.addCookies([{ name: 'session_id', value: ada.sessionToken, url: home }])
  const page = await context.newPage()
  return { ada, page, authenticator: await addAuthenticator(page) }
}

async function addPasskey(page: Page, name: string) {
  await page.goto(`${home}${list}/add`)
  await page.fill('#name', name)
  await page.click('#add-passkey button')
}

test('one click creates a passkey, and a second one in the same authenticator is explained', { skip }, async () => {
  const { page, authenticator } = await signedIn()
  await addPasskey(page, 'Laptop')
  await page.waitForURL(`${home}${list}?done=passkey_added`)
  assert.match((await page.textContent('.rows')) ?? '', /Laptop/)
  assert.equal((await authenticator.storedIds()).length, 1)
  await addPasskey(page, 'Again')
  await page.waitForSelector('#problem:not([hidden])')
  assert.match((await page.textContent('#problem')) ?? '', /already has a passkey of your account/)
  await page.context().close()
})

test('the page confirms the identity with the passkey, and goes on', { skip }, async () => {
  const { page } = await signedIn()
  await addPasskey(page, 'Laptop')
  await page.waitForURL(`${home}${list}?done=passkey_added`)
  app.clock.advance(11 * minute)
  await page.click('.rows a[href*="/passkeys/remove?"]')
  await page.click('.section button.danger')
  await page.click('a:text-is("Passkey")')
  await page.click('#passkey')
  await page.waitForURL(/\/passkeys\/remove\?id=/)
  await page.click('.section button.danger')
  await page.waitForURL(`${home}${list}?done=passkey_removed`)
  await page.context().close()
})

test('the list makes the browser forget a passkey that the account no longer has', { skip }, async () => {
  const { ada, page, authenticator } = await signedIn()
  await addPasskey(page, 'Laptop')
  await page.waitForURL(`${home}${list}?done=passkey_added`)
  await sql`DELETE FROM passkeys WHERE user_id = ${ada.id}`.execute(app.ctx.db)
  await page.goto(`${home}${list}`)
  await eventually(async () => (await authenticator.storedIds()).length === 0)
  await page.context().close()
})

test('the browser shows the new name after a change of the profile', { skip }, async () => {
  const { ada, page, authenticator } = await signedIn()
  await addPasskey(page, 'Laptop')
  await page.waitForURL(`${home}${list}?done=passkey_added`)
  await page.goto(`${home}/account/profile`)
  await page.fill('[name=display_name]', 'Countess')
  await page.press('[name=display_name]', 'Enter')
  await page.waitForURL(/done=profile_saved/)
  await eventually(async () => (await authenticator.storedNames()).join() === `Countess ${ada.email}`)
  const newEmail = person('grace').email
  await sql`UPDATE users SET email = ${newEmail} WHERE id = ${ada.id}`.execute(app.ctx.db)
  app.clock.advance(minute)
  await page.goto(`${home}/account/email`)
  await eventually(async () => (await authenticator.storedNames()).join() === `Countess ${newEmail}`)
  await page.context().close()
})

test('without a password, a change of address is confirmed with the passkey, and then sent', { skip }, async () => {
  const { ada, page } = await signedIn()
  await addPasskey(page, 'Laptop')
  await page.waitForURL(`${home}${list}?done=passkey_added`)
  await sql`UPDATE users SET password_hash = NULL WHERE id = ${ada.id}`.execute(app.ctx.db)
  await sql`UPDATE passkeys SET created_at = created_at - interval '4 days'`.execute(app.ctx.db)
  const ask = async () => {
    await page.fill('[name=new_email]', person('grace').email)
    await page.press('[name=new_email]', 'Enter')
  }
  await page.goto(`${home}/account/email`)
  await ask()
  await page.waitForURL(/\/account\/confirm\?/)
  await page.click('#passkey')
  await page.waitForURL(`${home}/account/email`)
  await ask()
  await page.waitForURL(/done=email_change_started/)
  assert.match(await page.innerText('main'), /takes effect later on its own/)
  await page.context().close()
})
