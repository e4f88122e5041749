import assert from 'node:assert/strict'
import { test } from 'node:test'
import { application, appUrl, browserRequest, serviceUrl } from './support.ts'

const locationOf = (reply: unknown): string => {
  assert.ok(reply instanceof Response)
  assert.equal(reply.status, 303)
  return reply.headers.get('location')!
}
const isSignInPage = (location: string): boolean => location.startsWith(`${serviceUrl}/login?`)

const foreign: Record<string, string>[] = [
  { host: 'www.shop.example' },
  { host: '127.0.0.1:4000' },
  { host: 'app:3000', 'x-forwarded-host': 'www.shop.example' },
  { host: 'shop.example', 'x-forwarded-host': 'www.shop.example, shop.example' },
]
for (const headers of foreign) {
  test(`a sign-in that begins at ${JSON.stringify(headers)} goes to the host of appUrl first, once`, async () => {
    const { wardenry } = application()
    const { requireUser, signIn } = wardenry
    for (const [path, begin] of [
      ['/sign-in?return_to=%2Forders', (request: Request) => signIn(request)],
      ['/account/sign-in', (request: Request) => signIn(request, { returnTo: '/orders' })],
      ['/orders?page=2', (request: Request) => requireUser(request)],
    ] as const) {
      const reply = await begin(browserRequest(path, headers))
      const address = locationOf(reply)
      assert.equal(address, `${appUrl}${path}${path.includes('?') ? '&' : '?'}wardenry_host=1`)
      assert.deepEqual((reply as Response).headers.getSetCookie(), [])
      // Behind a proxy that changes the host, the redirected request has the same headers.
      const next = await begin(browserRequest(address.slice(appUrl.length), headers))
      assert.ok(isSignInPage(locationOf(next)))
    }
  })
}

const own: Record<string, string>[] = [
  {},
  { host: 'shop.example' },
  { host: 'SHOP.example:8443' },
  { host: 'app:3000', 'x-forwarded-host': 'shop.example' },
  { host: 'a b' },
]
for (const headers of own) {
  test(`a sign-in that begins at ${JSON.stringify(headers)} goes to the sign-in page`, () => {
    const { wardenry } = application()
    assert.ok(isSignInPage(locationOf(wardenry.signIn(browserRequest('/sign-in', headers)))))
  })
}

test('people come back to the page without the mark of the redirect', async () => {
  const { wardenry } = application()
  for (const [path, expected] of [
    ['/orders?wardenry_host=1', '/orders'],
    ['/orders?page=2&wardenry_host=1', '/orders?page=2'],
  ] as const) {
    const begun = (await wardenry.requireUser(browserRequest(path))) as Response
    const state = new URL(locationOf(begun)).searchParams.get('state')
    const cookie = begun.headers.getSetCookie()[0]!.split(';')[0]!
    const reply = await wardenry.callback(browserRequest(`/sign-in/callback?code=c1&state=${state}`, { cookie }))
    assert.equal(locationOf(reply), `${appUrl}${expected}`)
  }
})

test('a request that is not a GET goes to the sign-in page, because a redirect would change it', () => {
  const { wardenry } = application()
  const request = browserRequest('/account/sign-in', { host: 'www.shop.example' }, 'POST')
  assert.ok(isSignInPage(locationOf(wardenry.signIn(request))))
})

test('the redirect leads to no other host, whatever was asked for', () => {
  const { wardenry } = application()
  for (const path of ['//evil.example', '/\\evil.example', '/.//evil.example', `/${'a'.repeat(3000)}`]) {
    const request = { method: 'GET', url: path, headers: { host: 'evil.example' } }
    assert.equal(new URL(locationOf(wardenry.signIn(request))).origin, appUrl, path)
  }
})

test('with the cookie of the service there is nothing to lose, and no redirect', () => {
  const { wardenry } = application({ session: 'shared' })
  const reply = wardenry.signIn(browserRequest('/sign-in', { host: 'www.shop.example' }))
  assert.ok(isSignInPage(locationOf(reply)))
})

test('a program on another host is told, and not redirected', async () => {
  const { wardenry } = application()
  const reply = await wardenry.requireUser(new Request(`${appUrl}/orders`, { headers: { host: 'www.shop.example' } }))
  assert.ok(reply instanceof Response)
  assert.equal(reply.status, 401)
})
