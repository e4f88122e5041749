import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { WardenryOptions } from '../../../packages/server/src/index.ts'
import { serverComponents } from '../../../packages/server/src/next.ts'
import { ada, application, appUrl, browserRequest, letIn, serviceUrl, sessionToken } from './support.ts'

/** Stands in for the error that `redirect` from Next.js throws. */
class Redirected extends Error {}

const cookie = `__Host-wardenry_session=${sessionToken}`

function components(headers: Record<string, string> = { cookie }, options: Partial<WardenryOptions> = {}) {
  const { wardenry, answers } = application(options)
  const redirect = (path: string): never => {
    throw new Redirected(path)
  }
  return { wardenry, answers, ...serverComponents(wardenry, { headers: async () => new Headers(headers), redirect }) }
}

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()

test('a server component gets the user whom its rule lets pass', async () => {
  const { answers, requireUser } = components()
  const session = { id: 's', application: 'https://shop.example', two_factor_verified: 1 }
  letIn(answers, { authenticated_at: minutesAgo(1), session })
  const rule = { userTypes: ['customer'], maxAge: 300, twoFactor: true }
  assert.deepEqual(await requireUser('/orders'), ada)
  assert.deepEqual(await requireUser('/orders', rule), ada)
})

test('a visitor who is not signed in is redirected to sign in, and returns to the page', async () => {
  const { requireUser } = components({})
  await assert.rejects(requireUser('/orders?page=2', { userTypes: ['admin'] }), (error: Error) => {
    assert.ok(error instanceof Redirected)
    assert.equal(error.message, '/sign-in?return_to=%2Forders%3Fpage%3D2')
    return true
  })
})

test('a user with an old proof must authenticate again', async () => {
  const { wardenry, answers, requireUser } = components()
  letIn(answers, { authenticated_at: minutesAgo(6) })
  await assert.rejects(requireUser('/orders', { maxAge: 300 }), (error: Error) => {
    assert.ok(error instanceof Redirected)
    assert.equal(error.message, '/sign-in?return_to=%2Forders&max_age=300')
    const location = wardenry.signIn(browserRequest(error.message)).headers.get('location')!
    assert.equal(new URL(location).searchParams.get('max_age'), '300')
    assert.ok(location.startsWith(serviceUrl))
    return true
  })
})

for (const [rule, code] of [
  [{ userTypes: ['admin'] }, 'FORBIDDEN'],
  [{ twoFactor: true }, 'TWO_FACTOR_REQUIRED'],
] as const) {
  test(`a user whom ${JSON.stringify(rule)} does not let pass is refused, and not sent to sign in`, async () => {
    const { wardenry, answers, requireUser } = components()
    letIn(answers)
    await assert.rejects(requireUser('/orders', rule), { code, status: 403 })
    const request = browserRequest('/orders', { cookie: `__Host-wardenry_session=${sessionToken}` })
    const reply = await wardenry.requireUser(request, rule)
    assert.ok(reply instanceof Response)
    assert.equal(reply.status, 403)
  })
}

test('while the service is unavailable, nobody is redirected to sign in', async () => {
  const { answers, requireUser } = components()
  answers['/auth/bridge/validate'] = new Error('connect ECONNREFUSED')
  await assert.rejects(requireUser('/orders'), { code: 'UNAVAILABLE', status: 503 })
})

const evil = 'https://evil.shop.example'
const foreign: Record<string, Record<string, string>> = {
  'a script of a neighbour': { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'cors', origin: evil },
  'a form of a neighbour': { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'navigate', origin: evil },
  'a form of a page without a referrer': {
    'sec-fetch-site': 'cross-site',
    'sec-fetch-mode': 'navigate',
    origin: 'null',
  },
  'a picture of a neighbour': { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'no-cors' },
  'a browser that says nothing of the site': { origin: evil },
}
for (const [name, headers] of Object.entries(foreign)) {
  test(`${name} is nobody to code that does not know the method`, async () => {
    const { answers, currentUser, currentSession, requireUser } = components({ cookie, ...headers })
    letIn(answers)
    assert.equal(await currentUser(), undefined)
    assert.equal(await currentSession(), undefined)
    await assert.rejects(requireUser('/admin'), { code: 'CSRF_REJECTED', status: 403 })
  })
}

const own: Record<string, Record<string, string>> = {
  'a link of another site': { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' },
  'a link of a neighbour': { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'navigate' },
  'an address that was typed': { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' },
  'a fetch of React': { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors' },
  'a server action': { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors', origin: appUrl },
  'an old browser': { origin: appUrl },
  'a trusted origin': { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'cors', origin: 'https://www.shop.example' },
}
for (const [name, headers] of Object.entries(own)) {
  test(`${name} is the user to code that does not know the method`, async () => {
    const trustedOrigins = ['https://www.shop.example']
    const { answers, currentUser, requireUser } = components({ cookie, ...headers }, { trustedOrigins })
    letIn(answers)
    assert.deepEqual(await currentUser(), ada)
    assert.deepEqual(await requireUser('/admin'), ada)
  })
}
