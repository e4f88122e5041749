// Setup: alone
// Compares durations.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { createMetrics } from '../../src/adapters/metrics/prometheus.ts'
import { createHasher } from '../../src/passwords/hash.ts'
import { person, registered } from '../support/people.ts'
import { chanceSlower, median } from '../support/samples.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'

let app: TestApp
before(async () => {
  app = await startTestApp({ env: { MAIL_CAP: '1000/1h' } })
})
after(() => app.stop())

async function timed(email: string): Promise<number> {
  const before = performance.now()
  const reply = await app.post('/auth/password-reset/request', { email })
  const duration = performance.now() - before
  assert.equal(reply.status, 200)
  // Work that continues after the response must not delay the next measured request.
  while ((await unfinished()) > 0) await new Promise((resolve) => setTimeout(resolve, 5))
  return duration
}

async function unfinished(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::int AS count FROM outbox WHERE status IN ('pending', 'queued')`.execute(app.ctx.db)
  return rows[0]?.count ?? 0
}

test('asking for a reset takes as long for an unknown address as for a known one', async (t) => {
  const { email } = await registered(app)
  const rounds = Number(process.env.TIMING_ROUNDS ?? 40)
  const [known, unknown]: [number[], number[]] = [[], []]
  for (let round = 0; round < rounds + 5; round++) {
    const pair = [await timed(email), await timed(person().email)] as const
    // The first rounds are not counted.
    if (round < 5) continue
    known.push(pair[0])
    unknown.push(pair[1])
  }
  const chance = chanceSlower(known, unknown)
  t.diagnostic(`medians: known ${median(known)} ms, unknown ${median(unknown)} ms; known is slower with ${chance}`)
  // The bound is exceeded if the address is looked up before the response, which takes several statements instead of
  // one.
  const ratio = median(known) / median(unknown)
  assert.ok(ratio > 0.67 && ratio < 1.5, `known ${median(known)} ms, unknown ${median(unknown)} ms`)
})

/** PBKDF2 with 260,000 rounds of SHA-256, much slower than the test's own hashes. */
const ofDjango = 'pbkdf2_sha256$260000$S0YekIPN2F38NcechkXeX4$DOcgRTbJIbY4ldKaNBPnJfo2lMLvz6NvsbPt6UwufrA='

test('while imported hashes are stored, a wrong password takes as long for every kind of hash and for none', async (t) => {
  const { passwords } = app.ctx
  const slow = await passwords.importHash(ofDjango)
  const equalizing = createHasher(app.ctx.config, await createMetrics(), async () => [slow])
  const own = await passwords.hash('a tape without an end')
  await equalizing.verify(null, 'wrong')
  const kinds = [slow, own, null].map((stored) => ({ stored, durations: [] as number[] }))
  // The kinds take turns, so that other work on the machine slows all of them.
  for (let round = 0; round < 15; round++) {
    for (const { stored, durations } of kinds) {
      const begin = performance.now()
      await equalizing.verify(stored, 'wrong')
      durations.push(performance.now() - begin)
    }
  }
  const medians = kinds.map(({ durations }) => median(durations))
  t.diagnostic(`imported, own, none: ${medians.map(Math.round).join(', ')} ms`)
  assert.ok(Math.min(...medians) > 0.7 * Math.max(...medians), medians.join())
})
