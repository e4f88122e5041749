import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWardenry, type WardenryOptions } from '../../../packages/server/src/index.ts'
import { appUrl, bridgeSecret, browserRequest, serviceUrl } from './support.ts'

const right: WardenryOptions = { url: serviceUrl, bridgeSecret, appUrl }

const wrong: [options: Partial<Record<keyof WardenryOptions, unknown>>, complaint: RegExp][] = [
  [{ url: undefined }, /url must be an http or https URL/],
  [{ url: 'id.example.com' }, /url must be/],
  [{ url: 'https://id.example.com/base' }, /url must not have a path/],
  [{ url: 'https://user@id.example.com' }, /url must not/],
  [{ appUrl: 'javascript:alert(1)' }, /appUrl must be/],
  [{ internalUrl: 'wardenry:3000' }, /internalUrl must be/],
  [{ bridgeSecret: '' }, /bridgeSecret is missing/],
  [{ bridgeSecret: undefined }, /bridgeSecret is missing/],
  [{ cookieName: 'session_id' }, /must not be session_id/],
  [{ cookieName: 'a; Domain=evil' }, /cookie names/],
  [{ paths: { callback: 'https://evil.example' } }, /paths.callback/],
  [{ trustedOrigins: ['*'] }, /trustedOrigins/],
  [{ maxSessions: -1 }, /maxSessions/],
  [{ maxSessions: Number.NaN }, /maxSessions/],
  [{ session: 'both' }, /session must be/],
]
for (const [options, complaint] of wrong) {
  test(`refuses to start with ${JSON.stringify(options)}`, () => {
    assert.throws(() => createWardenry({ ...right, ...options } as WardenryOptions), complaint)
  })
}

test('names every problem at once', () => {
  assert.throws(() => createWardenry({ url: '', bridgeSecret: '' }), /url must be .*; bridgeSecret is missing/)
})

test('does not print the secret in its complaints', () => {
  assert.throws(
    () => createWardenry({ ...right, url: 'x' }),
    ({ message }: Error) => !message.includes(bridgeSecret),
  )
})

test('says what is missing when people cannot be sent to sign in', () => {
  const wardenry = createWardenry({ url: serviceUrl, bridgeSecret })
  assert.throws(() => wardenry.signIn(browserRequest('/')), /appUrl is missing/)
})
