import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { brandIn, brandSource } from '../../../packages/server/src/brand.ts'
import { errorPage } from '../../../packages/server/src/error-page.ts'
import { createWardenry } from '../../../packages/server/src/index.ts'
import { readOptions } from '../../../packages/server/src/read-options.ts'
import { startService } from '../../support/examples.ts'
import { appUrl, bridgeSecret, browserRequest, serviceUrl } from './support.ts'

const colours = { light: '#17614c', dark: '#6fcfb0' }
const logo = { url: `${serviceUrl}/logo?v=1`, width: 32, height: 32, contains_name: false }
const body = { success: true, name: 'Baker & Sons', accent: colours, logo, support_url: 'https://example.com/help' }

/** The page for a brand that the service describes like this. */
function pageOf(described: unknown) {
  const settings = readOptions({ url: serviceUrl, appUrl, bridgeSecret })
  return errorPage(settings, 'INVALID_CODE', 'Expired', {}, brandIn(described, serviceUrl))
}

test('a page of an application carries the brand of the service', async (t) => {
  const { app, home } = await startService([4000])
  t.after(() => app.stop())
  const wardenry = createWardenry({ url: home, bridgeSecret, appUrl, maxSessions: 0 })
  t.after(() => wardenry.close())
  const open = async () => {
    const reply = await wardenry.callback(browserRequest('/sign-in/callback'))
    return { text: await reply.text(), policy: reply.headers.get('content-security-policy') ?? '' }
  }
  const { text, policy } = await open()
  assert.match(text, /<title>[^<]+ – Wardenry<\/title>/)
  assert.match(text, /<header>Wardenry<\/header>/)
  assert.match(text, /a\{color:#17614c\}/)
  assert.doesNotMatch(policy, /img-src/)
  await app.stop()
  assert.equal((await open()).text, text, 'the brand is kept')
})

test('a page permits its own style and pictures of the service, and nothing else', () => {
  const { text, policy } = pageOf(body)
  const [, style = ''] = /<style>(.*?)<\/style>/s.exec(text)!
  const hash = createHash('sha256').update(style).digest('base64')
  const rest = "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
  assert.equal(policy, `default-src 'none'; style-src 'sha256-${hash}'; img-src ${serviceUrl}; ${rest}`)
  assert.match(
    text,
    /<img src="https:\/\/id\.example\.com\/logo\?v=1" width="32" height="32" alt=""><span>Baker &#38; Sons/,
  )
  assert.match(text, /<a href="https:\/\/example\.com\/help">Get help<\/a>/)
  const wide = pageOf({ ...body, logo: { ...logo, width: 96, contains_name: true } })
  assert.match(wide.text, /alt="Baker &#38; Sons"><\/header>/)
  const byMail = pageOf({ ...body, support_url: null, support_email: 'help@example.com' })
  assert.match(byMail.text, /<a href="mailto:help@example\.com">/)
})

test('a name is text', () => {
  const { text } = pageOf({
    ...body,
    name: `</title><script>alert(1)</script>"'&`,
    logo: { ...logo, contains_name: true },
  })
  assert.doesNotMatch(text, /<script|<\/title><|"'/)
})

test('an accent that is not a colour is not shown', () => {
  const accents = [
    'red',
    '#12345',
    '#1234567',
    '#17614c}*{display:none',
    '#17614c</style><script>',
    null,
    3,
    ['#17614c'],
  ]
  for (const light of accents) {
    const { text } = pageOf({ ...body, accent: { light, dark: '#6fcfb0' } })
    assert.doesNotMatch(text, /a\{color:|prefers-color-scheme|<script/, String(light))
    assert.match(text, /Baker/)
  }
})

test('a logo that is not on the service is not shown', () => {
  const urls = [
    'https://evil.example/logo',
    `${serviceUrl}.evil.example/logo`,
    `https://id.example.com:8443/logo`,
    'http://id.example.com/logo',
    `https://id.example.com@evil.example/`,
    'https://user@id.example.com/logo',
    'https://:password@id.example.com/logo',
    'data:image/svg+xml,<svg/>',
    'javascript:alert(1)',
    '//id.example.com/logo',
    '/logo',
    42,
  ]
  for (const url of urls) {
    const { text, policy } = pageOf({ ...body, logo: { ...logo, url } })
    assert.doesNotMatch(text, /<img/, String(url))
    assert.doesNotMatch(policy, /img-src/)
  }
  for (const width of [0, -1, 1.5, 10_000, '32', '1" onload="alert(1)', Number.NaN])
    assert.doesNotMatch(pageOf({ ...body, logo: { ...logo, width } }).text, /<img/, String(width))
})

test('a support link that is no web or email address is not shown', () => {
  for (const support_url of ['javascript:alert(1)', 'data:text/html,x', 'help', 7])
    assert.doesNotMatch(pageOf({ ...body, support_url }).text, /Get help/, String(support_url))
  for (const support_email of ['help', 'a@b?subject=<x>', 'a b@c.example', 7])
    assert.doesNotMatch(pageOf({ ...body, support_url: null, support_email }).text, /Get help/, String(support_email))
})

test('a page is shown without a brand if the service sends anything else', async () => {
  const plain = await brandSource({ url: serviceUrl, internalUrl: serviceUrl, fetch: unreachable }).read({
    mayWait: true,
  })
  assert.equal(plain, undefined)
  const replies = [
    new Response('<html>', { status: 200 }),
    new Response('null', { status: 200 }),
    new Response('[]', { status: 200 }),
    new Response('{"name":1}', { status: 200 }),
    new Response(JSON.stringify({ ...body, name: ' ' })),
    new Response(JSON.stringify({ ...body, name: 'a\nb' })),
    new Response(JSON.stringify({ ...body, padding: 'x'.repeat(20_000) })),
    new Response(JSON.stringify(body), { status: 404 }),
  ]
  for (const reply of replies) {
    const source = brandSource({ url: serviceUrl, internalUrl: serviceUrl, fetch: async () => reply })
    assert.equal(await source.read({ mayWait: true }), undefined)
  }
})

test('no more of a response is read than a brand can need', async () => {
  let sent = 0
  const endless = new ReadableStream({
    pull: (controller) => {
      controller.enqueue(new Uint8Array(4_000).fill(32))
      if (++sent === 100) controller.close()
    },
  })
  const source = brandSource({ url: serviceUrl, internalUrl: serviceUrl, fetch: async () => new Response(endless) })
  assert.equal(await source.read({ mayWait: true }), undefined)
  assert.ok(sent < 10, `${sent} parts were read`)
})

const unreachable: typeof fetch = async () => {
  throw new Error('ECONNREFUSED')
}

test('the brand is read once, from the internal URL, without the bridge secret, and only for pages', async () => {
  const asked: [url: string, init: RequestInit | undefined][] = []
  const answer: typeof fetch = async (url, init) => {
    asked.push([String(url), init])
    return new Response(JSON.stringify(String(url).endsWith('/auth/brand') ? body : { success: true, results: [] }))
  }
  const options = { url: serviceUrl, internalUrl: 'http://wardenry:3000', bridgeSecret, appUrl, maxSessions: 0 }
  const wardenry = createWardenry({ ...options, fetch: answer })
  await wardenry.userOf(browserRequest('/orders', { cookie: 'a=b' }))
  const script = browserRequest('/sign-in/callback', { accept: '*/*', 'sec-fetch-mode': 'cors' })
  await wardenry.callback(script)
  assert.equal(asked.length, 0)
  for (let count = 0; count < 3; count++) await wardenry.callback(browserRequest('/sign-in/callback'))
  assert.deepEqual(
    asked.map(([url]) => url),
    ['http://wardenry:3000/auth/brand'],
  )
  const [, init] = asked[0]!
  assert.deepEqual(
    [init?.method, init?.redirect, new Headers(init?.headers).get('x-bridge-secret')],
    [undefined, 'manual', null],
  )
})

test('a page about an outage does not wait for the brand', async () => {
  const never: typeof fetch = () => new Promise(() => {})
  const source = brandSource({ url: serviceUrl, internalUrl: serviceUrl, fetch: never })
  assert.equal(await source.read({ mayWait: false }), undefined)
})
