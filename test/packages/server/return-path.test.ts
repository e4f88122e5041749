import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { localAddress } from '../../../packages/server/src/return-path.ts'
import { application, appUrl, begun, browserRequest } from './support.ts'

for (const path of [
  '/',
  '/orders',
  '/orders?page=2#last',
  '/a/../b',
  '/ä?q=ü',
  '/@evil.example',
  '/%2F%2Fevil.example',
]) {
  test(`comes back to ${path}`, () => {
    assert.equal(localAddress(appUrl, path), new URL(path, appUrl).href)
  })
}

const hostile = [
  '',
  'orders',
  'https://evil.example/',
  '//evil.example',
  '///evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  '\t//evil.example',
  '/.//evil.example',
  '/a/..//evil.example',
  '/%2e//evil.example',
  'javascript:alert(1)',
  ' //evil.example',
  '/a\r\nset-cookie: x=y',
  '/a\u0000',
  `/${'a'.repeat(3000)}`,
]
for (const path of hostile) {
  test(`does not go to ${JSON.stringify(path).slice(0, 40)}`, () => {
    assert.equal(localAddress(appUrl, path), undefined)
  })
}

test('whatever is given, the browser stays on this origin', () => {
  const piece = fc.constantFrom(
    '/',
    '\\',
    '.',
    '..',
    '%2e',
    '%2f',
    '@',
    ':',
    '?',
    '#',
    'evil.example',
    '\t',
    '\n',
    ' ',
    'a',
  )
  fc.assert(
    fc.property(fc.array(fc.oneof(piece, fc.string({ unit: 'grapheme' }))), (pieces) => {
      const address = localAddress(appUrl, `/${pieces.join('')}`)
      if (address === undefined) return
      assert.equal(new URL(address, 'https://other.example').origin, appUrl)
      assert.ok(!new URL(address).pathname.startsWith('//'))
    }),
    { numRuns: 5000 },
  )
})

test('a link to the sign-in path leads back to a page of this application only', async () => {
  const { wardenry } = application()
  for (const [given, expected] of [
    ['/orders', `${appUrl}/orders`],
    ['https://evil.example', `${appUrl}/`],
    ['//evil.example', `${appUrl}/`],
  ] as const) {
    const reply = wardenry.signIn(browserRequest(`/sign-in?return_to=${encodeURIComponent(given)}`))
    const state = new URL(reply.headers.get('location')!).searchParams.get('state')!
    const cookie = reply.headers.getSetCookie()[0]!.split(';')[0]!
    const back = await wardenry.callback(browserRequest(`/sign-in/callback?code=c1&state=${state}`, { cookie }))
    assert.equal(back.headers.get('location'), expected)
  }
})

test('a link hands on what the sign-in page knows, and nothing else', () => {
  const { wardenry } = application()
  const query = 'screen=register&login_hint=ada%40example.com&state=mine&code_challenge=mine&role=admin'
  const { searchParams } = new URL(wardenry.signIn(browserRequest(`/sign-in?${query}`)).headers.get('location')!)
  assert.equal(searchParams.get('screen'), 'register')
  assert.equal(searchParams.get('login_hint'), 'ada@example.com')
  assert.notEqual(searchParams.get('state'), 'mine')
  assert.notEqual(searchParams.get('code_challenge'), 'mine')
  assert.equal(searchParams.get('role'), null)
  assert.equal(searchParams.getAll('state').length, 1)
})

test('the sign-in page gets the invalid and repeated values of a link, because it refuses them', () => {
  const { wardenry } = application()
  for (const [query, name, value] of [
    ['max_age=5%20minutes', 'max_age', '5 minutes'],
    ['max_age=', 'max_age', ''],
    ['max_age=300&max_age=9000', 'max_age', '300 9000'],
    ['max_age=1', 'max_age', '30'],
    ['prompt=none&prompt=login', 'prompt', 'none login'],
    ['screen=signup', 'screen', 'signup'],
  ] as const) {
    const { searchParams } = new URL(wardenry.signIn(browserRequest(`/sign-in?${query}`)).headers.get('location')!)
    assert.deepEqual(searchParams.getAll(name), [value], query)
  }
})

test('with the cookie of the service, people come back to the page itself', () => {
  const { wardenry } = application({ session: 'shared' })
  const { location, response } = begun(wardenry)
  assert.equal(location.searchParams.get('return_to'), `${appUrl}/orders?page=2`)
  assert.equal(location.searchParams.get('code_challenge'), null)
  assert.deepEqual(response.headers.getSetCookie(), [])
})
