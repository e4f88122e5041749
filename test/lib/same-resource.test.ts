import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { sameResource as sameInPackage } from '../../packages/server/src/same-resource.ts'
import { sameResource } from '../../src/lib/same-resource.ts'

const equal: [string, string][] = [
  ['https://api.example.com', 'https://api.example.com/'],
  ['https://api.example.com', 'HTTPS://API.Example.com:443'],
  ['https://api.example.com/v1?a=B', 'https://API.example.com:443/v1?a=B'],
  ['https://api.example.com?a', 'https://api.example.com/?a'],
  ['URN:example:api', 'urn:example:api'],
  ['https://[::1]:443', 'https://[::1]/'],
]
for (const [one, other] of equal)
  test(`${one} is the same resource as ${other}`, () => assert.equal(sameResource(one), sameResource(other)))

const different: [string, string][] = [
  ['urn:example:one', 'urn:example:two'],
  ['https:api.example.com/one', 'https://api.example.com/'],
  ['https://api.example.com\\one', 'https://api.example.com'],
  ['https://user@api.example.com', 'https://api.example.com'],
  ['https://api.exam\tple.com', 'https://api.example.com'],
  ['https://%61pi.example.com', 'https://api.example.com'],
  ['https://api\uff0eexample.com', 'https://api.example.com'],
  ['https://api.exam\u00adple.com', 'https://api.example.com'],
  ['https://api.example.com:0443', 'https://api.example.com'],
  ['https://api.example.com.', 'https://api.example.com'],
  ['https://api.example.com/v1', 'https://api.example.com/V1'],
  ['https://api.example.com/v1', 'https://api.example.com/v1/'],
  ['https://api.example.com', 'http://api.example.com'],
  ['https://api.example.com', 'https://api.example.com:8443'],
]
for (const [one, other] of different)
  test(`${JSON.stringify(one)} is another resource than ${other}`, () =>
    assert.notEqual(sameResource(one), sameResource(other)))

test('the package compares like the service', () => {
  const part = fc.constantFrom(
    'https',
    'urn',
    ':',
    '//',
    '/',
    'A',
    'b.c',
    '@',
    '?',
    '#',
    '\\',
    ' ',
    '\t',
    ':443',
    '%41',
    'ä',
    '[::1]',
  )
  fc.assert(
    fc.property(fc.array(part, { maxLength: 8 }), (parts) =>
      assert.equal(sameInPackage(parts.join('')), sameResource(parts.join(''))),
    ),
    { numRuns: 2_000 },
  )
})
