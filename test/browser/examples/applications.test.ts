import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { openBrowser, skipWithoutChromium } from '../../support/browser.ts'
import { type Example, startExample, startService } from '../../support/examples.ts'
import { freePort } from '../../support/free-port.ts'
import { languageExamples } from '../../support/languages.ts'
import type { TestApp } from '../../support/test-app.ts'
import { type Enrolled, withTotp } from '../../two-factor/support.ts'

interface ExampleOptions {
  command: string
  build?: string
  skip?: string | false
  host?: string
  /** The application's session cookie. */
  cookie?: string
}

const languages = languageExamples()
const examples: Record<string, ExampleOptions> = {
  express: { command: 'node main.js' },
  fastify: { command: 'node main.js', host: 'localhost' },
  hono: { command: 'node main.js' },
  koa: { command: 'node main.js' },
  ...languages,
  php: { ...languages.php, cookie: 'app_session' },
}
const runnable = Object.entries(examples).filter(([, { skip }]) => !skip)

describe('the examples in a browser', { skip: skipWithoutChromium() }, () => {
  let service: { app: TestApp; home: string }
  let browser: Browser
  /** A browser in which the user has signed in with a password and a second-factor code. */
  let context: BrowserContext
  let ada: Enrolled
  let readmePort: number
  const started: Record<string, Example> = {}

  before(async () => {
    const ports: Record<string, number> = {}
    for (const [name] of runnable) ports[name] = await freePort()
    readmePort = await freePort()
    service = await startService([...Object.values(ports), readmePort])
    browser = await openBrowser()
    await Promise.all(
      runnable.map(async ([name, { command, build, host }]) => {
        const given = {
          port: ports[name]!,
          service: service.home,
          command,
          ...(build && { build }),
          ...(host && { host }),
        }
        started[name] = await startExample(name, given)
      }),
    )
    ada = await withTotp(service.app)
    context = await browser.newContext()
  })
  after(async () => {
    await browser?.close()
    await Promise.all(Object.values(started).map((example) => example.stop()))
    await service?.app.stop()
  })

  async function signIn(page: Page): Promise<void> {
    await page.waitForURL((url) => url.origin === service.home && url.pathname === '/login')
    await page.fill('#identifier', ada.email)
    await page.fill('#password', ada.password)
    await page.press('#password', 'Enter')
    await page.waitForSelector('#code')
    await page.fill('#code', ada.code())
    await page.press('#code', 'Enter')
  }

  /** Another browser in which the same user is signed in to the service. */
  async function signedInContext(): Promise<BrowserContext> {
    const cookies = (await context.cookies(service.home)).filter(({ name }) => name === 'session_id')
    assert.equal(cookies.length, 1)
    const other = await browser.newContext()
    await other.addCookies(cookies)
    return other
  }

  test('password and second step lead back to the page that was asked for, on another host name', async () => {
    const page = await context.newPage()
    const { url } = started.express!
    await page.goto(`${url}/private`)
    await signIn(page)
    await page.waitForURL(`${url}/private`)
    assert.match((await page.textContent('body'))!, new RegExp(ada.email))
  })

  for (const [name, { skip = false, cookie = 'wardenry_session' }] of Object.entries(examples)) {
    test(`${name}: who is signed in at the service continues at once, and gets a session of this application`, {
      skip,
    }, async () => {
      const { url } = started[name]!
      const other = await signedInContext()
      const page = await other.newPage()
      await page.goto(`${url}/private`)
      assert.equal(page.url(), `${url}/private`)
      assert.match((await page.textContent('body'))!, new RegExp(ada.email))
      await page.goto(url)
      assert.match((await page.textContent('body'))!, new RegExp(`Hello ${ada.email}`))
      const kept = (await other.cookies(url)).find((found) => found.name === cookie)
      assert.deepEqual([kept?.httpOnly, kept?.sameSite, kept?.path], [true, 'Lax', '/'])
      const [own] = await other.cookies(service.home)
      assert.notEqual(kept?.value, own?.value)
    })

    test(`${name}: programs receive errors, and a callback without a sign-in is refused`, { skip }, async () => {
      const { url } = started[name]!
      assert.equal((await fetch(`${url}/private`, { redirect: 'manual' })).status, 401)
      for (const query of ['', '?code=c', '?code=c&state=s', '?code=c&state=%C3%A9&state=', '?error=access_denied']) {
        const reply = await fetch(`${url}/sign-in/callback${query}`, { redirect: 'manual' })
        assert.equal(reply.status, 400, query)
      }
      const forged = { method: 'POST', headers: { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' } }
      assert.equal((await fetch(`${url}/sign-out`, { ...forged, redirect: 'manual' })).status, 403)
      assert.doesNotMatch(started[name]!.output(), /ses_[\w-]{43}/)
    })

    test(`${name}: users are never returned to another host`, { skip }, async () => {
      const { url } = started[name]!
      const { request } = await signedInContext()
      for (const path of ['//evil.example', '/\\evil.example', 'https://evil.example', '/\t/evil.example']) {
        const reply = await request.get(`${url}/sign-in?return_to=${encodeURIComponent(path)}`)
        assert.equal(new URL(reply.url()).origin, url, path)
        assert.equal(reply.status(), 200)
      }
    })
  }

  test('the application in the README of the package works as written', async () => {
    const main = /```js\n(.*?)```/s
      .exec(readFileSync('packages/server/README.md', 'utf8'))![1]!
      .replaceAll('http://localhost:3000', service.home)
      .replaceAll(/\b4000\b/g, String(readmePort))
    const given = { port: readmePort, service: service.home, command: 'node main.js', files: { 'main.js': main } }
    const { url, stop } = await startExample('express', given)
    try {
      const { request } = await signedInContext()
      assert.equal((await fetch(`${url}/private`)).status, 401)
      const reply = await request.get(`${url}/private`, { headers: { accept: 'text/html' } })
      assert.deepEqual(await reply.json(), { email: ada.email })
    } finally {
      await stop()
    }
  })

  test('a sign-out in one application is seen in every other within a second', async () => {
    const pages: [name: string, context: BrowserContext][] = []
    for (const [name] of runnable) {
      const other = await signedInContext()
      await (await other.newPage()).goto(`${started[name]!.url}/private`)
      pages.push([name, other])
    }
    const page = await context.newPage()
    const { url } = started.fastify!
    await page.goto(`${url}/private`)
    await page.goto(url)
    await page.click('form[action="/sign-out"] button')
    await page.waitForSelector('text=Nobody is signed in.')
    const begun = performance.now()
    for (const [name, other] of pages) {
      const { request } = other
      for (;;) {
        const reply = await request.get(`${started[name]!.url}/private`, { maxRedirects: 0 })
        if (reply.status() === 401) break
        assert.equal(reply.status(), 200)
        assert.ok(performance.now() - begun < 1000, `${name} still lets ${ada.email} in`)
        await sleep(20)
      }
    }
    await page.goto(`${service.home}/account`)
    await page.waitForURL(`${service.home}/login**`)
  })

  test('an error page of an application shows the name and the logo of the service', async () => {
    const { ctx } = service.app
    const logo = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0h9v9z"/></svg>'
    const value = `data:;base64,${Buffer.from(logo).toString('base64')}`
    const setting = { name: 'APP_LOGO', value, version: 1, changed_at: new Date() }
    await ctx.db.insertInto('stored_settings').values(setting).execute()
    await ctx.settings.refreshAll()
    const page = await browser.newPage()
    const complaints: string[] = []
    page.on('console', (message) => complaints.push(message.text()))
    await page.goto(`${started.koa!.url}/sign-in/callback`)
    assert.equal(await page.locator('header').innerText(), 'Wardenry')
    const width = await page
      .locator('header img')
      .evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth)
    assert.ok(width > 0)
    // The browser also reports the status of the page, 400.
    assert.doesNotMatch(complaints.join('\n'), /policy|refused/i)
    await page.close()
  })

  test('while the service is unavailable, nobody is reported as signed in or out', async () => {
    const other = await browser.newContext()
    for (const [name, { cookie = 'wardenry_session' }] of runnable) {
      if (cookie === 'wardenry_session') {
        await other.addCookies([{ name: cookie, value: `ses_${'a'.repeat(43)}`, url: started[name]!.url }])
      }
    }
    await service.app.stop()
    for (const [name, { cookie = 'wardenry_session' }] of runnable) {
      if (cookie !== 'wardenry_session') continue
      const { url } = started[name]!
      assert.equal((await other.request.get(`${url}/private`, { maxRedirects: 0 })).status(), 503, name)
      const out = await other.request.post(`${url}/sign-out`, { headers: { origin: url }, maxRedirects: 0 })
      assert.equal(out.status(), 503, name)
      assert.ok(
        (await other.cookies(url)).some((kept) => kept.name === cookie),
        name,
      )
    }
  })
})
