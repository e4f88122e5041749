import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { UserSourceOptions } from '../../src/import/sources/source.ts'
import { sourceNamed } from './read-fixture.ts'

const email = 'ada@example.com'

function read(name: string, row: Record<string, unknown>, options: UserSourceOptions = {}) {
  const mapped = sourceNamed(name).toRecord({ email, ...row }, options)
  assert.ok('record' in mapped, 'problem' in mapped ? mapped.problem : '')
  return mapped
}

describe('the user name from Better Auth', () => {
  const userName = (username: string, displayUsername: string) => read('better-auth', { username, displayUsername })

  test('is the name that the user signs in with, not the one that the user only displays', () => {
    assert.equal(userName('mallory', 'ada').record.user_name, 'mallory')
    const shown = userName('ada', 'Countess of Lovelace')
    assert.equal(shown.record.user_name, 'ada')
    assert.ok(!shown.lost.includes('user name'))
  })

  test('keeps the upper case of the displayed name if the names are otherwise equal', () => {
    assert.equal(userName('ada', 'Ada').record.user_name, 'Ada')
  })
})

test('a role that is kept is not reported as lost app metadata, but other members are', () => {
  const roles = { roles: 'editor=writer' }
  const rows: [string, (others: object) => Record<string, unknown>][] = [
    ['auth0', (others) => ({ app_metadata: { roles: ['editor'], ...others } })],
    ['supabase', (others) => ({ identities: [], raw_app_meta_data: { role: 'editor', ...others } })],
  ]
  for (const [name, row] of rows) {
    const kept = read(name, row({}), roles)
    assert.deepEqual([kept.record.user_type, kept.lost], ['writer', []])
    assert.deepEqual(read(name, row({ plan: 'pro' }), roles).lost, ['app metadata'])
  }
})

test('a role that is not text is reported with the other app metadata', () => {
  for (const roles of ['admin', [{ name: 'admin' }], { admin: true }])
    assert.deepEqual(read('auth0', { app_metadata: { roles } }).lost, ['app metadata'])
  for (const role of [['admin'], { name: 'admin' }, true])
    assert.deepEqual(read('supabase', { identities: [], raw_app_meta_data: { role } }).lost, ['app metadata'])
})

test('a deletion time that cannot be read does not restore the user', () => {
  for (const name of ['laravel', 'supabase']) {
    assert.equal(read(name, { deleted_at: '01/02/2025 10:00' }).record.deleted_at, '01/02/2025 10:00')
    assert.equal(read(name, { deleted_at: '0000-00-00 00:00:00' }).record.deleted_at, undefined)
    assert.equal(read(name, { deleted_at: '2025-02-01 10:00:00' }).record.deleted_at, '2025-02-01T10:00:00.000Z')
  }
})

test('a user of Better Auth without accounts has lost nothing, unless the file has no accounts at all', () => {
  assert.deepEqual(read('better-auth', { accounts: [] }).lost, [])
  assert.deepEqual(read('better-auth', {}).lost, ['accounts (not in the file)'])
})

test('a picture without TLS is reported as lost', () => {
  const rows = {
    auth0: { picture: 'http://example.com/ada.png' },
    supabase: { identities: [], raw_user_meta_data: { avatar_url: 'http://example.com/ada.png' } },
    'better-auth': { accounts: [], image: 'http://example.com/ada.png' },
    clerk: { primary_email_address: email, image_url: 'http://example.com/ada.png' },
    cognito: {
      Attributes: [
        { Name: 'email', Value: email },
        { Name: 'picture', Value: 'http://example.com/ada.png' },
      ],
    },
    firebase: { photoUrl: 'http://example.com/ada.png' },
  }
  for (const [name, row] of Object.entries(rows)) assert.ok(read(name, row).lost.includes('picture'), name)
})

test('a creation time that cannot be read is reported as lost', () => {
  const rows = {
    'better-auth': { accounts: [], createdAt: '2025-02-30 10:00:00' },
    firebase: { createdAt: 'abc' },
    wordpress: { user_email: email, user_registered: '2020-13-45 99:99:99' },
    laravel: { created_at: '20250101' },
  }
  for (const [name, row] of Object.entries(rows)) {
    const { record, lost } = read(name, row)
    assert.deepEqual([record.created_at, lost.includes('creation time')], [undefined, true], name)
  }
})

test('a language with an underscore is kept, and an invalid one does not reject the user', () => {
  const attributes = (...pairs: [string, string][]) => ({
    Attributes: [['email', email], ...pairs].map(([Name, Value]) => ({ Name, Value })),
  })
  const languages: [name: string, row: (lang: string) => Record<string, unknown>][] = [
    ['auth0', (locale) => ({ locale })],
    ['cognito', (locale) => attributes(['locale', locale])],
    ['keycloak', (locale) => ({ attributes: { locale: [locale] } })],
    ['laravel', (locale) => ({ locale })],
  ]
  for (const [name, row] of languages) {
    assert.equal(read(name, row('pt_BR')).record.lang, 'pt-BR', name)
    const invalid = read(name, row('my language'))
    assert.equal(invalid.record.lang, undefined)
    assert.ok(invalid.lost.includes('language'), name)
  }
  const zone = read('cognito', attributes(['zoneinfo', 'Mars/Olympus'], ['birthdate', '0000-12-10']))
  assert.deepEqual([zone.record.tmz, zone.record.dob], [undefined, undefined])
  assert.deepEqual(
    zone.lost.filter((part) => part === 'time zone' || part === 'date of birth'),
    ['date of birth', 'time zone'],
  )
})

