import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import type { Browser, BrowserContext } from 'playwright-core'
import { mailWith, tokenAfter } from '../email-addresses/change-support.ts'
import { downloadPath } from '../modules/privacy/support.ts'
import { asked } from '../passwordless/support.ts'
import { openBrowser, skipWithoutChromium } from '../support/browser.ts'
import { freePort } from '../support/free-port.ts'
import { registered, withSession } from '../support/people.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'

describe('the page behind a sign-in link', { skip: skipWithoutChromium() }, () => {
  let app: TestApp
  let browser: Browser
  let home: string
  before(async () => {
    const port = await freePort()
    home = `http://127.0.0.1:${port}`
    app = await startTestApp({ modules: ['privacy'], env: { PUBLIC_URL: home, PORT: String(port) } })
    await app.http.listen({ host: '127.0.0.1', port })
    browser = await openBrowser()
  })
  after(async () => {
    await browser?.close()
    await app?.stop()
  })

  const sessionIn = async (visit: BrowserContext) =>
    (await visit.cookies()).find(({ name }) => name === 'session_id')?.value

  test('one click signs the browser in, without any script', async () => {
    const ada = await registered(app)
    const { token } = await asked(app, ada.email)
    const visit = await browser.newContext({ javaScriptEnabled: false })
    const page = await visit.newPage()
    await page.goto(`${home}/login?token=${token}`)
    assert.equal(await sessionIn(visit), undefined)
    await page.click('button')
    await page.waitForURL(`${home}/login?token_login=success&password_removed=true`)
    assert.match((await page.textContent('main')) ?? '', /You’re signed in/)
    const me = await app.get('/auth/me', { headers: { cookie: `session_id=${await sessionIn(visit)}` } })
    assert.equal(me.json.user.id, ada.id)
    await visit.close()
  })

  test('the link to personal data gives the file, and its secret leaves the address', async () => {
    const ada = await registered(app)
    assert.equal((await app.post('/auth/user/me/privacy/exports', {}, withSession(ada.sessionToken))).status, 200)
    const address = await mailWith(app, ada.email, downloadPath)
    const visit = await browser.newContext()
    const page = await visit.newPage()
    await page.goto(`${home}${downloadPath}?token=${tokenAfter(address, downloadPath)}`)
    const [file] = await Promise.all([page.waitForEvent('download'), page.click('main form button')])
    assert.match(file.suggestedFilename(), /\.json$/)
    assert.equal(page.url(), `${home}${downloadPath}`)
    await visit.close()
  })

  test('a page of another site that sends our form by itself signs its visitor in as nobody', async (t) => {
    const mallory = await registered(app)
    const { token } = await asked(app, mallory.email)
    const html = (await app.get(`/login?token=${token}`)).text
    const form = /<form[\s\S]*<\/form>/.exec(html)?.[0].replace('action="', `action="${home}`)
    const site = createServer((_request, reply) => {
      reply.setHeader('content-type', 'text/html')
      reply.end(`${form}<script>document.forms[0].submit()</script>`)
    })
    await once(site.listen(0, '127.0.0.1'), 'listening')
    t.after(() => site.close())
    const visit = await browser.newContext()
    const page = await visit.newPage()
    await page.goto(`http://localhost:${(site.address() as AddressInfo).port}/`)
    await page.waitForURL(`${home}/auth/token/login`)
    assert.match((await page.textContent('main')) ?? '', /has expired/)
    assert.equal(await sessionIn(visit), undefined)
    await visit.close()
  })
})
