import assert from 'node:assert/strict'
import { test } from 'node:test'
import { load, problemsOf } from './support.ts'

const fingerprint = Array.from({ length: 32 }, (_, index) => index.toString(16).padStart(2, '0')).join(':')
const fingerprintHash = 'AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8'

test('passkeys belong to the host of PUBLIC_URL, and work on our pages and on those of the front end', () => {
  const config = load({ PUBLIC_URL: 'https://id.example.com/base', FRONTEND_URL: 'https://app.example.com' })
  assert.equal(config.WEBAUTHN_RP_ID, 'id.example.com')
  assert.deepEqual(config.WEBAUTHN_ORIGINS, ['https://id.example.com', 'https://app.example.com'])
  assert.deepEqual([load().WEBAUTHN_RP_ID, load().WEBAUTHN_ORIGINS], ['localhost', ['http://localhost:3000']])
})

test('a domain above the hosts is a good place for passkeys, and apps are named by their key', () => {
  const app = 'android:apk-key-hash:sYUC8p5I9SxqFernBPHmDxz_YVZXmVJdW8s-m3RTTqE'
  const environment = {
    PUBLIC_URL: 'https://id.example.com',
    WEBAUTHN_RP_ID: 'example.com',
    WEBAUTHN_ORIGINS: `https://shop.example.com, ${app}`,
  }
  assert.deepEqual(load(environment).WEBAUTHN_ORIGINS, ['https://shop.example.com', app])
})

test('related origins and the keys of Android apps are accepted as well', () => {
  const environment = {
    PUBLIC_URL: 'https://id.example.com',
    PASSKEY_RELATED_ORIGINS: 'https://example.org, https://www.example.de:8443',
    PASSKEY_ANDROID_APPS: `com.example.app=${fingerprint}, com.example.other=${fingerprint}`,
  }
  const added = ['https://example.org', 'https://www.example.de:8443', `android:apk-key-hash:${fingerprintHash}`]
  assert.deepEqual(load(environment).WEBAUTHN_ORIGINS, ['https://id.example.com', ...added])
  const own = { ...environment, WEBAUTHN_ORIGINS: 'https://www.id.example.com' }
  assert.deepEqual(load(own).WEBAUTHN_ORIGINS, ['https://www.id.example.com', ...added])
})

test('apps of Apple send the domain of the passkeys as their origin', () => {
  const environment = {
    PUBLIC_URL: 'https://id.example.com',
    WEBAUTHN_RP_ID: 'example.com',
    PASSKEY_APPLE_APPS: 'ABCDE12345.com.example.app',
  }
  assert.deepEqual(load(environment).WEBAUTHN_ORIGINS, ['https://id.example.com', 'https://example.com'])
})

test('a service that moved to another domain keeps the passkeys of the former one', () => {
  const environment = {
    PUBLIC_URL: 'https://id.example.org',
    WEBAUTHN_RP_ID: 'id.example.com',
    PASSKEY_RELATED_ORIGINS: 'https://id.example.org',
  }
  assert.equal(load(environment).WEBAUTHN_RP_ID, 'id.example.com')
  assert.deepEqual(load(environment).WEBAUTHN_ORIGINS, ['https://id.example.org'])
})

test('related origins on five names are accepted, however many suffixes and subdomains the names have', () => {
  const origins = ['example.com', 'a.example.co.uk', 'example.de', 'b.test', 'c.test', 'd.test', 'me.github.io']
  const related = origins.map((host) => `https://${host}`).join()
  assert.deepEqual(problemsOf({ PUBLIC_URL: 'https://id.example.com', PASSKEY_RELATED_ORIGINS: related }), [])
})

test('a host name without a dot can have passkeys, because browsers accept their own host', () => {
  assert.deepEqual(problemsOf({ PUBLIC_URL: 'https://intranet', WEBAUTHN_RP_ID: 'intranet' }), [])
})

const wrong: [environment: Record<string, string>, problem: RegExp][] = [
  [{ WEBAUTHN_ORIGINS: 'https://evil.test' }, /WEBAUTHN_ORIGINS .* https:\/\/evil\.test is not/],
  [{ WEBAUTHN_ORIGINS: 'https://evilexample.com' }, /evilexample/],
  [{ WEBAUTHN_ORIGINS: 'http://example.com' }, /must be https pages/],
  [{ WEBAUTHN_ORIGINS: '*' }, /neither an origin nor an app/],
  [{ WEBAUTHN_RP_ID: 'other.test' }, /WEBAUTHN_RP_ID must be the host/],
  [
    { PUBLIC_URL: 'https://example.co.uk', WEBAUTHN_RP_ID: 'co.uk' },
    /WEBAUTHN_RP_ID must not be co\.uk, a public suffix/,
  ],
  [{ PUBLIC_URL: 'https://me.github.io', WEBAUTHN_RP_ID: 'github.io' }, /must not be github\.io, a public suffix/],
  [{ WEBAUTHN_RP_ID: 'com', PASSKEY_APPLE_APPS: 'ABCDE12345.com.example.app' }, /must not be com, a public suffix/],
  [{ WEBAUTHN_RP_ID: 'com', WEBAUTHN_ORIGINS: 'https://example.com' }, /must not be com, a public suffix/],
  [{ WEBAUTHN_RP_ID: 'https://example.com' }, /must be a domain/],
  [{ WEBAUTHN_RP_ID: '127.0.0.1' }, /must be a domain/],
  [{ PASSKEY_RELATED_ORIGINS: 'http://example.org' }, /"http:\/\/example\.org" is not an https origin/],
  [{ PASSKEY_RELATED_ORIGINS: 'https://example.org/page' }, /is not an https origin/],
  [{ PASSKEY_RELATED_ORIGINS: 'https://10.0.0.1' }, /registered domains: https:\/\/10\.0\.0\.1 is not/],
  [{ PASSKEY_RELATED_ORIGINS: 'https://co.uk' }, /registered domains: https:\/\/co\.uk is not/],
  [
    { PASSKEY_RELATED_ORIGINS: ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `https://${name}.test`).join() },
    /at most 5 different names/,
  ],
  [{ PASSKEY_ANDROID_APPS: 'com.example.app' }, /is not an app with the SHA-256 fingerprint/],
  [{ PASSKEY_ANDROID_APPS: `app=${fingerprint}` }, /is not an app/],
  [{ PASSKEY_ANDROID_APPS: `com.example.app=${fingerprint.slice(3)}` }, /is not an app/],
  [{ PASSKEY_ANDROID_APPS: `com.example.app=${fingerprint.replaceAll(':', '')}` }, /is not an app/],
  [{ PASSKEY_APPLE_APPS: 'com.example.app' }, /is not a team id with a bundle id/],
]
for (const [environment, problem] of wrong) {
  test(`${Object.entries(environment).join()} is refused at the start`, () => {
    assert.match(problemsOf({ PUBLIC_URL: 'https://example.com', ...environment }).join('\n'), problem)
  })
}