test('a user whom Supabase has deleted is not imported, because the address has been replaced', () => {
  const row = { email: 'pNPpDGFbFvDkTlSqEjHyBW1RNBGcnnMQhEUaHVhE8bI', deleted_at: '2024-05-01T10:00:00+00:00' }
  assert.deepEqual(sourceNamed('supabase').toRecord(row, {}), { problem: 'a deleted user' })
})

describe('a user of Keycloak', () => {
  const otp = (data: Record<string, unknown>, value: string) => ({
    credentials: [
      {
        type: 'otp',
        secretData: JSON.stringify({ value }),
        credentialData: JSON.stringify({ subType: 'totp', digits: 6, period: 30, algorithm: 'HmacSHA1', ...data }),
      },
    ],
  })
  const seed = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'

  test('has authenticator seeds in the encoding that the credential names, in any case', () => {
    for (const secretEncoding of ['BASE32', 'base32'])
      assert.deepEqual(read('keycloak', otp({ secretEncoding }, seed)).record.totp, [{ secret: seed }])
    const other = read('keycloak', otp({ secretEncoding: 'BASE64' }, seed))
    assert.equal(other.record.totp, undefined)
    assert.ok(other.lost.includes('authenticators with other parameters'))
  })

  test('has the password in a user federation if the row links to one', () => {
    const part = 'password in a user federation'
    assert.ok(read('keycloak', { federationLink: 'a1b2' }).lost.includes(part))
    assert.ok(!read('keycloak', {}).lost.includes(part))
  })
})

describe('a user of Auth0', () => {
  test('in a file for a bulk import has an id without the prefix that Auth0 adds', () => {
    assert.equal(read('auth0', { user_id: '42' }).record.external_id, 'auth0|42')
    assert.equal(read('auth0', { user_id: 'sms|42' }).record.external_id, 'sms|42')
  })

  test('loses the factors besides the authenticator', () => {
    const totp = { totp: { secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP' } }
    assert.ok(!read('auth0', { mfa_factors: [totp] }).lost.includes('second factors'))
    const both = read('auth0', { mfa_factors: [{ phone: { value: '+447700900123' } }, totp] })
    assert.equal(both.record.totp?.length, 1)
    assert.ok(both.lost.includes('second factors'))
  })
})

describe('a user of WordPress', () => {
  const user = (row: Record<string, unknown>) => read('wordpress', { user_email: email, user_login: 'ada', ...row })

  test('has names in which WordPress has escaped three characters', () => {
    const { record } = user({ display_name: 'Ada &amp; &lt;3 &amp;lt;', first_name: 'A &gt; B', last_name: 'C&amp;D' })
    assert.deepEqual([record.display_name, record.name, record.last_name], ['Ada & <3 &lt;', 'A > B', 'C&D'])
  })

  test('is blocked if a network has marked the user as spam or as deleted', () => {
    for (const row of [{ spam: '1' }, { deleted: 1 }])
      assert.deepEqual(user(row).record.blocked, { reason: 'Blocked in WordPress before the import' })
    assert.equal(user({ spam: '0', deleted: '0' }).record.blocked, undefined)
  })
})

describe('an id', () => {
  const rows: [name: string, row: (id: unknown) => Record<string, unknown>][] = [
    ['auth0', (id) => ({ user_id: id, identities: [{ provider: 'github', user_id: id }] })],
    ['better-auth', (id) => ({ id, accounts: [{ providerId: 'github', accountId: id }] })],
    ['clerk', (id) => ({ id, primary_email_address: email })],
    [
      'cognito',
      (id) => ({
        Attributes: [
          { Name: 'sub', Value: id },
          { Name: 'email', Value: email },
        ],
      }),
    ],
    ['firebase', (id) => ({ localId: id, providerUserInfo: [{ providerId: 'github.com', rawId: id }] })],
    ['keycloak', (id) => ({ id, federatedIdentities: [{ identityProvider: 'github', userId: id }] })],
    ['laravel', (id) => ({ id })],
    ['supabase', (id) => ({ id, identities: [{ provider: 'github', provider_id: id }] })],
    ['wordpress', (id) => ({ ID: id, user_email: email })],
  ]
  for (const [name, row] of rows)
    test(`from ${name} is the same as a number and as text`, () => {
      const { record } = read(name, row(1700042))
      assert.deepEqual(record, read(name, row('1700042')).record)
      const ids = [record.external_id ?? '', ...(record.identities ?? []).map(({ subject }) => subject)]
      assert.ok(ids.length > 0)
      for (const id of ids.filter(Boolean)) assert.match(id, /^(auth0\|)?1700042$/)
    })
})
