import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import * as oidc from 'openid-client'
import type { Browser, Page } from 'playwright-core'
import { type LiveService, startLiveService } from '../modules/oauth/live.ts'
import { webClient } from '../modules/oauth/sign-in-support.ts'
import type { MadeClient } from '../modules/oauth/support.ts'
import { openBrowser, skipWithoutChromium } from '../support/browser.ts'
import { registered } from '../support/people.ts'

interface SignedInUser {
  sub: string | undefined
  email: unknown
}

interface RelyingParty {
  url: string
  signedIn: SignedInUser[]
  stop(): Promise<void>
}

/** An application on another site, with openid-client. `/` begins the sign-in, and `/callback` ends it. */
async function startRelyingParty(
  service: LiveService,
  client: (callback: string) => Promise<MadeClient>,
  more: Record<string, string> = {},
): Promise<RelyingParty> {
  const [verifier, state, nonce] = [oidc.randomPKCECodeVerifier(), oidc.randomState(), oidc.randomNonce()]
  const signedIn: SignedInUser[] = []
  let config: oidc.Configuration
  let url = ''
  const server: Server = createServer((request, response) => {
    handle(request.url ?? '/', request.method ?? 'GET', request).then(
      ({ status, location, text }) => {
        response.writeHead(status, { ...(location && { location }), 'content-type': 'text/html' })
        response.end(text)
      },
      (error) => response.writeHead(500).end(String(error.cause ?? error)),
    )
  })
  async function handle(path: string, method: string, body: AsyncIterable<Buffer>) {
    if (path === '/') {
      const challenge = await oidc.calculatePKCECodeChallenge(verifier)
      const parameters = {
        ...{ redirect_uri: `${url}/callback`, scope: 'openid profile email', state, nonce },
        ...{ code_challenge: challenge, code_challenge_method: 'S256', ...more },
      }
      return { status: 302, location: oidc.buildAuthorizationUrl(config, parameters).href, text: '' }
    }
    if (!path.startsWith('/callback')) return { status: 404, text: '' }
    const sent = method === 'POST' ? Buffer.concat(await Array.fromAsync(body)).toString() : ''
    const current = new URL(path, url)
    const checks = { pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce }
    const input = method === 'POST' ? postOf(current, sent) : current
    const tokens = await oidc.authorizationCodeGrant(config, input, checks)
    const sub = tokens.claims()?.sub ?? ''
    const info = await oidc.fetchUserInfo(config, tokens.access_token, sub)
    signedIn.push({ sub, email: info.email })
    return { status: 200, text: `<title>Notes</title><p>Signed in as ${info.email}</p>` }
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://localhost:${(server.address() as AddressInfo).port}`
  const { clientId, secret } = await client(`${url}/callback`)
  config = await oidc.discovery(new URL(service.issuer), clientId, secret || undefined, undefined, {
    execute: [oidc.allowInsecureRequests],
  })
  return { url, signedIn, stop: () => new Promise((resolve) => server.close(() => resolve())) }
}

const postOf = (url: URL, body: string): Request =>
  new Request(url, { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' }, body })

describe('signing in to an application on another site', { skip: skipWithoutChromium() }, () => {
  let service: LiveService
  let chromium: Browser
  before(async () => {
    service = await startLiveService({ rotates: false })
    chromium = await openBrowser()
  })
  after(async () => {
    await chromium?.close()
    await service?.app.stop()
  })

  async function signIn(page: Page, url: string, user: { email: string; password: string }) {
    await page.goto(url)
    await page.fill('[name=identifier]', user.email)
    await page.fill('[name=password]', user.password)
    await page.click('main form button:not([type=button])')
  }

  for (const hasScripts of [true, false])
    for (const mode of ['query', 'form_post'] as const)
      test(`${hasScripts ? 'with' : 'without'} scripts, and a response by ${mode}`, async (t) => {
        const party = await startRelyingParty(
          service,
          (callback) => webClient(service.admin, { redirect_uris: [callback] }),
          mode === 'query' ? {} : { response_mode: mode },
        )
        t.after(party.stop)
        const user = await registered(service.app)
        const page = await chromium.newPage({ javaScriptEnabled: hasScripts })
        t.after(() => page.close())
        await signIn(page, party.url, user)
        await page.waitForURL(/\/oauth\/consent/)
        assert.match(await page.innerText('main'), /Notes wants to sign you in/)
        if (process.env.SHOTS !== undefined) await shoot(page, process.env.SHOTS)
        await page.click('button[value=allow]')
        if (mode === 'form_post' && !hasScripts) await page.click('#form-post button')
        await page.waitForURL(`${party.url}/callback**`)
        assert.match(await page.innerText('body'), /Signed in as/)
        assert.deepEqual(party.signedIn, [{ sub: user.id, email: user.email }])
        // The second time, nothing is asked.
        const calls = party.signedIn.length
        await page.goto(party.url).catch(() => {})
        if (mode === 'form_post' && !hasScripts) await page.click('#form-post button')
        await page.waitForURL(`${party.url}/callback**`)
        await page.waitForLoadState()
        assert.equal(party.signedIn.length, calls + 1)
      })

  test('a trusted application asks nothing, and a cancelled sign-in leads back to it', async (t) => {
    const party = await startRelyingParty(service, (callback) =>
      webClient(service.admin, { redirect_uris: [callback], trusted: true }),
    )
    t.after(party.stop)
    const user = await registered(service.app)
    const page = await chromium.newPage()
    t.after(() => page.close())
    await page.goto(party.url)
    const leaving = page.waitForURL(`${party.url}/callback?error=access_denied**`)
    await page.click('form[action*="/login/cancel"] button')
    await leaving
    await signIn(page, party.url, user)
    await page.waitForURL(`${party.url}/callback?code=**`)
    assert.deepEqual(party.signedIn, [{ sub: user.id, email: user.email }])
  })
})

/** For looking at the page. */
async function shoot(page: Page, folder: string): Promise<void> {
  for (const [name, width, colorScheme] of [
    ['wide', 1280, 'light'],
    ['phone', 360, 'light'],
    ['dark', 360, 'dark'],
  ] as const) {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height: 780 })
    await page.screenshot({ path: `${folder}/consent-${name}.png`, fullPage: true })
  }
}
