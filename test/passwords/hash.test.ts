import assert from 'node:assert/strict'
import { availableParallelism } from 'node:os'
import { describe, test } from 'node:test'
import { createMetrics } from '../../src/adapters/metrics/prometheus.ts'
import { AppError } from '../../src/lib/errors.ts'
import { createHasher } from '../../src/passwords/hash.ts'

const defaultMetrics = await createMetrics()
const settings = {
  ARGON2_MEMORY_KIB: 8192,
  ARGON2_TIME: 1,
  ARGON2_PARALLELISM: 1,
  HASH_CONCURRENCY: availableParallelism(),
  HASH_QUEUE: 64,
  PEPPERS: [],
}
type Settings = Parameters<typeof createHasher>[0]
const hasher = (own: Partial<Settings> = {}, metrics = defaultMetrics) => createHasher({ ...settings, ...own }, metrics)

const password = 'seven quiet river stones'

describe('a password hash', () => {
  test('is Argon2id with the configured parameters, salted, and fits the whole password and nothing else', async () => {
    const { hash, verify } = hasher()
    const [first, second] = [await hash(password), await hash(password)]
    assert.match(first, /^\$argon2id\$v=19\$m=8192,t=1,p=1\$[\w+/]{22}\$[\w+/]{43}$/)
    assert.notEqual(first, second)
    assert.equal(await verify(first, password), true)
    const wrong = [password.toUpperCase(), `${password} `, password.slice(0, -1), '', `${password}\0`]
    for (const one of wrong) assert.equal(await verify(first, one), false)
  })

  test('looks at every character of a long password', async () => {
    const { hash, verify } = hasher()
    const long = '水'.repeat(255)
    const stored = await hash(`${long}a`)
    assert.equal(await verify(stored, `${long}a`), true)
    assert.equal(await verify(stored, `${long}b`), false)
  })

  test('that does not exist matches no password', async () => {
    const { verify } = hasher()
    for (const stored of [null, undefined]) assert.equal(await verify(stored, password), false)
  })

  test('is outdated when one of its parameters is weaker than configured, and not when it is stronger', async () => {
    const stored = await hasher({ ARGON2_MEMORY_KIB: 9216, ARGON2_TIME: 2 }).hash(password)
    const isOutdated = (own: Partial<Settings>) => hasher(own).isOutdated(stored)
    assert.equal(isOutdated({ ARGON2_MEMORY_KIB: 9216, ARGON2_TIME: 2 }), false)
    assert.equal(isOutdated({ ARGON2_MEMORY_KIB: 9216, ARGON2_TIME: 3 }), true)
    assert.equal(isOutdated({ ARGON2_MEMORY_KIB: 10240, ARGON2_TIME: 2 }), true)
    assert.equal(isOutdated({ ARGON2_MEMORY_KIB: 8192, ARGON2_TIME: 1 }), false)
  })
})

describe('a pepper', () => {
  const key = (fill: number) => Buffer.alloc(32, fill).toString('base64url')
  const [old, young] = [
    { name: '2025', value: key(1) },
    { name: '2026', value: key(2) },
  ]

  test('is named in the hash, and without it the password does not fit', async () => {
    const peppered = await hasher({ PEPPERS: [old] }).hash(password)
    assert.match(peppered, /^\{2025\}\$argon2id\$/)
    assert.equal(await hasher({ PEPPERS: [old] }).verify(peppered, password), true)
    assert.equal(await hasher({ PEPPERS: [{ ...old, value: key(3) }] }).verify(peppered, password), false)
    assert.equal(await hasher({ PEPPERS: [old] }).verify(peppered.replace('{2025}', ''), password), false)
  })

  test('that was replaced still opens what it closed, until that is hashed anew', async () => {
    const rotated = hasher({ PEPPERS: [young, old] })
    const [before, plain] = [await hasher({ PEPPERS: [old] }).hash(password), await hasher().hash(password)]
    for (const stored of [before, plain]) {
      assert.equal(await rotated.verify(stored, password), true)
      assert.equal(rotated.isOutdated(stored), true)
    }
    const anew = await rotated.hash(password)
    assert.match(anew, /^\{2026\}/)
    assert.equal(rotated.isOutdated(anew), false)
  })

  test('that is not configured any more is an error, and never a match', async () => {
    const stored = await hasher({ PEPPERS: [old] }).hash(password)
    await assert.rejects(hasher({ PEPPERS: [young] }).verify(stored, password), /no pepper with id "2025"/)
  })
})

describe('the queue of password hashes', () => {
  test('runs no more at a time than configured, lets as many wait, and refuses the others at once', async () => {
    const seen = { running: 0, waiting: 0, rejected: 0 }
    const { hash, verify } = hasher(
      { HASH_CONCURRENCY: 2, HASH_QUEUE: 3 },
      {
        ...defaultMetrics,
        passwordHashes(running, waiting) {
          seen.running = Math.max(seen.running, running)
          seen.waiting = Math.max(seen.waiting, waiting)
        },
        passwordHashRejected: () => void seen.rejected++,
      },
    )
    const stored = await hash(password)
    const outcomes = await Promise.allSettled(Array.from({ length: 12 }, () => verify(stored, password)))
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected')
    assert.equal(refused.length, 7)
    for (const { reason } of refused) {
      assert.ok(reason instanceof AppError && reason.code === 'UNAVAILABLE' && reason.retryAfter! > 0)
    }
    assert.deepEqual(seen, { running: 2, waiting: 3, rejected: 7 })
    assert.equal(await verify(stored, password), true)
  })

  test('continues after a failed hash', async () => {
    const { verify } = hasher({ HASH_CONCURRENCY: 1, HASH_QUEUE: 1 })
    for (let count = 0; count < 5; count++) await assert.rejects(verify('$argon2id$nonsense', password))
    assert.equal(await verify(null, password), false)
  })
})
