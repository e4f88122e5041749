import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createApplicationSet, type StoredApplication } from '../../src/applications/application-set.ts'
import { allowedReturnAddress } from '../../src/http/responses/redirects.ts'
import { storedApplication } from './support.ts'

const origin = 'https://example.com'
const disabled = { isEnabled: false }
const shop = storedApplication('shop', [`${origin}/shop`], disabled)
const whole = storedApplication('whole', [origin])

const allows = (path: string, declared: string[], ...stored: StoredApplication[]): boolean => {
  const config = { PUBLIC_URL: 'https://id.test', FRONTEND_URL: 'https://id.test', ALLOWED_REDIRECTS: declared }
  const set = createApplicationSet(1, stored)
  return allowedReturnAddress({ config, applications: { current: () => set } }, origin + path) !== undefined
}

/** What servers may take for the path of the disabled application. */
const spellings = [
  ...['/shop', '/%73hop', '/%73%68%6f%70', '/%2573hop', '/%252573hop/x', '//shop', '///shop//x', '/./shop', '/.//shop'],
  ...['/SHOP', '/Shop/x', '/%53hop', '/shop;x', '/shop;x=1/y', '/;x/shop', '/shop%3bx', '/shop%253Bx', '/shop%3Fx'],
  ...['/shop%23', '/shop.', '/shop..', '/shop%20', '/%20shop', '/shop%09', '/shop%00', '/shop%2f', '/x%2f..%2fshop'],
  ...['/x/..%3b/shop', '/x/..;/shop', '/x/.%2e/shop', '/x/..%20/shop', '/%5cshop', '/%EF%BD%93hop', '/%EF%BC%8Fshop'],
  ...['/%C5%BFhop', '/%u0073hop', '/%c1%b3hop', '/%ff/shop', '/shop/%zz', '/x/%25%32%65%25%32%65/shop', '/.;/shop'],
]

for (const path of spellings)
  test(`${path} belongs to the disabled application at /shop, whatever a wider address allows`, () => {
    assert.equal(allows(path, [origin], shop), false, 'an address of the settings')
    assert.equal(allows(path, [], shop, whole), false, 'an address of another application')
  })

test('paths that are not below a disabled application stay allowed, and so does what is declared at least as closely', () => {
  for (const path of [
    '/',
    '',
    '/shopping',
    '/shop-x',
    '/x/shop',
    '/%C3%A9',
    '/a/./b',
    '/SHOPPING',
    '/?shop',
    '/#/shop',
  ])
    assert.equal(allows(path, [origin], shop), true, path)
  for (const path of ['/shop/x', '/shop/x/', '/shop/x/y?z'])
    assert.equal(allows(path, [`${origin}/shop/x`], shop), true)
  assert.equal(allows('/shop/X', [`${origin}/shop/x`], shop), false, 'other spellings are not accepted')
  assert.equal(allows('/shop', [`${origin}/shop`], shop), true)
  assert.equal(allows('/SHOP', [`${origin}/SHOP`], shop), true)
  for (const path of spellings.filter((one) => !one.startsWith('/x')))
    assert.equal(allows(path, [origin]), true, 'without a disabled application, a whole origin has no paths')
})

test('a path that servers may read in different ways is rejected in every spelling', () => {
  const odd = storedApplication('odd', [`${origin}/100%25`], disabled)
  for (const path of ['/100%25', '//100%25', '/100%2525/x']) assert.equal(allows(path, [origin], odd), false, path)
  assert.equal(allows('/x', [origin], odd), true)
})

test('an address that a development server has on every port is rejected there in every spelling', () => {
  const local = storedApplication('local', ['http://localhost/shop'], { ...disabled, isDevelopment: true })
  const config = {
    PUBLIC_URL: 'https://id.test',
    FRONTEND_URL: 'https://id.test',
    ALLOWED_REDIRECTS: ['http://localhost:5173'],
  }
  const set = createApplicationSet(1, [local])
  const isAllowed = (address: string) => allowedReturnAddress({ config, applications: { current: () => set } }, address)
  for (const path of ['/shop', '/%73hop', '//shop/x'])
    assert.equal(isAllowed(`http://localhost:5173${path}`), undefined)
  assert.ok(isAllowed('http://localhost:5173/x'))
})

/** One way in which a server may read the path differently. */
const change = fc.constantFrom<(path: string, at: number) => string>(
  (path, at) => path.slice(0, at) + escaped(path[at]) + path.slice(at + 1),
  (path, at) => path.slice(0, at) + escaped(path[at]).toLowerCase() + path.slice(at + 1),
  (path, at) => path.slice(0, at) + (path[at] ?? '').toUpperCase() + path.slice(at + 1),
  (path) => path.replaceAll('%', '%25'),
  (path) => path.replaceAll('/', '//'),
  (path) => path.replaceAll('/', '/./'),
  (path) => `/.${path}`,
  (path) => `${path};a=b`,
  (path) => `${path}%3B`,
  (path) => `${path}.`,
  (path) => `${path}%20`,
  (path) => `${path}/more`,
  (path) => `/x/..%2f${path}`,
)
const escaped = (char = '/'): string => `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`

test('no combination of spellings leads to a disabled application', () => {
  const step = fc.tuple(change, fc.nat(40))
  fc.assert(
    fc.property(fc.array(step, { maxLength: 6 }), (steps) => {
      const path = steps.reduce((text, [respelled, at]) => respelled(text, at % text.length), '/shop')
      assert.equal(allows(path, [origin], shop), false, path)
      assert.equal(allows(path, [], shop, whole), false, path)
    }),
    { numRuns: 3000 },
  )
})
