import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { AppError } from '../../../src/lib/errors.ts'
import { matchRedirectUri, readRedirectUri } from '../../../src/modules/oauth/clients/redirect-uri.ts'
import { userClientTypes } from '../../../src/modules/oauth/rows.ts'

type Type = (typeof userClientTypes)[number]

/** Undefined if the address can be registered. */
function rejection(text: string, type: Type, isProduction = true): string | undefined {
  try {
    assert.equal(readRedirectUri(text, type, { isProduction }), text)
    return undefined
  } catch (error) {
    assert.ok(error instanceof AppError, String(error))
    assert.deepEqual([error.code, error.details?.[0]?.field], ['OAUTH_REDIRECT_INVALID', 'redirect_uris'])
    return error.message
  }
}

test('addresses that only the application receives can be registered', () => {
  for (const type of userClientTypes)
    for (const text of [
      'https://app.example.com',
      'https://app.example.com/',
      'https://app.example.com/cb',
      'https://app.example.com:8443/a/b.c/d;e=f?tenant=1&codes=2&next=%2Fhome',
      'https://xn--bcher-kva.example/cb',
      'https://[2001:db8::1]/cb',
    ])
      assert.equal(rejection(text, type), undefined, `${type} ${text}`)
  for (const text of [
    'com.example.app:/cb',
    'com.example.app://callback/a?b=c',
    'http://127.0.0.1/cb',
    'http://127.0.0.1:8400/cb',
    'http://[::1]/cb',
    'http://localhost',
  ])
    assert.equal(rejection(text, 'native'), undefined, text)
  assert.equal(rejection('http://localhost:5173/cb', 'spa'), undefined)
  assert.equal(rejection('http://localhost:3000/cb', 'web', false), undefined)
})

test('http is only for loopback, and never for a web application in production', () => {
  for (const [text, type, isProduction] of [
    ['http://localhost:3000/cb', 'web', true],
    ['http://127.0.0.1/cb', 'web', true],
    ['http://app.example.com/cb', 'web', false],
    ['http://app.example.com/cb', 'spa', false],
    ['http://app.example.com/cb', 'native', false],
    ['http://localhost.example.com/cb', 'native', false],
    ['http://127.0.0.2/cb', 'native', false],
    ['http://0.0.0.0/cb', 'native', false],
    ['http://localhost./cb', 'native', false],
    ['ws://localhost/cb', 'native', false],
  ] as const)
    assert.match(rejection(text, type, isProduction) ?? '', /must be https/, text)
})

test('only native applications have schemes of their own, and these contain a dot', () => {
  for (const type of ['web', 'spa'] as const)
    assert.match(rejection('com.example.app:/cb', type) ?? '', /must be https/, type)
  for (const text of [
    'myapp:/cb',
    'myapp://cb',
    'com.example.app:cb',
    'intent://a.example/cb',
    'web+a.b:/cb',
    'a..b:/cb',
  ])
    assert.match(rejection(text, 'native') ?? '', /scheme such as com\.example\.app/, text)
})

