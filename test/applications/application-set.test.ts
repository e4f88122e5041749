import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createApplicationSet, type StoredApplication } from '../../src/applications/application-set.ts'
import { allowedReturnAddress } from '../../src/http/responses/redirects.ts'
import { storedApplication } from './support.ts'

const setOf = (...applications: StoredApplication[]) => createApplicationSet(1, applications)
const keyOf = (set: ReturnType<typeof setOf>, address: string) => set.ofReturnAddress(new URL(address))?.application.key

test('the longest address that covers a URL decides to which application it belongs', () => {
  const set = setOf(
    storedApplication('whole', ['https://example.com']),
    storedApplication('shop', ['https://example.com/shop']),
    storedApplication('cart', ['https://example.com/shop/cart', 'cart://']),
  )
  const expected: Record<string, string | undefined> = {
    'https://example.com/': 'whole',
    'https://example.com/shop': 'shop',
    'https://example.com/shop/': 'shop',
    'https://example.com/shop/cart/1?x=2#y': 'cart',
    'https://example.com/shop/carts': 'shop',
    'https://example.com/shopping': 'whole',
    'https://example.com/shop/..%2fadmin': 'whole',
    'https://example.com:8443/shop': undefined,
    'http://example.com/shop': undefined,
    'cart://pay': 'cart',
    'cart:pay': undefined,
    'carts://pay': undefined,
  }
  for (const [address, key] of Object.entries(expected)) assert.equal(keyOf(set, address), key, address)
})

test('an address without a port stands for all ports of this machine while the application is being developed', () => {
  const addresses = ['http://localhost', 'http://127.0.0.1:3000', 'http://[::1]/app']
  const set = setOf(storedApplication('dev', addresses, { isDevelopment: true, origins: ['http://localhost'] }))
  for (const address of [
    'http://localhost/',
    'http://localhost:5173/x',
    'http://127.0.0.1:3000/',
    'http://[::1]:9/app',
  ])
    assert.equal(keyOf(set, address), 'dev', address)
  for (const address of [
    'https://localhost:5173/',
    'http://127.0.0.1:3001/',
    'http://[::1]:9/',
    'http://localhost.evil.test/',
  ])
    assert.equal(keyOf(set, address), undefined, address)
  assert.equal(set.ofOrigin('http://localhost:5173')?.key, 'dev')
  for (const origin of ['http://localhost:5173/', 'https://localhost:5173', 'http://evil.test:5173', 'null', ''])
    assert.equal(set.ofOrigin(origin), undefined, origin)
  assert.equal(keyOf(setOf(storedApplication('live', addresses)), 'http://localhost:5173/'), undefined)
})

test('an application that is disabled takes its addresses from a wider one, but not from the same one in the settings', () => {
  const shop = storedApplication('shop', ['https://example.com/shop'], { isEnabled: false })
  const whole = storedApplication('whole', ['https://example.com'])
  const allow = (declared: string[], ...stored: StoredApplication[]) => {
    const config = { PUBLIC_URL: 'https://id.test', FRONTEND_URL: 'https://id.test', ALLOWED_REDIRECTS: declared }
    const targets = { config, applications: { current: () => setOf(...stored) } }
    return allowedReturnAddress(targets, 'https://example.com/shop/1') !== undefined
  }
  assert.equal(allow([], shop, whole), false)
  assert.equal(allow(['https://example.com'], shop), false)
  assert.equal(allow(['https://example.com/shop'], shop), true)
  assert.equal(allow(['https://example.com/shop'], shop, whole), true)
  assert.equal(allow(['https://example.com/shop/1'], shop), true)
  assert.equal(allow([], { ...shop, isEnabled: true }), true)
})
