import assert from 'node:assert/strict'
import { test } from 'node:test'
import { load, problemsOf } from './support.ts'

test('passkeys belong to the host of the front end, and work on its pages and our own', () => {
  const config = load({ PUBLIC_URL: 'https://id.example.com/base', FRONTEND_URL: 'https://app.example.com' })
  assert.equal(config.WEBAUTHN_RP_ID, 'app.example.com')
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

const wrong: [environment: Record<string, string>, problem: RegExp][] = [
  [{ WEBAUTHN_ORIGINS: 'https://evil.test' }, /WEBAUTHN_ORIGINS .* https:\/\/evil\.test is not/],
  [{ WEBAUTHN_ORIGINS: 'https://evilexample.com' }, /evilexample/],
  [{ WEBAUTHN_ORIGINS: 'http://example.com' }, /must be https pages/],
  [{ WEBAUTHN_ORIGINS: '*' }, /neither an origin nor an app/],
  [{ WEBAUTHN_RP_ID: 'other.test' }, /WEBAUTHN_RP_ID must be the host/],
  [{ WEBAUTHN_RP_ID: 'https://example.com' }, /must be a domain/],
  [{ WEBAUTHN_RP_ID: '127.0.0.1' }, /must be a domain/],
  [{ TWO_FACTOR_REQUIRED_FOR: 'admin,superadmn' }, /names superadmn: not a user type/],
  [{ TWO_FACTOR_REMEMBER: '91d' }, /TWO_FACTOR_REMEMBER must be a duration from 0s to 90d/],
]
for (const [environment, problem] of wrong) {
  test(`${Object.entries(environment).join()} is refused at the start`, () => {
    assert.match(problemsOf({ PUBLIC_URL: 'https://example.com', ...environment }).join('\n'), problem)
  })
}

test('user types of this installation can be required to have a second factor', () => {
  const { TWO_FACTOR_REQUIRED_FOR } = load({ TWO_FACTOR_REQUIRED_FOR: 'admin, editor', USER_TYPES: 'editor' })
  assert.deepEqual(TWO_FACTOR_REQUIRED_FOR, ['admin', 'editor'])
})
