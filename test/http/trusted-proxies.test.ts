import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { clientAddress } from '../../src/http/access/trusted-proxies.ts'

type Request = Parameters<ReturnType<typeof clientAddress>>[0]

const from = (remoteAddress: string | undefined, forwarded?: string | string[]): Request =>
  ({
    socket: { remoteAddress },
    headers: { ...(forwarded !== undefined && { 'x-forwarded-for': forwarded }) },
  }) as Request

const trusted = fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255)).map((rest) => `10.${rest.join('.')}`)
const untrusted = fc.ipV4().filter((address) => !address.startsWith('10.'))
const anything = fc.oneof(
  fc.ipV4(),
  fc.ipV6(),
  fc.string(),
  fc.constantFrom('unknown', '', 'for=1.2.3.4', '10.0.0.1:80'),
)

test('whatever a client puts before it, the right-most address that no proxy holds is the client', () => {
  const addressOf = clientAddress(['10.0.0.0/8'])
  fc.assert(
    fc.property(fc.array(anything), untrusted, fc.array(trusted), trusted, (before, client, proxies, peer) => {
      const hops = [...before.map((hop) => hop.replaceAll(',', '')), client, ...proxies]
      assert.equal(addressOf(from(peer, hops.join(', '))), client)
    }),
  )
})

test('a peer that is no proxy is the client, whatever it says', () => {
  const addressOf = clientAddress(['10.0.0.0/8'])
  fc.assert(
    fc.property(untrusted, fc.array(anything), (peer, hops) =>
      assert.equal(addressOf(from(peer, hops.join(','))), peer),
    ),
  )
  fc.assert(fc.property(fc.ipV4(), anything, (peer, hop) => assert.equal(clientAddress([])(from(peer, hop)), peer)))
})

test('what is no address belongs to the hop that reported it', () => {
  const addressOf = clientAddress(['10.0.0.0/8', 'fd00::/8'])
  for (const [forwarded, client] of [
    [undefined, '10.0.0.1'],
    ['', '10.0.0.1'],
    ['nonsense', '10.0.0.1'],
    ['198.51.100.1, nonsense, 10.0.0.7', '10.0.0.7'],
    ['10.0.0.9, 10.0.0.8', '10.0.0.9'],
    ['198.51.100.1:4711', '198.51.100.1'],
    ['[2001:db8::1]:4711', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['2001:DB8:0::1', '2001:db8::1'],
    ['::ffff:198.51.100.1, fd00::1', '198.51.100.1'],
    ['198.51.100.1,', '10.0.0.1'],
  ] as const) {
    assert.equal(addressOf(from('10.0.0.1', forwarded)), client, String(forwarded))
    assert.equal(addressOf(from('::ffff:10.0.0.1', forwarded)), client, String(forwarded))
  }
})

test('a socket that is gone has no address, and is trusted by nobody', () => {
  assert.equal(clientAddress(['10.0.0.0/8'])(from(undefined, '198.51.100.1')), 'unknown')
})
