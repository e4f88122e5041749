import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createApplicationSet } from '../../src/applications/application-set.ts'
import { allowedReturnAddress, mailTarget, withQuery, withToken } from '../../src/http/responses/redirects.ts'
import { storedApplication } from '../applications/support.ts'
import { anyCharacter } from '../support/any-character.ts'

const own = { PUBLIC_URL: 'https://id.test', FRONTEND_URL: 'https://app.test/shop' }
const addresses = [
  'https://other.test',
  'http://localhost:5173',
  'myapp://',
  'https://shared.test/app',
  'https://xn--mnchen-3ya.test',
]
const storing = (...applications: ReturnType<typeof storedApplication>[]) => ({
  current: () => createApplicationSet(1, applications),
})
/** The same addresses, declared in the settings and stored in the database. */
const places = {
  declared: { config: { ...own, ALLOWED_REDIRECTS: addresses }, applications: storing() },
  stored: {
    config: { ...own, ALLOWED_REDIRECTS: [] },
    applications: storing(storedApplication('app', addresses, { isDevelopment: true })),
  },
}
const everywhere = Object.entries(places)

const allowed: Record<string, string> = {
  'https://app.test': 'https://app.test/',
  'https://app.test/welcome?from=mail#top': 'https://app.test/welcome?from=mail#top',
  'https://other.test/a/../b': 'https://other.test/b',
  'https://other.test:443/x': 'https://other.test/x',
  'HTTPS://OTHER.TEST/x': 'https://other.test/x',
  'http://localhost:5173/login': 'http://localhost:5173/login',
  'https://id.test/account/security': 'https://id.test/account/security',
  'https://id.test/authors': 'https://id.test/authors',
  'https://app.test/auth/callback': 'https://app.test/auth/callback',
  'https://app.test/invite?token=abc': 'https://app.test/invite?token=abc',
  'https://shared.test/app': 'https://shared.test/app',
  'https://shared.test/app/': 'https://shared.test/app/',
  'https://shared.test/app?x=%2e%2e%2f': 'https://shared.test/app?x=%2e%2e%2f',
  'https://shared.test/other/../app/x': 'https://shared.test/app/x',
  'https://münchen.test/': 'https://xn--mnchen-3ya.test/',
  'myapp://login': 'myapp://login',
  'myapp://login?step=2': 'myapp://login?step=2',
}
for (const [place, targets] of everywhere)
  for (const [wish, target] of Object.entries(allowed)) {
    test(`${wish} is allowed (${place})`, () => assert.equal(allowedReturnAddress(targets, wish), target))
  }

const refused = [
  undefined,
  '',
  '/login',
  'login',
  '//evil.test',
  '/\\evil.test',
  'https://evil.test',
  'https:evil.test',
  'http://app.test',
  'https://app.test:8443',
  'https://app.test.evil.test',
  'https://evilapp.test',
  'https://sub.app.test',
  'https://app.test@evil.test',
  'https://user@app.test',
  'https://:secret@app.test',
  'https://evil.test\\@app.test',
  'https://app.test\\.evil.test',
  'https://app.test%2f@evil.test',
  'https://app。test.evil.test',
  'http://localhost:80@evil.test',
  'http://localhost:5174',
  'http://127.0.0.1:5173',
  ' https://app.test',
  'https://app.test/\r\nset-cookie: a=b',
  'https://app.test/\u0000',
  'https://app.test/\u202e',
  'https://app.test/\t//evil.test',
  `https://app.test/"onmouseover=alert(1)`,
  'https://app.test/<script>',
  "https://app.test/'",
  'https://app.test./',
  'https://shared.test/',
  'https://shared.test/app-evil',
  'https://shared.test/application',
  'https://shared.test/App',
  'https://shared.test/app/../evil',
  'https://shared.test/app/%2e%2e/evil',
  'https://shared.test/app/..%00/evil',
  'https://shared.test/app/..%2509/evil',
  'https://shared.test/app/x%7Fy',
  'https://shared.test/app/.%2E/evil',
  'https://shared.test/app/..%2fevil',
  'https://shared.test/app/..%5cevil',
  'https://shared.test/app/%252e%252e/evil',
  'https://shared.test/app/%25252e%25252e%2fevil',
  'https://shared.test/app/..;/evil',
  'https://shared.test/app%2f..%2fevil',
  'https://shared.test:8443/app',
  'http://shared.test/app',
  'https://shared.test.evil.test/app',
  'https://shared.test@evil.test/app',
  'https://mu\u0308nchen.evil.test/',
  'https://munchen.test/',
  'https://\u0430pp.test/',
  'https://app.test\u3002evil.test',
  'https://id.test/auth/social/google/login?link=true',
  'https://id.test/%61uth/social/google/login?link=true',
  'https://id.test//auth/logout',
  'https://id.test/api/v1/posts',
  'myapp:login',
  'myapp2://login',
  'other://login',
  'myapp://user@login',
  'javascript://app.test/%0aalert(1)',
  'data:text/html,hello',
  'blob:https://app.test/0c8f',
  'file:///etc/passwd',
  `https://app.test/${'a'.repeat(2048)}`,
]
for (const [place, targets] of everywhere)
  for (const wish of refused) {
    test(`${JSON.stringify(wish)?.slice(0, 60)} is refused (${place})`, () =>
      assert.equal(allowedReturnAddress(targets, wish), undefined))
  }