/** What the message must say, by the addresses that are rejected for every type. */
const attacks: Readonly<Record<string, readonly [RegExp, ...string[]]>> = {
  'A01: segments that servers resolve': [
    /the segments \. and \.\./,
    'https://app.example.com/cb/../x',
    'https://app.example.com/cb/..',
    'https://app.example.com/./cb',
    'https://app.example.com/cb/..;/x',
    'https://app.example.com/cb/..;a=b/x',
    'https://app.example.com/cb/%2e%2e/x',
    'https://app.example.com/cb/%2E./x',
    'https://app.example.com/cb/%252e%252e/x',
    'https://app.example.com/cb%2f..%2fx',
    'https://app.example.com/cb%2Fx',
    'https://app.example.com/cb%5c..%5cx',
    'https://app.example.com/cb%00',
    'com.example.app:/cb/../x',
  ],
  'A01: another form of the same address': [
    /must be written as "https:/,
    'https:app.example.com/cb',
    'https:/app.example.com/cb',
    'https:///app.example.com/cb',
    'HTTPS://app.example.com/cb',
    'https://App.example.com/cb',
    'https://app.example.com:443/cb',
    'https://app.example.com?x=1',
    'https://127.1/cb',
    'https://0x7f000001/cb',
    'https://app.example.com/"cb"',
  ],
  'A02: user names': [
    /user name/,
    'https://app@evil.example/cb',
    'https://a@b@app.example.com/cb',
    'https://app.example.com:443@evil.example',
    'https://@evil.example/cb',
    'com.example.app://user@host/cb',
  ],
  'A03: schemes that run code': [
    /scheme that runs code/,
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    ' javascript:alert(1)',
    '\u0001javascript:alert(1)',
    '\u00a0javascript:alert(1)',
    'java\tscript:alert(1)',
    'java\r\nscript:alert(1)',
    'java\u00adscript:alert(1)',
    'javascript://app.example.com/%0aalert(1)',
    'data:text/html,x',
    'DATA:,x',
    'vbscript:x',
    'file:///etc/passwd',
    'blob:https://app.example.com/1',
    'about:blank',
    'filesystem:https://app.example.com/temporary/x',
    'view-source:https://app.example.com/',
  ],
  'A04: members of the response': [
    /query member/,
    'https://app.example.com/cb?code=x',
    'https://app.example.com/cb?a=b&STATE=x',
    'https://app.example.com/cb?error=x',
    'https://app.example.com/cb?iss=',
    'https://app.example.com/cb?response',
    'https://app.example.com/cb?id_token=x',
    'https://app.example.com/cb?id.token=x',
    'https://app.example.com/cb?code[]=x',
    'https://app.example.com/cb?c%6Fde=x',
    'https://app.example.com/cb?+code=x',
    'https://app.example.com/cb?a=b;code=x',
    'https://app.example.com/cb?a=b%3Bcode&code%5B0%5D=x',
  ],
  'A04: fragments': [
    /fragment/,
    'https://app.example.com/cb#',
    'https://app.example.com/cb#state=y',
    'com.example.app:/cb#x',
  ],
  wildcards: [/wildcards/, 'https://*.example.com/cb', 'https://app.example.com/*', 'https://app.example.com/cb?a=*'],
  backslashes: [/backslash/, 'https://app.example.com\\@evil.example/cb', 'https:\\\\app.example.com/cb'],
  characters: [
    /only ASCII/,
    ' https://app.example.com/cb',
    'https://app.example.com/cb ',
    'https://app.example.com/c\nb',
    'https://app.example.com/\u0000',
    'https://bücher.example/cb',
    'https://app。example.com/cb',
  ],
  'encoded control characters': [/encoded control/, 'https://app.example.com/cb?a=%0d%0aLocation:x'],
  length: [/at most 2048/, `https://app.example.com/${'x'.repeat(2_025)}`],
  'other texts': [/must/, '', 'cb', '/cb', '//app.example.com/cb', 'https://', 'https://app.example.com:99999/cb'],
}

for (const [name, [message, ...texts]] of Object.entries(attacks))
  test(`an address is rejected for every type of client: ${name}`, () => {
    for (const type of userClientTypes)
      for (const text of texts) assert.match(rejection(text, type, false) ?? 'accepted', message, `${type} ${text}`)
  })

test('an address of 2,048 characters can be registered', () => {
  assert.equal(rejection(`https://app.example.com/${'x'.repeat(2_024)}`, 'web'), undefined)
})

const registered = ['https://app.example.com/cb', 'http://127.0.0.1/cb', 'http://[::1]:80/x?y=1', 'com.example.app:/cb']

test('addresses are equal byte by byte', () => {
  for (const type of userClientTypes) {
    for (const sent of registered) assert.ok(matchRedirectUri(registered, sent, type), sent)
    for (const sent of [
      'https://app.example.com/cb/',
      'https://app.example.com/cb?',
      'https://app.example.com/cb?x',
      'https://app.example.com/cb#',
      'https://app.example.com/cb/../x',
      'https://app.example.com/cb%2f..%2fx',
      'https://app.example.com/cb/..;/x',
      'https://app.example.com/CB',
      'https://app.example.com:443/cb',
      'https://app.example.com:8443/cb',
      'HTTPS://app.example.com/cb',
      'https://App.example.com/cb',
      '//app.example.com/cb',
      'https://app@evil.example/cb',
      'https://a@b@app.example.com/cb',
      'https://app.example.com:443@evil.example',
      'http://app.example.com/cb',
      ' https://app.example.com/cb',
      'https://app.example.com/cb\n',
      'com.example.app:/cb/',
      'com.example.app://cb',
      '',
    ])
      assert.ok(!matchRedirectUri(registered, sent, type), `${type} ${JSON.stringify(sent)}`)
  }
})

