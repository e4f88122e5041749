import assert from 'node:assert/strict'
import { createCipheriv, createHash, pbkdf2Sync, scryptSync } from 'node:crypto'
import { describe, test } from 'node:test'
import { hash as bcrypt } from '@node-rs/bcrypt'
import { createMetrics } from '../../src/adapters/metrics/prometheus.ts'
import { createHasher } from '../../src/passwords/hash.ts'
import { person } from '../support/people.ts'
import { sourceNamed } from './read-fixture.ts'

const { password } = person('ada')
const hasher = createHasher(
  { ARGON2_MEMORY_KIB: 8192, ARGON2_TIME: 1, ARGON2_PARALLELISM: 1, HASH_CONCURRENCY: 2, HASH_QUEUE: 64, PEPPERS: [] },
  await createMetrics(),
)

function read(name: string, row: Record<string, unknown>) {
  const mapped = sourceNamed(name).toRecord({ email: 'ada@example.com', ...row }, {})
  assert.ok('record' in mapped)
  return { hash: mapped.record.password_hash, lost: mapped.lost }
}

async function assertMatches(text: string | null | undefined) {
  assert.ok(text)
  const stored = await hasher.importHash(text)
  assert.equal(await hasher.verify(stored, password), true)
  assert.equal(await hasher.verify(stored, `${password}!`), false)
}

const salt = Buffer.from('a salt of bytes\xff', 'latin1')
const derived = (digest: string, key: string | Buffer, length: number) =>
  pbkdf2Sync(password, key, 5000, length, digest)

const signerKey = Buffer.alloc(64, 7)
const separator = Buffer.from([7])
const firebase = (() => {
  const key = scryptSync(password, Buffer.concat([salt, separator]), 32, { N: 2 ** 14, r: 8, p: 1 })
  return createCipheriv('aes-256-ctr', key, Buffer.alloc(16)).update(signerKey).toString('base64')
})()

describe('a digest of Clerk', () => {
  const clerk = (password_hasher: string, password_digest: string) =>
    read('clerk', { primary_email_address: 'ada@example.com', password_digest, password_hasher })

  const digests: Record<string, string> = {
    pbkdf2_sha256: `pbkdf2_sha256$5000$${salt.toString('base64')}$${derived('sha256', salt, 32).toString('base64')}`,
    pbkdf2_sha256_django: `pbkdf2_sha256$5000$c2FsdA$${derived('sha256', 'c2FsdA', 32).toString('base64')}`,
    pbkdf2_sha512: `pbkdf2_sha512$5000$c2FsdA$${derived('sha512', 'c2FsdA', 64).toString('hex')}`,
    pbkdf2_sha512_hex: `pbkdf2_sha512_hex$5000$${salt.toString('hex')}$${derived('sha512', salt, 64).toString('hex')}`,
    pbkdf2_sha1: `pbkdf2_sha1$5000$${salt.toString('hex')}$${derived('sha1', salt, 32).toString('hex')}$32`,
    scrypt_firebase: [firebase, salt.toString('base64'), signerKey.toString('base64'), 'Bw==', 8, 14].join('$'),
    bcrypt_sha256_django: 'bcrypt_sha256$$2b$10$.r/HRzFb5fSuITFW5wbH4.uGWtGw82s6WDyOUlv4bN0DcqxIycr/2',
    md5: createHash('md5').update(password).digest('hex'),
  }
  for (const [name, digest] of Object.entries(digests)) {
    test(`is read in the form of its hasher, ${name}`, async () => {
      await assertMatches(clerk(name, digest).hash)
    })
  }

  test('can have a salt that is not hexadecimal with pbkdf2_sha1', async () => {
    await assertMatches(clerk('pbkdf2_sha1', `pbkdf2_sha1$5000$abc$${derived('sha1', 'abc', 32).toString('hex')}`).hash)
  })

  test('is reported as lost if the hasher is unknown or the form is another one', () => {
    const phpass = '$P$BHy.BTXkH4pJfoRp2EjB9a94VLyPAP/'
    for (const [name, digest] of [
      ['md5_phpass', phpass],
      ['constructor', phpass],
      ['pbkdf2_sha256', 'pbkdf2_sha256$5000$not base64$AAAA'],
      ['scrypt_firebase', 'a$b$c$d$8$14'],
    ] as const) {
      const { hash, lost } = clerk(name, digest)
      assert.equal(hash, undefined)
      assert.ok(lost.includes('password hash of an unsupported form'), name)
    }
  })
})

