import assert from 'node:assert/strict'
import { createHmac, pbkdf2Sync, scryptSync } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { hash as argon2 } from '@node-rs/argon2'
import { hash as bcrypt } from '@node-rs/bcrypt'
import { sql } from 'kysely'
import { createMetrics } from '../../src/adapters/metrics/prometheus.ts'
import { createHasher } from '../../src/passwords/hash.ts'
import { type HashProblem, UnusableHash } from '../../src/passwords/imported/limits.ts'
import { firebaseHash, keycloakHash } from '../../src/passwords/imported/read-hash.ts'
import { person, registered, withSession } from '../support/people.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'

const password = person('ada').password
const settings = {
  ARGON2_MEMORY_KIB: 8192,
  ARGON2_TIME: 1,
  ARGON2_PARALLELISM: 1,
  HASH_CONCURRENCY: 2,
  HASH_QUEUE: 64,
  PEPPERS: [{ name: '2026', value: Buffer.alloc(32, 1).toString('base64url') }],
}
const hasher = createHasher(settings, await createMetrics())

const b64 = (bytes: Buffer | string) => Buffer.from(bytes).toString('base64')
const fixedSalt = Buffer.from('0123456789abcdef')
const derived = (digest: string, iterations: number) => pbkdf2Sync(password, fixedSalt, iterations, 32, digest)
const number = (value: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}
const hexSalt = fixedSalt.toString('hex')