test('A05: the port of a native application on loopback may differ, and nothing else', () => {
  const ofNative = (sent: string, addresses: readonly string[] = registered) =>
    matchRedirectUri(addresses, sent, 'native')
  for (const sent of [
    'http://127.0.0.1:1/cb',
    'http://127.0.0.1:65535/cb',
    'http://[::1]/x?y=1',
    'http://[::1]:9/x?y=1',
  ])
    assert.ok(ofNative(sent), sent)
  assert.ok(ofNative('http://localhost:53682/', ['http://localhost/']))
  assert.ok(ofNative('http://127.0.0.1:1/cb', ['http://127.0.0.1:2/cb']))
  for (const sent of [
    'http://127.0.0.1.evil/cb',
    'http://127.0.0.1:80@evil',
    'http://127.0.0.1:80@evil/cb',
    'http://127.0.0.1@evil/cb',
    'http://localhost/cb',
    'http://localhost:80/cb',
    'http://[::1]/cb',
    'http://[0:0:0:0:0:0:0:1]:9/x?y=1',
    'http://127.1/cb',
    'http://127.0.0.01/cb',
    'http://2130706433/cb',
    'http://127.0.0.1./cb',
    'http://127.0.0.1:0/cb',
    'http://127.0.0.1:080/cb',
    'http://127.0.0.1:65536/cb',
    'http://127.0.0.1:/cb',
    'http://127.0.0.1:8a/cb',
    'http://127.0.0.1:80:80/cb',
    'http://127.0.0.1:80\\@evil/cb',
    'http://127.0.0.1:80/cb?x',
    'http://127.0.0.1:80/cb#x',
    'http://127.0.0.1:80/cb\n',
    'http://127.0.0.1:80//cb',
    'http://127.0.0.1:80/x/../cb',
    'HTTP://127.0.0.1:80/cb',
    'https://127.0.0.1:80/cb',
    'http://[::1]:9/x?y=2',
    'http://[::1]:9/x',
  ])
    assert.ok(!ofNative(sent), JSON.stringify(sent))
  assert.ok(!ofNative('https://app.example.com:9/cb'), 'https has a fixed port')
  assert.ok(!ofNative('http://app.example.com:9/cb', ['http://app.example.com/cb']), 'also if it was written by hand')
  for (const type of ['web', 'spa', 'machine'] as const)
    assert.ok(!matchRedirectUri(registered, 'http://127.0.0.1:9/cb', type), type)
})

const pieces = fc.constantFrom(
  ...['http', 'https', 'javascript', 'com.example.app', ':', '/', '//', '@', '\\', '#', '?', '&', ';', '=', '..', '.'],
  ...['%2e', '%2f', '%00', '127.0.0.1', '[::1]', 'localhost', 'evil.example', ':80', ':443', 'cb', 'code', 'state'],
  ...[' ', '\t', '\n', '\u0000', 'ä', '*', '[', ']'],
)
const addresses = fc.oneof(
  fc.string(),
  fc.webUrl({ withQueryParameters: true, withFragments: true }),
  fc.array(pieces, { maxLength: 12 }).map((parts) => parts.join('')),
  fc.array(pieces, { maxLength: 8 }).map((parts) => `http://127.0.0.1${parts.join('')}`),
)

test('every address that can be registered means the same to every reader', () => {
  fc.assert(
    fc.property(addresses, fc.constantFrom(...userClientTypes), fc.boolean(), (text, type, isProduction) => {
      if (rejection(text, type, isProduction) !== undefined) return
      const url = new URL(text)
      assert.ok(url.href === text || url.href === `${text}/`)
      assert.deepEqual([url.username, url.password, url.hash], ['', '', ''])
      assert.ok(
        url.protocol === 'https:' || /^(localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname) || type === 'native',
      )
      assert.ok(['http:', 'https:'].includes(url.protocol) || url.protocol.includes('.'))
      for (const name of ['code', 'state', 'error', 'iss', 'response', 'id_token'])
        assert.ok(!url.searchParams.has(name), name)
      assert.doesNotMatch(text, /[\s\\*#]|\/\.\.?(\/|$)/)
    }),
    { numRuns: 2_000 },
  )
})

test('a native application is only sent to the host, path and query that it registered', () => {
  const loopback = fc.constantFrom('http://127.0.0.1', 'http://[::1]', 'http://localhost')
  const known = fc
    .tuple(loopback, fc.constantFrom('', ':80', ':9'), fc.constantFrom('', '/', '/cb', '/cb?a=b'))
    .map((parts) => parts.join(''))
  fc.assert(
    fc.property(fc.array(known, { maxLength: 3 }), fc.oneof(addresses, known), (list, sent) => {
      for (const type of ['web', 'spa'] as const) assert.equal(matchRedirectUri(list, sent, type), list.includes(sent))
      if (!matchRedirectUri(list, sent, 'native')) return
      const parts = ({ protocol, username, hostname, pathname, search, hash }: URL) =>
        JSON.stringify([protocol, username, hostname, pathname, search, hash])
      assert.ok(
        list.some((one) => parts(new URL(one)) === parts(new URL(sent))),
        sent,
      )
    }),
    { numRuns: 2_000 },
  )
})