test('the secret joins the query with the right sign, and never the fragment', () => {
  assert.equal(withToken('https://app.test/login', 'T'), 'https://app.test/login?token=T')
  assert.equal(withToken('https://app.test/?a=1', 'T'), 'https://app.test/?a=1&token=T')
  assert.equal(withToken('https://app.test/#/in', 'T'), 'https://app.test/?token=T#/in')
  assert.equal(withToken('myapp://login', 'T'), 'myapp://login?token=T')
})

test('a link that gets a token has none before', () => {
  assert.equal(mailTarget(places.declared, 'https://app.test/?token=planted'), undefined)
  assert.equal(mailTarget(places.declared, 'https://app.test/?%74oken=planted'), undefined)
  assert.equal(mailTarget(places.declared, 'https://app.test/?a=1'), 'https://app.test/?a=1')
  assert.equal(mailTarget(places.declared, 'https://evil.test/'), undefined)
})

test('members join a query without changing the rest of the address', () => {
  assert.equal(
    withQuery('https://app.test/?a=%20%7E#/in', { code: 'x', state: 'a&b=c', error: undefined }),
    'https://app.test/?a=%20%7E&code=x&state=a%26b%3Dc#/in',
  )
  assert.equal(withQuery('https://app.test/', { error: undefined }), 'https://app.test/')
})

const pieces = [
  ...[
    'https:',
    'http:',
    'myapp:',
    'javascript:',
    '//',
    '/',
    '///',
    '\\',
    '/\\',
    '@',
    ':',
    '?',
    '#',
    '.',
    '..',
    ';',
    '%',
  ],
  ...[
    '%2e',
    '%2E%2e',
    '%2f',
    '%5c',
    '%00',
    '%0a',
    '%09',
    '%252e',
    '\t',
    '\n',
    '\u0000',
    '\u200b',
    '\u202e',
    '\uff0f',
    '\u3002',
    '\u2044',
  ],
  ...[
    'app.test',
    'other.test',
    'shared.test',
    'id.test',
    'evil.test',
    'localhost',
    'münchen.test',
    '\u0430pp.test',
    '127.1',
    '[::1]',
  ],
  ...['app', '/app', '-evil', 'auth', 'x', ':443', ':80', ':5173', 'user', 'a=b', 'token=x', '..;', '~', 'é'],
]

const hostile = fc.oneof(
  fc.array(fc.constantFrom(...pieces), { maxLength: 12 }).map((parts) => parts.join('')),
  fc
    .tuple(
      fc.constantFrom(
        'https://app.test',
        'https://shared.test/app',
        'https://id.test',
        'http://localhost:5173',
        'myapp://',
      ),
      fc.array(fc.constantFrom(...pieces), { maxLength: 8 }),
    )
    .map(([start, parts]) => start + parts.join('')),
  fc.string({ unit: anyCharacter, maxLength: 60 }),
  fc.webUrl({ withFragments: true, withQueryParameters: true }),
)

for (const [place, targets] of everywhere)
  test(`whatever is accepted leads, for the parser of browsers, to a place that is allowed (${place})`, () => {
    const origins = [
      'https://id.test',
      'https://app.test',
      'https://other.test',
      'http://localhost:5173',
      'https://xn--mnchen-3ya.test',
    ]
    let accepted = 0
    fc.assert(
      fc.property(hostile, (given) => {
        const address = allowedReturnAddress(targets, given)
        if (address === undefined) return
        accepted++
        const url = new URL(address)
        assert.equal(url.href, address, 'reading it again changes nothing')
        assert.match(address, /^[\x21-\x7e]+$/, 'a header can hold it')
        assert.equal(`${url.username}${url.password}`, '')
        // The URL must be absolute so that it does not depend on the page that contains it.
        assert.equal(new URL(address, 'https://evil.test/x/').href, address)
        if (url.protocol === 'myapp:') return assert.ok(address.startsWith('myapp://'))
        if (origins.includes(url.origin))
          return assert.doesNotMatch(url.origin + url.pathname, /^https:\/\/id\.test\/+(auth|api)(\/|$)/)
        assert.equal(url.origin, 'https://shared.test')
        let path = url.pathname
        for (let round = 0; round < 4; round++) path = decodeAll(path)
        const walked = new URL(path.replaceAll('\\', '/').replaceAll(';', ''), 'https://shared.test')
        assert.match(walked.pathname, /^\/app(\/|$)/, 'no decoding leads out of the prefix')
      }),
      { numRuns: 20_000 },
    )
    assert.ok(accepted > 500, `${accepted} were accepted`)
  })

const decodeAll = (path: string): string =>
  path.replaceAll(/%[0-9a-f]{2}/gi, (octet) => String.fromCharCode(Number.parseInt(octet.slice(1), 16)))
