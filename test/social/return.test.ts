import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { flowIn, locationOf, shop, signInAt } from '../screens/flow-support.ts'
import { flowVisitor } from '../screens/support.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'
import { type OidcServer, startOidcServer } from './oidc-server.ts'

let app: TestApp
let server: OidcServer
before(async () => {
  server = await startOidcServer()
  app = await startTestApp({
    env: {
      ...server.env,
      FRONTEND_URL: 'https://app.test',
      ALLOWED_REDIRECTS: 'https://shop.test',
    },
  })
  server.people.set('ada', { sub: 'ada', email: 'ada.return@example.com', email_verified: true, given_name: 'Ada' })
})
after(async () => {
  await app?.stop()
  await server?.stop()
})

test('a provider leads back to the application, from the page and directly', async () => {
  const browser = flowVisitor(app)
  const address = locationOf(await browser.open(signInAt({ return_to: shop, state: 's' })))
  const page = await browser.open(address)
  const link = `/auth/social/oidc/login?flow=${flowIn(address)}`
  assert.ok(page.text.includes(`href="${link}"`))
  for (const start of [link, signInAt({ return_to: shop, state: 's' }, '/auth/social/oidc/login')]) {
    const begun = await browser.open(start)
    assert.equal(begun.status, 302, begun.text)
    const back = await server.signIn(String(begun.headers.location), 'ada')
    // Additional callback parameters do not change where the browser returns to.
    const planted = `&flow=AAAAAAAAAAAA&return_to=${encodeURIComponent('https://app.test/planted')}`
    const end = await browser.open(`${back.pathname}${back.search}${planted}`)
    assert.equal(end.status, 302, end.text)
    assert.match(String(end.headers.location), /^\/login\?flow=[\w-]{12}$/)
    assert.equal(locationOf(await browser.open(String(end.headers.location))), `${shop}?state=s`)
    await browser.open('/account')
    await browser.send('/logout')
  }
})

test('whoever changes their mind at the provider is back on the sign-in page, in the same flow', async () => {
  const browser = flowVisitor(app)
  const address = locationOf(await browser.open(signInAt({ return_to: shop })))
  const begun = await browser.open(`/auth/social/oidc/login?flow=${flowIn(address)}`)
  const state = new URL(String(begun.headers.location)).searchParams.get('state')
  const end = await browser.open(`/auth/social/oidc/callback?error=access_denied&state=${state}`)
  const query = `social_login=error&error=access_denied&provider=oidc&flow=${flowIn(address)}`
  assert.equal(end.headers.location, `/login?${query}`)
  assert.equal((await browser.open(`/login?${query}`)).status, 200)
  assert.match(browser.cookie(), new RegExp(`flow_\\d=${flowIn(address)}`))
})
