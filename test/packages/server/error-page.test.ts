import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { errorPage } from '../../../packages/server/src/error-page.ts'
import { readOptions } from '../../../packages/server/src/read-options.ts'
import {
  application,
  appUrl,
  begun,
  bridgeSecret,
  browserRequest,
  kept,
  letIn,
  serviceUrl,
  sessionToken,
} from './support.ts'

const cookie = `__Host-wardenry_session=${sessionToken}`
const linksOf = (text: string) => [...text.matchAll(/<a href="([^"]*)">([^<]*)/g)].map(([, ...link]) => link)

test('a page for people fits a phone, follows the colour scheme, and loads nothing', async () => {
  const { wardenry } = application()
  const reply = await wardenry.callback(browserRequest('/sign-in/callback'))
  const text = await reply.text()
  assert.match(text, /<meta name="viewport" content="width=device-width, initial-scale=1">/)
  assert.match(text, /<meta name="color-scheme" content="light dark">/)
  assert.doesNotMatch(text, /src=|@import|url\(|<script|<link| style=| on\w+=/)
  const [, style = ''] = /<style>(.*?)<\/style>/s.exec(text)!
  const policy = reply.headers.get('content-security-policy')!
  assert.ok(policy.includes(`style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`))
  assert.match(policy, /^default-src 'none';/)
  assert.equal(reply.headers.get('x-content-type-options'), 'nosniff')
})

test('each page says what to do, and has a link that does it', async () => {
  const { wardenry, answers } = application()
  letIn(answers)
  const requireUser = (rule: object) => wardenry.requireUser(browserRequest('/orders', { cookie }), rule)
  const failed = async (code: string, answer: [number, object] | Error) => {
    answers['/auth/bridge/redeem'] = answer
    const flow = begun(wardenry, '/orders')
    return wardenry.callback(flow.back(`${code}&state=${flow.state}`))
  }
  const pages: [reply: unknown, status: number, text: RegExp, link: string[]][] = [
    [
      await requireUser({ userTypes: ['admin'] }),
      403,
      /no access/,
      ['/sign-in?prompt=login', 'Sign in with another account'],
    ],
    [
      await requireUser({ twoFactor: true }),
      403,
      /second factor/,
      [`${serviceUrl}/account/security`, 'Open your account'],
    ],
    [await wardenry.callback(browserRequest('/sign-in/callback')), 400, /expired/, ['/sign-in', 'Try again']],
    [await failed('code=c1', [400, { success: false }]), 400, /expired/, ['/sign-in?return_to=%2Forders', 'Try again']],
    [
      await failed('error=server_error', [200, {}]),
      400,
      /sign-in failed/,
      ['/sign-in?return_to=%2Forders', 'Try again'],
    ],
    [await failed('code=c1', new Error('ECONNREFUSED')), 503, /unavailable/, ['', 'Try again']],
    [await wardenry.signOut(browserRequest('/sign-out')), 405, /POST/, ['/', 'Back to the application']],
  ]
  for (const [reply, status, text, link] of pages) {
    assert.ok(reply instanceof Response)
    assert.equal(reply.status, status)
    const page = await reply.text()
    assert.match(page, text)
    assert.deepEqual(linksOf(page)[0], link)
  }
})

const sentForm = (headers: Record<string, string> = {}, method = 'POST', path = '/orders') =>
  browserRequest(path, { origin: appUrl, referer: `${appUrl}/orders/new?item=2`, ...headers }, method)
const afterForm = 'return_to=%2Forders%2Fnew%3Fitem%3D2'
const evil = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site', referer: 'https://evil.example/' }
const longAgo = { authenticated_at: '2020-01-01T00:00:00Z' }

test('a submitted form gets a page with a link that leads back to the form', async () => {
  const { wardenry, answers } = application()
  const signedOut = await wardenry.requireUser(sentForm())
  letIn(answers, longAgo)
  const outage = async (path: string, send: (request: Request) => Promise<unknown>) => {
    answers['/auth/bridge/validate'] = answers['/auth/logout'] = new Error('ECONNREFUSED')
    return send(sentForm({ cookie }, 'POST', path))
  }
  const pages: [reply: unknown, status: number, text: RegExp, link: string[]][] = [
    [signedOut, 401, /Nothing was changed\. Sign in, then submit/, [`/sign-in?${afterForm}`, 'Sign in']],
    [
      await wardenry.requireUser(sentForm({ cookie }), { maxAge: 300 }),
      403,
      /Nothing was changed\. Confirm your identity, then submit/,
      [`/sign-in?${afterForm}&#38;max_age=300`, 'Confirm your identity'],
    ],
    [
      await wardenry.requireUser(sentForm({ cookie }, 'PUT'), { userTypes: ['admin'] }),
      403,
      /another account/,
      [`/sign-in?${afterForm}&#38;prompt=login`, 'Sign in with another account'],
    ],
    [await wardenry.requireUser(sentForm({ cookie, ...evil })), 403, /another site/, ['/', 'Back to the application']],
    [
      await outage('/orders', (request) => wardenry.requireUser(request)),
      503,
      /Wait a moment, then submit/,
      ['/orders/new?item=2', 'Back to the form'],
    ],
    [
      await outage('/sign-out', (request) => wardenry.signOut(request)),
      503,
      /Wait a moment, then submit/,
      ['/orders/new?item=2', 'Back to the form'],
    ],
  ]
  for (const [reply, status, text, link] of pages) {
    assert.ok(reply instanceof Response)
    assert.equal(reply.status, status)
    assert.equal(reply.headers.get('content-type'), 'text/html; charset=utf-8')
    const page = await reply.text()
    assert.match(page, text)
    assert.deepEqual(linksOf(page)[0], link)
  }
})

test('a form without a same-origin referrer leads to the start of the application', async () => {
  const { wardenry, answers } = application()
  const referers = ['', 'https://evil.example/orders', `${appUrl}.evil.example/`, `${appUrl}//evil.example`, 'no URL']
  for (const referer of referers) {
    const reply = (await wardenry.requireUser(sentForm({ referer }))) as Response
    assert.deepEqual(linksOf(await reply.text()), [['/sign-in', 'Sign in']], referer)
  }
  answers['/auth/bridge/validate'] = new Error('ECONNREFUSED')
  const reply = (await wardenry.requireUser(sentForm({ cookie, referer: '' }))) as Response
  assert.deepEqual(linksOf(await reply.text()), [['/', 'Back to the application']])
})

test('a script that sends data gets JSON', async () => {
  const { wardenry } = application()
  const program = new Request(`${appUrl}/orders`, { method: 'POST', headers: { accept: '*/*' } })
  for (const request of [
    sentForm({ 'sec-fetch-mode': 'cors' }),
    sentForm({ 'sec-fetch-mode': 'same-origin' }),
    program,
  ]) {
    const reply = (await wardenry.requireUser(request)) as Response
    assert.match(await reply.text(), /"code":"INVALID_SESSION"/)
  }
})

test('a person who cancels is not told of a fault, and may sign in after all', async () => {
  const { wardenry, asked } = application()
  const { state, back } = begun(wardenry, '/orders')
  const reply = await wardenry.callback(back(`error=access_denied&state=${state}`))
  assert.equal(reply.status, 200)
  const text = await reply.text()
  assert.match(text, /You cancelled the sign-in\./)
  assert.deepEqual(linksOf(text)[0], ['/sign-in?return_to=%2Forders', 'Try again'])
  assert.match(kept(reply).join(), /^__Host-wardenry_flow_[1-5]=$/)
  assert.deepEqual(asked, [])
})

test('an application may receive people who cancel', async () => {
  const { wardenry } = application({ paths: { cancelled: '/welcome' } })
  const { state, back } = begun(wardenry)
  const reply = await wardenry.callback(back(`error=access_denied&state=${state}`))
  assert.equal(reply.status, 303)
  assert.equal(reply.headers.get('location'), `${appUrl}/welcome`)
  const forged = await wardenry.callback(browserRequest('/sign-in/callback?error=access_denied'))
  assert.equal(forged.status, 400)
})

test('whatever a page is given is text', () => {
  const settings = readOptions({ url: serviceUrl, appUrl, bridgeSecret })
  const returnTo = `${appUrl}/"><img src=x onerror=alert(1)>'`
  const { text: page } = errorPage(settings, 'INVALID_CODE', '<script>"\'&', { returnTo })
  assert.doesNotMatch(page, /<script|<img|"'/)
  assert.match(page, /<h1>&#60;script&#62;&#34;&#39;&#38;<\/h1>/)
})
