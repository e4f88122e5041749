import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { DatabaseAddressError, readDatabaseAddress } from '../../src/config/database-address.ts'
import { problemsOf } from './support.ts'

const hostsOf = (address: string) => readDatabaseAddress(address).hosts.map(({ host, port }) => `${host} ${port}`)

test('reads a list of hosts as libpq does', () => {
  assert.deepEqual(hostsOf('postgres://ada:pw@a:5433,b:5434/db'), ['a 5433', 'b 5434'])
  assert.deepEqual(hostsOf('postgresql://a,b:5433/db'), ['a 5432', 'b 5433'])
  assert.deepEqual(hostsOf('postgres://ada@[::1]:5433,[fe80::2]/db'), ['::1 5433', 'fe80::2 5432'])
  assert.deepEqual(hostsOf('postgres://a,b/db?port=5433,5434'), ['a 5433', 'b 5434'])
  assert.deepEqual(hostsOf('postgres://a,b/db?port=5433'), ['a 5433', 'b 5433'])
  assert.deepEqual(hostsOf('postgres:///db?host=a,b&port=5433,5434'), ['a 5433', 'b 5434'])
  assert.deepEqual(hostsOf('postgres://ada@/db?host=/run/postgresql'), ['/run/postgresql 5432'])
  assert.deepEqual(hostsOf('postgres://%2Frun%2Fpostgresql,b/db'), ['/run/postgresql 5432', 'b 5432'])
  assert.deepEqual(hostsOf('postgres://ada:a,b@c@d:5433,e/db'), ['d 5433', 'e 5432'])
})

test('reads the parameters of the search', () => {
  const read = readDatabaseAddress('postgres://a,b/wardenry?target_session_attrs=read-write&connect_timeout=5')
  assert.deepEqual([read.target, read.connectTimeoutMs, read.database], ['read-write', 5_000, 'wardenry'])
  const plain = readDatabaseAddress('postgres://a/wardenry?connect_timeout=0')
  assert.deepEqual([plain.target, plain.connectTimeoutMs], ['any', undefined])
})

test('gives the driver an address with one host and all parameters that concern it', () => {
  const parameters = 'sslmode=verify-full&sslrootcert=/etc/ca.pem&target_session_attrs=primary'
  const one = `postgres://ada:p%2Fw@a:5433/db?${parameters}`
  assert.equal(readDatabaseAddress(one).url, one)
  assert.equal(readDatabaseAddress(one.replace('a:5433', 'a:5433,b')).url, one)
  assert.equal(readDatabaseAddress(`postgres://ada:p%2Fw@/db?host=a,b&${parameters}&port=5433`).url, one)
  assert.equal(readDatabaseAddress('postgres://localhost').url, 'postgres://localhost')
})

test('gives the driver the one mode of TLS that it knows, without a warning', () => {
  const written = (query: string) => readDatabaseAddress(`postgres://ada:pw@a:5433/db?${query}`).url.split('?')[1]
  for (const mode of ['allow', 'prefer', 'require', 'verify-ca', 'verify-full'])
    assert.equal(written(`sslmode=${mode}`), 'sslmode=verify-full', mode)
  assert.equal(written('sslmode=require&sslrootcert=/etc/ca.pem'), 'sslmode=verify-full&sslrootcert=%2Fetc%2Fca.pem')
  for (const query of ['sslrootcert=system', 'sslmode=verify-full&sslrootcert=system'])
    assert.equal(written(query), 'sslmode=verify-full')
  for (const query of [
    'sslmode=disable',
    'sslmode=no-verify',
    'uselibpqcompat=true&sslmode=require',
    'sslrootcert=/ca',
  ])
    assert.equal(written(query), query)
  const many = readDatabaseAddress('postgres://a,b/db?sslmode=require&target_session_attrs=primary').url
  assert.equal(many, 'postgres://a:5432/db?target_session_attrs=primary&sslmode=verify-full')
})

test('names the part that is wrong, and never shows the password', () => {
  const wrong: [string, RegExp][] = [
    ['postgres://ada:tiger-moths@a:5432,:5433/db', /has no name for host 2/],
    ['postgres://ada:tiger-moths@a:5432,b:70000/db', /has an invalid port for host 2: ports are 1 to 65535/],
    ['postgres://ada:tiger-moths@a,b/db?port=1,2,3', /has 2 hosts and 3 ports/],
    ['postgres://ada:tiger-moths@a,::1/db', /has an invalid host 2: an IPv6 address needs brackets/],
    ['postgres://ada:tiger-moths@a,b%zz/db', /has an invalid host 2: a % must be followed/],
    ['postgres://ada:tiger/moths@a,b/db', /If the password contains/],
    ['postgres://ada:tiger#moths@a/db', /must have the form postgres:/],
    ['postgres://ada:tiger-moths@a,b/db?target_session_attrs=standby', /has an unsupported target_session_attrs/],
    ['postgres://ada:tiger-moths@a,b/db?target_session_attrs=', /has an unsupported target_session_attrs/],
    ['postgres://ada:tiger-moths@a,b/db?connect_timeout=soon', /has an invalid connect_timeout/],
    ['postgres://ada:tiger-moths@a/db?sslmode=verify_full', /has an unsupported sslmode: use verify-full/],
    ['postgres://ada:tiger-moths@a/db?sslmode=', /has an unsupported sslmode/],
    ['mysql://ada:tiger-moths@a/db', /must begin with postgres:\/\/ or postgresql:\/\//],
  ]
  for (const [DATABASE_URL, message] of wrong) {
    const problems = problemsOf({ DATABASE_URL }).filter((problem) => problem.startsWith('DATABASE_URL'))
    assert.equal(problems.length, 1, DATABASE_URL)
    assert.match(problems[0]!, message)
    assert.doesNotMatch(problems.join(), /tiger|moths/)
  }
})

test('any text is either read or refused with a sentence', () => {
  const text = fc.array(fc.constantFrom('a', ',', ':', '@', '/', '?', '#', '%', '[', ']', '54', 'host=', 'port='))
  const property = fc.property(text, (parts) => {
    try {
      const { hosts, url } = readDatabaseAddress(`postgres://${parts.join('')}`)
      assert.ok(hosts.length > 0 && URL.canParse(url))
    } catch (error) {
      assert.ok(error instanceof DatabaseAddressError, String(error))
    }
  })
  fc.assert(property, { numRuns: 2_000 })
})
