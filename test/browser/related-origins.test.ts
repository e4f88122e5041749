import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { createServer, type Server } from 'node:tls'
import type { Browser, Page } from 'playwright-core'
import { addAuthenticator, openBrowser, skipWithoutChromium } from '../support/browser.ts'
import { selfSigned } from '../support/certificate.ts'
import { freePort } from '../support/free-port.ts'
import { loginChallenge } from '../support/passkeys.ts'
import { registered, withSession } from '../support/people.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'

/** The browser is configured to resolve these host names to this machine. */
const [home, related, stranger] = [
  'https://id.wardenry-example.test',
  'https://shop.related-example.test',
  'https://shop.stranger-example.test',
]

describe('pages on other domains that use the passkeys', { skip: skipWithoutChromium() }, () => {
  let app: TestApp
  let browser: Browser
  let tls: Server
  before(async () => {
    const [port, tlsPort] = [await freePort(), await freePort()]
    app = await startTestApp({ env: { PUBLIC_URL: home, FRONTEND_URL: home, PASSKEY_RELATED_ORIGINS: related } })
    await app.http.listen({ host: '127.0.0.1', port })
    const { key, certificate: cert } = selfSigned()
    tls = createServer({ key, cert }, (socket) => {
      const service = connect(port, '127.0.0.1')
      socket.on('error', () => service.destroy())
      service.on('error', () => socket.destroy())
      socket.pipe(service).pipe(socket)
    })
    await new Promise<void>((done) => tls.listen(tlsPort, '127.0.0.1', done))
    // Pages with an ignored certificate error cannot use passkeys, unless the browser checks no certificate at all.
    browser = await openBrowser([
      `--host-resolver-rules=MAP *.test:443 127.0.0.1:${tlsPort}`,
      '--ignore-certificate-errors',
    ])
  })
  after(async () => {
    await browser?.close()
    tls?.close()
    await app?.stop()
  })

  const credential = (page: Page, action: 'create' | 'get', options: object) =>
    page.evaluate(`(async (options) => {
      const parse = PublicKeyCredential[${action === 'create'} ? 'parseCreationOptionsFromJSON' : 'parseRequestOptionsFromJSON']
      try {
        const publicKey = parse.call(PublicKeyCredential, options)
        return (await navigator.credentials[${JSON.stringify(action)}]({ publicKey })).toJSON()
      } catch (error) {
        return { error: error.name }
      }
    })(${JSON.stringify(options)})`) as Promise<{ error?: string }>

  async function openAt(page: Page, origin: string) {
    await page.route(`${origin}/`, (route) => route.fulfill({ contentType: 'text/html', body: '<title>Shop</title>' }))
    await page.goto(`${origin}/`)
  }

  test('a related page creates a passkey and signs in with it, and an unrelated one cannot', async () => {
    const ada = await registered(app)
    const page = await (await browser.newContext()).newPage()
    await addAuthenticator(page)
    await openAt(page, related)
    const { json } = await app.post('/auth/passkeys/options', {}, withSession(ada.sessionToken))
    assert.equal(json.options.rp.id, new URL(home).hostname)
    const created = await credential(page, 'create', json.options)
    assert.equal(created.error, undefined)
    assert.equal((await app.post('/auth/passkeys', { response: created }, withSession(ada.sessionToken))).status, 200)

    const { challenge_id, options } = await loginChallenge(app)
    const response = await credential(page, 'get', options)
    const login = await app.post('/auth/passkey/login', { challenge_id, response })
    assert.deepEqual([login.status, login.json.user?.id], [200, ada.id])

    await openAt(page, stranger)
    assert.equal((await credential(page, 'get', (await loginChallenge(app)).options)).error, 'SecurityError')
    await page.context().close()
  })
})