// The hashes of this password made by Django 3.2, passlib 1.7 and password_hash() of PHP 8.2 are recorded. The others
// are computed with node:crypto and Argon2.
const hashes: Record<string, string> = {
  'bcrypt 2y of PHP': '$2y$10$pRa6R7WmJ866l/0n8vwQC.S5nKRuwC.Y9aH9wNeETnSXL8pkdzPNC',
  'bcrypt 2b of Django': 'bcrypt$$2b$10$r6WaMdtlyB0RpgpDzLfidewMb4.rzWfmJmvAds3LZbKbqE365e2eq',
  'bcrypt of SHA-256 of Django': 'bcrypt_sha256$$2b$10$.r/HRzFb5fSuITFW5wbH4.uGWtGw82s6WDyOUlv4bN0DcqxIycr/2',
  'bcrypt of WordPress 6.8': '$wp$2y$10$yfwcw1oYvdtcPR8gYlZtKudIT8Jw12OUHjJhDC5417pBq6jOQ12hS',
  'argon2id of PHP':
    '$argon2id$v=19$m=65536,t=4,p=1$cjNEYjhUbUVaTVZMU0NIYw$HYxwpchy5Wa3f4GBRGuo5VQtwIY6pBSouUNdzKIPtwo',
  argon2i: await argon2(password, { algorithm: 1, memoryCost: 8192, timeCost: 2 }),
  argon2d: await argon2(password, { algorithm: 0, memoryCost: 8192, timeCost: 2 }),
  'PBKDF2-SHA256 of Django': 'pbkdf2_sha256$260000$S0YekIPN2F38NcechkXeX4$DOcgRTbJIbY4ldKaNBPnJfo2lMLvz6NvsbPt6UwufrA=',
  'PBKDF2-SHA1 of Django': 'pbkdf2_sha1$260000$NgzAv7YQuCe2ThHXZogva5$JlIMj5FbTUWao1fbCfsW2KQdgLo=',
  'PBKDF2 of passlib': '$pbkdf2-sha256$29000$yhnDmFNKqZWy9r63NiaEMA$v8UFdpvRmyBdbZQ3Hgqp22ZXiPg9E9Yi3sND61dj5pM',
  'bcrypt with a low cost': await bcrypt(password, 8),
  'bcrypt of WordPress with a low cost': `$wp${await bcrypt(createHmac('sha384', 'wp-sha384').update(password).digest('base64'), 6)}`,
  'scrypt with a low cost': `$scrypt$ln=12,r=8,p=1$${b64(fixedSalt).slice(0, 22)}$${b64(scryptSync(password, fixedSalt, 32, { N: 4096, r: 8, p: 1 })).slice(0, 43)}`,
  'argon2id with a low cost': await argon2(password, { memoryCost: 4096, timeCost: 3 }),
  'PBKDF2-SHA512 with many iterations': `$pbkdf2-sha512$i=210000$${b64(fixedSalt).slice(0, 22)}$${b64(derived('sha512', 210_000)).slice(0, 43)}`,
  'scrypt of passlib': '$scrypt$ln=14,r=8,p=1$prTWWuvd2zvnfM95790bAw$wCn887JwmqCC0NdQF+jAJUfrzWFg8P8rgblaMKG3Jo4',
  'scrypt of Better Auth': `${hexSalt}:${scryptSync(password, hexSalt, 64, { N: 16384, r: 16, p: 1, maxmem: 2 ** 26 }).toString('hex')}`,
  'scrypt of Django': `scrypt$abc$16384$8$1$${b64(scryptSync(password, 'abc', 64, { N: 16384, r: 8, p: 1 }))}`,
  'ASP.NET Identity 2': b64(Buffer.concat([Buffer.from([0]), fixedSalt, derived('sha1', 1000)])),
  'ASP.NET Identity 3': b64(
    Buffer.concat([Buffer.from([1]), number(2), number(100_000), number(16), fixedSalt, derived('sha512', 100_000)]),
  ),
  'Keycloak PBKDF2': keycloakHash({
    algorithm: 'pbkdf2-sha256',
    iterations: 27_500,
    salt: b64(fixedSalt),
    value: b64(derived('sha256', 27_500)),
    parameters: {},
  }),
  'phpass of WordPress': '$P$BHy.BTXkH4pJfoRp2EjB9a94VLyPAP/',
  'salted SHA-1 of LDAP': '{SSHA}Vbz6voJ2y8AWUB0QPMh84ZdK7ClfK+W8',
  'salted SHA-256 of LDAP': '{SSHA256}gAF99+O3GLcUwVJSttrgO0RxhP21/kOatKCDMF5lExcKgbDWGoPwHg==',
  'salted SHA-512 of LDAP':
    '{SSHA512}mPnGDQct99VAxBrqfNBmlMccBNt+y0IchKU/YZEq+FS+8THD2/NjGE5AZOUpzjVg9ojPfha4iw06i+KVUYon/VHq/f+/V8oZ',
  'salted SHA-1 of Django': 'sha1$NTBHFHtxkK698IgudnM90S$28d9830a89d80708f37bf962ab10a7b21f1bc4dd',
  'salted MD5 of Django': 'md5$zPaEA23gAZcgQln9SyOv9A$dc5601f9e6d37ea4b7a29d9556a28d3a',
  'MD5 without a salt': '8776e24476897772131a35c882ab20d6',
}
const isWeak = (name: string) =>
  /phpass|salted|MD5|Identity|PBKDF2|low cost|argon2[id]$/.test(name) && !/many/.test(name)

