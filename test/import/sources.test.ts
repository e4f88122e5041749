import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { createMetrics } from '../../src/adapters/metrics/prometheus.ts'
import type { Mapped } from '../../src/import/sources/source.ts'
import { AppError } from '../../src/lib/errors.ts'
import { createHasher } from '../../src/passwords/hash.ts'
import { person } from '../support/people.ts'
import { expected } from './expected.ts'
import { fixtureOptions, fixtureRows, mapFixture, otherSystems, sourceNamed } from './read-fixture.ts'

const password = person('ada').password
const hasher = createHasher(
  { ARGON2_MEMORY_KIB: 8192, ARGON2_TIME: 1, ARGON2_PARALLELISM: 1, HASH_CONCURRENCY: 2, HASH_QUEUE: 64, PEPPERS: [] },
  await createMetrics(),
)

const hashOf = (mapped: Mapped | undefined) =>
  mapped && 'record' in mapped ? (mapped.record.password_hash ?? undefined) : undefined
const recordOf = (mapped: Mapped | undefined) => (mapped && 'record' in mapped ? mapped.record : undefined)
const lostOf = (mapped: Mapped | undefined) => (mapped && 'lost' in mapped ? mapped.lost : [])

/** A source may throw the errors of the JSON parser, which the import reports as a problem of the row. */
function mapRow(map: () => Mapped): Mapped {
  try {
    return map()
  } catch (error) {
    if (error instanceof AppError && error.details) return { problem: error.message }
    throw error
  }
}

describe('the export of', () => {
  for (const { name, title } of otherSystems) {
    test(`${title} is mapped to the own format`, () => {
      const found = mapFixture(name).map((mapped) => {
        if (!('record' in mapped)) return { problem: mapped.problem }
        const { password_hash, ...record } = mapped.record
        return { record, lost: mapped.lost }
      })
      assert.deepEqual(found, expected[name])
    })
  }

  for (const { name, title } of otherSystems.filter(({ name }) => name !== 'cognito')) {
    test(`${title} contains hashes that match the old password`, async () => {
      const hashes = mapFixture(name).flatMap((mapped) => hashOf(mapped) ?? [])
      assert.ok(hashes.length > 0)
      for (const text of hashes) {
        const stored = await hasher.importHash(text)
        assert.equal(await hasher.verify(stored, password), true)
        assert.equal(await hasher.verify(stored, `${password}!`), false)
      }
    })
  }
})

describe('a source', () => {
  const roles = [
    ['auth0', { app_metadata: { roles: ['admin', 'superadmin'] } }],
    ['supabase', { raw_app_meta_data: { role: 'superadmin' } }],
    ['keycloak', { realmRoles: ['admin', 'superadmin'] }],
    ['better-auth', { role: 'admin,superadmin' }],
    ['wordpress', { user_email: 'ada@example.com', roles: 'admin' }],
    ['laravel', { role: 'superadmin' }],
  ] as const
  for (const [name, members] of roles) {
    test(`keeps no role of ${name} that the option does not list`, () => {
      const { toRecord } = sourceNamed(name)
      const row = { email: 'ada@example.com', ...members }
      const mapped = toRecord(row, {})
      assert.equal(recordOf(mapped)?.user_type, undefined)
      assert.ok(lostOf(mapped).includes('roles'))
      const listed = toRecord(row, { roles: 'other=support,admin=writer,superadmin=writer' })
      assert.equal(recordOf(listed)?.user_type, 'writer')
    })
  }

  const protectedMembers: [name: string, row: Record<string, unknown>][] = [
    ['auth0', { app_metadata: { plan: 'pro', seats: 3 } }],
    ['firebase', { customAttributes: '{"plan":"pro","seats":3}' }],
    ['supabase', { raw_app_meta_data: { plan: 'pro', seats: 3 } }],
    [
      'cognito',
      { Attributes: [pair('email', 'ada@example.com'), pair('custom:plan', 'pro'), pair('custom:seats', 3)] },
    ],
    ['keycloak', { attributes: { plan: ['pro'], seats: [3] } }],
    ['clerk', { primary_email_address: 'ada@example.com', private_metadata: { plan: 'pro', seats: 3 } }],
  ]
  for (const [name, members] of protectedMembers) {
    test(`copies protected members of ${name} to the editable metadata only on request`, () => {
      const { toRecord } = sourceNamed(name)
      const row = { email: 'ada@example.com', ...members }
      assert.equal(recordOf(toRecord(row, {}))?.metadata, undefined)
      assert.equal(lostOf(toRecord(row, {})).length > 0, true)
      assert.deepEqual(recordOf(toRecord(row, { metadata: 'plan, other' }))?.metadata, { plan: 'pro' })
    })
  }

  test('of Firebase reports passwords as lost without the signer key or with a different one', () => {
    const [row] = fixtureRows('firebase')
    const { toRecord } = sourceNamed('firebase')
    for (const options of [{}, { ...fixtureOptions.firebase, 'signer-key': Buffer.alloc(32).toString('base64') }]) {
      const mapped = toRecord(row, options)
      assert.equal(hashOf(mapped), undefined)
      assert.ok(lostOf(mapped).some((part) => part.startsWith('password')))
    }
  })

  test('keeps a ban that has no end or an end that cannot be read', () => {
    for (const banned_until of ['infinity', 'soon', '292277-01-09 04:00:54+00']) {
      const mapped = sourceNamed('supabase').toRecord({ email: 'ada@example.com', banned_until }, {})
      assert.deepEqual(recordOf(mapped)?.blocked, { reason: 'Blocked in Supabase before the import' })
    }
  })

  test('reports columns that it does not know, and never reads a column of passwords', () => {
    const mapped = sourceNamed('csv').toRecord({ email: 'ada@example.com', password: 'plain', Shoe: '39' }, {})
    assert.ok('record' in mapped)
    const { record, lost } = mapped
    assert.deepEqual([record, lost], [{ email: 'ada@example.com' }, ['column password', 'column Shoe']])
  })

  test('returns a record or a problem for any row, and changes no prototype', () => {
    const keys = fc.constantFrom(
      ...['email', 'user_email', 'id', 'identities', 'accounts', 'credentials', 'Attributes', 'metadata', 'created_at'],
      ...['app_metadata', 'user_metadata', 'custom_password_hash', 'customAttributes', '__proto__', 'constructor'],
      ...['email_verified', 'roles', 'verified_email_addresses', 'primary_email_address', 'raw_user_meta_data'],
    )
    const rows = fc.oneof(fc.anything(), fc.dictionary(keys, fc.oneof(fc.anything(), fc.json(), fc.string())))
    fc.assert(
      fc.property(rows, (row) => {
        for (const { toRecord } of otherSystems) {
          const mapped = mapRow(() => toRecord(row, { metadata: '__proto__,constructor', roles: '__proto__=admin' }))
          assert.ok('problem' in mapped || typeof mapped.record.email === 'string')
        }
        assert.deepEqual(Object.keys(Object.prototype), [])
      }),
    )
  })

  test('names no value of the row in what is lost', () => {
    for (const { name } of otherSystems)
      for (const lost of mapFixture(name).map(lostOf))
        assert.doesNotMatch(lost.join(), /example\.com|pro\b|\$2|Ada|editor/, name)
  })
})

function pair(Name: string, Value: unknown) {
  return { Name, Value }
}
