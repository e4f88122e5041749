// Setup: alone
// Compares durations.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { person, registered } from '../support/people.ts'
import { median } from '../support/samples.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'

let app: TestApp
before(async () => {
  // Uses expensive hash parameters so that hashing dominates the time of a login and a missing hash is detected.
  app = await startTestApp({ env: { ARGON2_MEMORY_KIB: '19456', ARGON2_TIME: '3' } })
})
after(() => app.stop())

async function timed(email: string): Promise<number> {
  await sql`DELETE FROM account_counters`.execute(app.ctx.db)
  const before = performance.now()
  const reply = await app.post('/auth/login', { email, password: 'not the password' })
  assert.equal(reply.status, 401)
  return performance.now() - before
}

test('an unknown user, and one without a password, cost as much work as a wrong password', async () => {
  const [ada, social] = [await registered(app), await registered(app)]
  await sql`UPDATE users SET password_hash = NULL WHERE id = ${social.id}`.execute(app.ctx.db)
  const samples: Record<string, number[]> = { known: [], unknown: [], social: [] }
  for (let round = 0; round < 40; round++) {
    samples.known?.push(await timed(ada.email))
    samples.unknown?.push(await timed(person().email))
    samples.social?.push(await timed(social.email))
  }
  const [known, unknown, withoutPassword] = ['known', 'unknown', 'social'].map((kind) => median(samples[kind] ?? []))
  // Without the hash for unknown users, these ratios would be below 0.5. A busy machine affects all three times
  // equally.
  assert.ok((unknown ?? 0) / (known ?? 1) > 0.8, `unknown ${unknown} ms, known ${known} ms`)
  assert.ok((withoutPassword ?? 0) / (known ?? 1) > 0.8, `without a password ${withoutPassword} ms, known ${known} ms`)
})
