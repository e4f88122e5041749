// Setup: own process
// The bundler adds listeners to the process.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { after, before, describe, test } from 'node:test'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { startService } from '../packages/client/support.ts'
import { becomesTrue, openBrowser, skipWithoutChromium } from '../support/browser.ts'
import { bundleWithClient } from '../support/bundle-client.ts'
import { freePort } from '../support/free-port.ts'
import { registered, withSession } from '../support/people.ts'
import type { TestApp } from '../support/test-app.ts'

const program = `
import { createClient } from '@wardenry/client'
globalThis.heard = []
globalThis.wardenry = createClient({ url: globalThis.serviceUrl ?? location.origin })
wardenry.onChange((change) => heard.push(change))
`

describe('the client in a browser', { skip: skipWithoutChromium() }, () => {
  let app: TestApp
  let url: string
  let browser: Browser
  let script: string
  let elsewhere: string
  let site: Server
  before(async () => {
    const port = await freePort()
    elsewhere = `http://127.0.0.1:${port}`
    const service = await startService({ CORS_ORIGINS: elsewhere })
    app = service.app
    url = service.url
    browser = await openBrowser()
    script = await bundleWithClient(program)
    const start = `globalThis.serviceUrl = ${JSON.stringify(url)}`
    const body = `<!doctype html><script>${start}</script><script type="module">${script}</script>`
    // The browser treats a page of `page.route` as one of a public network, which must not call a local service.
    site = createServer((_request, reply) => reply.setHeader('content-type', 'text/html').end(body))
    await once(site.listen(port, '127.0.0.1'), 'listening')
  })
  after(async () => {
    await browser?.close()
    site?.close()
    await app?.stop()
  })

  async function open(context: BrowserContext, without = ''): Promise<Page> {
    const page = await context.newPage()
    const body = `<!doctype html><script>${without}</script><script type="module">${script}</script>`
    await page.route(`${url}/of-an-application`, (route) => route.fulfill({ contentType: 'text/html', body }))
    await page.goto(`${url}/of-an-application`)
    return page
  }

  /** A page whose host is `127.0.0.1`, and so on another site than the service at `localhost`. */
  async function openElsewhere(context: BrowserContext): Promise<Page> {
    const page = await context.newPage()
    await page.goto(elsewhere)
    return page
  }

  const inPage = (page: Page, code: string): Promise<unknown> => page.evaluate(`(async () => ${code})()`)
  const heard = (page: Page, count: number) => becomesTrue<unknown[]>(page, `heard.length >= ${count} && heard`)

  for (const [way, without] of [
    ['a channel', ''],
    ['storage', 'delete globalThis.BroadcastChannel'],
  ] as const) {
    test(`keeps the session in a cookie that scripts cannot read, and tells other tabs by ${way}`, async () => {
      const ada = await registered(app)
      const context = await browser.newContext()
      const [one, other] = [await open(context, without), await open(context, without)]
      assert.equal(await inPage(other, 'await wardenry.currentUser()'), null)
      const credentials = JSON.stringify({ email: ada.email, password: ada.password })
      assert.equal(await inPage(one, `(await wardenry.signIn(${credentials})).status`), 'signed_in')
      assert.deepEqual(await heard(other, 1), ['signed_in'])
      assert.equal(await inPage(other, '(await wardenry.currentUser()).email'), ada.email)
      assert.equal(String(await inPage(one, 'document.cookie')).includes('session_id'), false)
      await inPage(other, 'await wardenry.signOut()')
      assert.deepEqual(await heard(one, 2), ['signed_in', 'signed_out'])
      assert.equal(await inPage(one, 'await wardenry.currentUser()'), null)
      await inPage(one, `await wardenry.signIn(${credentials})`)
      await context.clearCookies()
      assert.equal(await inPage(one, 'await wardenry.currentUser()'), null)
      assert.deepEqual(await heard(one, 4), ['signed_in', 'signed_out', 'signed_in', 'signed_out'])
      await context.close()
    })
  }

  test('a sign-in or registration whose cookie the browser does not keep fails, and leaves no session', async () => {
    const ada = await registered(app)
    const context = await browser.newContext()
    const page = await openElsewhere(context)
    const failure = (call: string) => inPage(page, `await (${call}).catch(({ code, message }) => ({ code, message }))`)
    const credentials = JSON.stringify({ email: ada.email, password: ada.password })
    const person = JSON.stringify({ body: { email: 'alan@example.com', password: ada.password, name: 'Alan' } })
    for (const call of [`wardenry.signIn(${credentials})`, `wardenry.post('/auth/register/public', ${person})`]) {
      const { code, message } = (await failure(call)) as Record<string, string>
      assert.equal(code, 'COOKIE_NOT_KEPT')
      assert.match(message ?? '', new RegExp(`${elsewhere}.*same site.*${url}`))
    }
    assert.deepEqual(await inPage(page, 'heard'), [])
    const { json } = await app.get('/auth/sessions', withSession(ada.sessionToken))
    assert.equal(json.data.sessions.length, 1)
    await context.close()
  })
})
