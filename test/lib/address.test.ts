import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { addressKey, canonicalAddress, isLoopback, isRange, trustedPeers } from '../../src/lib/address.ts'

/** An IPv6 address as eight numbers, and several ways to write it. */
const group = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 0xffff }))
const groups = fc.tuple(group, group, group, group, group, group, group, group)
const plain = (eight: number[]): string => eight.map((one) => one.toString(16)).join(':')
const padded = (eight: number[]): string =>
  eight.map((one) => one.toString(16).padStart(4, '0').toUpperCase()).join(':')
const isMapped = (eight: number[]): boolean => eight.slice(0, 5).every((one) => one === 0) && eight[5] === 0xffff

test('every spelling of an address has one canonical form, which stays as it is', () => {
  fc.assert(
    fc.property(groups, (eight) => {
      const canonical = canonicalAddress(plain(eight))
      assert.ok(canonical)
      assert.equal(canonicalAddress(padded(eight)), canonical)
      assert.equal(canonicalAddress(`${plain(eight)}%eth0`), canonical)
      assert.equal(canonicalAddress(canonical), canonical)
    }),
  )
})

test('an IPv4 address inside IPv6 is that IPv4 address', () => {
  fc.assert(
    fc.property(fc.ipV4(), (address) => {
      const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number)
      const hex = `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`
      for (const written of [
        address,
        `::ffff:${address}`,
        `::FFFF:${hex}`,
        `0:0:0:0:0:ffff:${address}`,
        `::ffff:${hex}%1`,
      ]) {
        assert.equal(canonicalAddress(written), address, written)
        assert.equal(addressKey(canonicalAddress(written) ?? ''), address, written)
      }
    }),
  )
})

test('two IPv6 addresses count as one exactly when they share their first 64 bits', () => {
  const key = (eight: number[]): string => addressKey(canonicalAddress(plain(eight)) ?? '')
  fc.assert(
    fc.property(groups, groups, fc.boolean(), (left, right, sameNetwork) => {
      fc.pre(!isMapped(left) && !isMapped(right))
      const other = sameNetwork ? [...left.slice(0, 4), ...right.slice(4)] : right
      fc.pre(!isMapped(other))
      assert.equal(key(left) === key(other), left.slice(0, 4).join() === other.slice(0, 4).join())
    }),
  )
})

test('invalid addresses give undefined and never throw', () => {
  for (const text of [
    '',
    ' ',
    'localhost',
    '1.2.3',
    '1.2.3.4.5',
    '01.2.3.4',
    '256.1.1.1',
    '0x7f.0.0.1',
    '2130706433',
    '[::1]',
    ':::',
    '1::2::3',
    '::ffff:1.2.3.256',
    '１.2.3.4',
    '1.2.3.4 ',
  ]) {
    assert.equal(canonicalAddress(text), undefined, text)
  }
  fc.assert(
    fc.property(fc.string(), (text) => {
      canonicalAddress(text)
      addressKey(text)
      isRange(text)
      isLoopback(text)
    }),
  )
})

test('ranges are CIDR notation of either family', () => {
  for (const text of ['10.0.0.0/8', '192.0.2.1', '192.0.2.1/32', '0.0.0.0/0', 'fd00::/8', '::1', '2001:db8::/128'])
    assert.ok(isRange(text), text)
  for (const text of [
    '',
    '/8',
    '10.0.0.0/',
    '10.0.0.0/33',
    '10.0.0.0/-1',
    '10.0.0.0/8.5',
    '10.0.0.0/8/8',
    'fd00::/129',
    '10.0.0/8',
    'proxy',
    '10.0.0.0 /8',
    '*',
  ]) {
    assert.ok(!isRange(text), text)
  }
})

test('a peer is trusted when a range holds it, and nobody is without one', () => {
  const isTrusted = trustedPeers(['10.0.0.0/8', '192.0.2.1', 'fd00::/8'])
  for (const address of ['10.0.0.0', '10.255.255.255', '192.0.2.1', 'fd12::1']) assert.ok(isTrusted(address), address)
  for (const address of ['9.255.255.255', '11.0.0.0', '192.0.2.2', 'fe00::1', '::1', '', 'unknown'])
    assert.ok(!isTrusted(address), address)
  for (const address of ['127.0.0.1', '10.0.0.1', '::1', 'unknown']) assert.ok(!trustedPeers([])(address), address)
})

test('loopback is this machine in either family', () => {
  for (const address of ['127.0.0.1', '127.255.0.9', '::1', '::ffff:127.0.0.1']) assert.ok(isLoopback(address), address)
  for (const address of ['128.0.0.1', '0.0.0.0', '10.0.0.1', '::', '::2', '::ffff:128.0.0.1', 'localhost', ''])
    assert.ok(!isLoopback(address), address)
})
