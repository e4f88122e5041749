import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:https'
import { connect } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { createServer as createTlsServer, type Server as TlsServer } from 'node:tls'
import type { Browser } from 'playwright-core'
import { routes } from '../../packages/server/src/express.ts'
import { createWardenry, type Wardenry } from '../../packages/server/src/index.ts'
import { openBrowser, skipWithoutChromium } from '../support/browser.ts'
import { selfSigned } from '../support/certificate.ts'
import { freePort } from '../support/free-port.ts'
import { registered } from '../support/people.ts'
import { showUser } from '../support/show-user.ts'
import { bridgeSecret, startTestApp, type TestApp } from '../support/test-app.ts'

/** The browser is configured to resolve these host names to this machine. */
const domain = 'wardenry-example.test'

describe('a service and an application below one domain, which share a cookie', { skip: skipWithoutChromium() }, () => {
  let app: TestApp
  let browser: Browser
  let wardenry: Wardenry
  let tls: TlsServer
  let server: Server
  let [home, shop, sibling] = ['', '', '']
  before(async () => {
    const [port, tlsPort, shopPort] = [await freePort(), await freePort(), await freePort()]
    home = `https://id.${domain}:${tlsPort}`
    shop = `https://shop.${domain}:${shopPort}`
    sibling = `https://other-${domain}:${tlsPort}`
    app = await startTestApp({ env: { PUBLIC_URL: home, SESSION_COOKIE_DOMAIN: domain, ALLOWED_REDIRECTS: shop } })
    await app.http.listen({ host: '127.0.0.1', port })
    const internalUrl = `http://127.0.0.1:${port}`
    wardenry = createWardenry({ url: home, internalUrl, bridgeSecret, appUrl: shop, session: 'shared' })
    const answer = routes(wardenry)
    const { key, certificate: cert } = selfSigned()
    tls = createTlsServer({ key, cert }, (socket) => {
      const service = connect(port, '127.0.0.1')
      // Also without an error, because the browser leaves connections open when it is closed.
      for (const [one, other] of [
        [socket, service],
        [service, socket],
      ] as const) {
        one.on('error', () => other.destroy())
        one.on('close', () => other.destroy())
      }
      socket.pipe(service).pipe(socket)
    })
    server = createServer({ key, cert }, (request, reply) =>
      answer(request, reply, () => void showUser(wardenry, request, reply)),
    )
    await new Promise<void>((done) => tls.listen(tlsPort, '127.0.0.1', done))
    await new Promise<void>((done) => server.listen(shopPort, '127.0.0.1', done))
    browser = await openBrowser(['--host-resolver-rules=MAP *.test 127.0.0.1'])
  })
  after(async () => {
    await browser?.close()
    wardenry?.close()
    tls?.close()
    server?.close()
    server?.closeAllConnections()
    await app?.stop()
  })

  for (const javaScriptEnabled of [true, false]) {
    test(`a sign-in holds for both, and a sign-out ends both, ${javaScriptEnabled ? 'with' : 'without'} scripts`, async () => {
      const ada = await registered(app)
      const context = await browser.newContext({ javaScriptEnabled, ignoreHTTPSErrors: true })
      const page = await context.newPage()
      await page.goto(`${shop}/orders`)
      assert.equal(new URL(page.url()).origin, home, 'asked to sign in')
      await page.fill('#identifier', ada.email)
      await page.fill('#password', ada.password)
      await page.press('#password', 'Enter')
      await page.waitForURL(`${shop}/orders`)
      assert.equal(await page.textContent('#user'), ada.email)

      const [cookie, ...more] = (await context.cookies()).filter(({ name }) => name === 'session_id')
      assert.deepEqual(more, [])
      assert.equal(cookie?.domain, `.${domain}`)
      assert.deepEqual(
        (await context.cookies(sibling)).map(({ name }) => name),
        [],
        'a host outside the domain gets no cookie',
      )

      await page.goto(`${home}/account`)
      assert.equal(new URL(page.url()).pathname, '/account', 'signed in at the service as well')
      await page.goto(`${shop}/orders`)
      await page.click('form[action="/sign-out"] button')
      await page.waitForURL((url) => !url.pathname.startsWith('/orders'))
      assert.deepEqual(
        (await context.cookies()).filter(({ name }) => name === 'session_id'),
        [],
      )
      await page.goto(`${home}/account`)
      assert.equal(new URL(page.url()).pathname, '/login')
      await context.close()
    })
  }
})
