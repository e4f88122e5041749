import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { errorPage } from '../../../packages/server/src/error-page.ts'
import { readOptions } from '../../../packages/server/src/options.ts'
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
  const page = errorPage(settings, 'INVALID_CODE', '<script>"\'&', `${appUrl}/"><img src=x onerror=alert(1)>'`)
  assert.doesNotMatch(page, /<script|<img|"'/)
  assert.match(page, /<h1>&#60;script&#62;&#34;&#39;&#38;<\/h1>/)
})