describe('an imported hash', () => {
  for (const [name, text] of Object.entries(hashes)) {
    test(`${name} matches its password only, and is outdated`, async () => {
      const stored = await hasher.importHash(text)
      assert.match(stored, /^imported:/)
      assert.equal(await hasher.verify(stored, password), true)
      for (const wrong of [`${password} `, password.toUpperCase(), ''])
        assert.equal(await hasher.verify(stored, wrong), false)
      assert.equal(hasher.isOutdated(stored), true)
    })
  }

  test('that is weak is stored only inside Argon2id', async () => {
    for (const [name, text] of Object.entries(hashes)) {
      const stored = await hasher.importHash(text)
      assert.equal(/\|\{2026\}\$argon2id\$/.test(stored), isWeak(name), name)
      if (isWeak(name)) assert.ok(!stored.includes(text.slice(-16)), name)
    }
  })

  test("of Firebase matches without the project's signer key", async () => {
    // The example in the documentation of Firebase's scrypt.
    const text = firebaseHash({
      hash: 'lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ==',
      salt: '42xEC+ixf3L2lw==',
      signerKey: 'jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==',
      saltSeparator: 'Bw==',
      rounds: 8,
      memCost: 14,
    })
    const stored = await hasher.importHash(text)
    assert.equal(await hasher.verify(stored, 'user1password'), true)
    assert.equal(await hasher.verify(stored, 'user2password'), false)
  })

  test('of an unknown format or with excessive parameters is refused by name', async () => {
    const [salt, key] = ['c2FsdHNhbHRzYWx0', 'a2V5a2V5a2V5a2V5a2V5a2V5']
    const refused: Record<string, HashProblem> = {
      '': 'UNKNOWN_HASH',
      'plain text': 'UNKNOWN_HASH',
      $6$salt$hash: 'UNKNOWN_HASH',
      [`$2x$10$${'a'.repeat(53)}`]: 'UNKNOWN_HASH',
      [`$2b$31$${'a'.repeat(53)}`]: 'HASH_TOO_EXPENSIVE',
      [`$argon2id$v=19$m=4194304,t=1,p=1$${salt}$${key}`]: 'HASH_TOO_EXPENSIVE',
      [`$argon2id$v=19$m=8192,t=9999,p=1$${salt}$${key}`]: 'HASH_TOO_EXPENSIVE',
      [`$argon2id$v=19$m=8,t=0,p=1$${salt}$${key}`]: 'UNKNOWN_HASH',
      [`$argon2id$v=19$m=8,t=1,p=2$${salt}$${key}`]: 'UNKNOWN_HASH',
      [`$scrypt$ln=24,r=8,p=1$${salt}$${key}`]: 'HASH_TOO_EXPENSIVE',
      [`$scrypt$ln=14,r=8,p=999$${salt}$${key}`]: 'HASH_TOO_EXPENSIVE',
      [`$pbkdf2-sha256$i=999999999$${salt}$${key}`]: 'HASH_TOO_EXPENSIVE',
      [`$P$Z${'a'.repeat(30)}`]: 'HASH_TOO_EXPENSIVE',
    }
    for (const [text, problem] of Object.entries(refused))
      await assert.rejects(
        () => hasher.importHash(text),
        (error) =>
          error instanceof UnusableHash && error.problem === problem && (text === '' || !error.message.includes(text)),
        text,
      )
  })

  test('with excessive parameters is not computed even if it is stored', async () => {
    await assert.rejects(hasher.verify(`imported:$2b$15$${'a'.repeat(53)}`, password), UnusableHash)
  })
})

describe('a user with an imported hash', () => {
  let app: TestApp
  before(async () => {
    app = await startTestApp()
  })
  after(() => app.stop())

  async function imported() {
    const user = await registered(app)
    const stored = await app.ctx.passwords.importHash(hashes['bcrypt 2y of PHP'] ?? '')
    await sql`UPDATE users SET password_hash = ${stored} WHERE id = ${user.id}`.execute(app.ctx.db)
    return user
  }
  const hashOf = async (id: string) => {
    const { rows } = await sql<{ password_hash: string }>`SELECT password_hash FROM users WHERE id = ${id}`.execute(
      app.ctx.db,
    )
    return rows[0]?.password_hash ?? ''
  }

  test('signs in with the old password, which replaces the hash', async () => {
    const { id, email } = await imported()
    assert.equal((await app.post('/auth/login', { email, password: 'not the password' })).status, 401)
    assert.match(await hashOf(id), /^imported:/)
    for (let round = 0; round < 2; round++) {
      assert.equal((await app.post('/auth/login', { email, password })).status, 200)
      assert.match(await hashOf(id), /^\$argon2id\$/)
    }
  })

  test('signs in several times at once', async () => {
    const { id, email } = await imported()
    const replies = await Promise.all(Array.from({ length: 3 }, () => app.post('/auth/login', { email, password })))
    assert.deepEqual(
      replies.map(({ status }) => status),
      [200, 200, 200],
    )
    assert.match(await hashOf(id), /^\$argon2id\$/)
  })

  test('confirms their identity and changes the password', async () => {
    const { id, sessionToken } = await imported()
    const session = withSession(sessionToken)
    assert.equal((await app.post('/auth/reauthenticate', { password }, session)).status, 200)
    const change = { current_password: password, new_password: person('grace').password }
    assert.equal((await app.post('/auth/password-change/self', change, session)).status, 200)
    assert.match(await hashOf(id), /^\$argon2id\$/)
  })
})