test('Supabase keeps the hashes of users who were moved there from Firebase', async () => {
  const [key, text] = [signerKey.toString('base64'), salt.toString('base64')]
  const encrypted_password = `$fbscrypt$v=1,n=14,r=8,p=1,ss=Bw==,sk=${key}$${text}$${firebase}`
  const { hash } = read('supabase', { encrypted_password })
  await assertMatches(hash)
  assert.ok(!(await hasher.importHash(hash ?? '')).includes(key))
})

test('Auth0 can hash a password in another encoding than UTF-8, which is not supported', async () => {
  const value = await bcrypt(password, 4)
  const custom = { algorithm: 'bcrypt', hash: { value } }
  assert.equal(read('auth0', { custom_password_hash: custom }).hash, value)
  const utf8 = { ...custom, password: { encoding: 'utf8' } }
  assert.equal(read('auth0', { custom_password_hash: utf8 }).hash, value)
  const other = read('auth0', { custom_password_hash: { ...custom, password: { encoding: 'utf16le' } } })
  assert.equal(other.hash, undefined)
  assert.ok(other.lost.includes('password hash of an unsupported form'))
})

describe('WordPress escapes quotes in a password before it hashes it', () => {
  const quoted = `it's "nine" harbour bells`
  const hashes: Record<string, string> = {
    'since version 6.8': '$wp$2y$10$9I9fS30YX5B6Rzm4mY54fuO7tTzUShfURsQ8s8lwq.XSTVekQ/Sqq',
    'before version 6.8': '$P$BHy.BTXkHTdHYv23UJaaNk.2SOsnz/.',
  }
  for (const [name, user_pass] of Object.entries(hashes)) {
    test(name, async () => {
      const stored = await hasher.importHash(read('wordpress', { user_email: 'ada@example.com', user_pass }).hash ?? '')
      assert.equal(await hasher.verify(stored, quoted), true)
      assert.equal(await hasher.verify(stored, quoted.replaceAll('"', '')), false)
    })
  }

  test('phpBB does not', async () => {
    const stored = await hasher.importHash('$H$9Hy.BTXkHXWww6OQP5CvpePOqKlBEf/')
    assert.equal(await hasher.verify(stored, quoted), true)
  })
})

describe('Keycloak before version 8', () => {
  const old = (more: Record<string, unknown>) => read('keycloak', { credentials: [{ type: 'password', ...more }] })
  const members = (digest: string) => ({
    hashedSaltedValue: derived(digest, salt, 64).toString('base64'),
    ...{ salt: salt.toString('base64'), hashIterations: 5000 },
  })

  test('wrote the parts of a password as members of the credential', async () => {
    for (const digest of ['sha256', 'sha512'])
      await assertMatches(old({ ...members(digest), algorithm: `pbkdf2-${digest}` }).hash)
    for (const algorithm of ['pbkdf2', 'HmacSHA1', undefined, null])
      await assertMatches(old({ ...members('sha1'), algorithm }).hash)
  })

  test('wrote authenticators in the same way', () => {
    const credential = { hashedSaltedValue: 'abcdefghijklmnopqrst', digits: 6, period: 30, algorithm: 'HmacSHA1' }
    const rowOf = (type: string) => ({ email: 'ada@example.com', credentials: [{ type, ...credential }] })
    const mapped = sourceNamed('keycloak').toRecord(rowOf('totp'), {})
    assert.ok('record' in mapped)
    assert.deepEqual([mapped.record.totp, mapped.lost], [[{ secret: 'MFRGGZDFMZTWQ2LKNNWG23TPOBYXE43U' }], []])
    assert.deepEqual(read('keycloak', rowOf('hotp')).lost, ['authenticators with other parameters'])
  })

  test('a password in plain text is never read', () => {
    const plain = old({ value: password })
    assert.deepEqual([plain.hash, plain.lost], [undefined, ['password in plain text']])
  })
})

test('a password with accents matches whether the previous system received composed characters or not', async () => {
  const composed = 'caf\u00e9 \u00e0 neuf heures'
  for (const form of ['NFC', 'NFD'] as const) {
    for (const cost of [4, 10]) {
      const stored = await hasher.importHash(await bcrypt(composed.normalize(form), cost))
      assert.equal(await hasher.verify(stored, composed), true, `${form} ${cost}`)
      assert.equal(await hasher.verify(stored, `${composed}!`), false)
    }
  }
})
