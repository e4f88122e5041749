// Setup: alone
// Compares durations.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { settled } from '../passwordless/support.ts'
import { person, registered } from '../support/people.ts'
import { median } from '../support/samples.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'

let app: TestApp
before(async () => {
  app = await startTestApp()
})
after(() => app.stop())

const scheduledJobs = Number(process.env.TIMING_ROUNDS ?? 150)
for (const path of ['/auth/token/verify', '/auth/password-reset/validate', '/auth/password-reset/complete']) {
  test(`the time of a wrong code does not tell whether the address is known: ${path}`, async (t) => {
    const ada = await registered(app)
    await app.post('/auth/password-reset/request', { email: ada.email })
    await settled(app)
    const samples: Record<'known' | 'unknown', number[]> = { known: [], unknown: [] }
    for (let round = 0; round < scheduledJobs + 20; round++) {
      // Resets the counters so that each guess is checked instead of being rejected because of earlier guesses.
      await sql`UPDATE one_time_secrets SET guesses = 0`.execute(app.ctx.db)
      await sql`DELETE FROM account_counters`.execute(app.ctx.db)
      const order = round % 2 === 0 ? (['known', 'unknown'] as const) : (['unknown', 'known'] as const)
      for (const one of order) {
        const email = one === 'known' ? ada.email : person().email
        const begun = performance.now()
        await app.post(path, { email, code: '000000', password: ada.password })
        if (round >= 20) samples[one].push(performance.now() - begun)
      }
    }
    const [known, unknown] = [median(samples.known), median(samples.unknown)]
    t.diagnostic(`medians: known ${known.toFixed(2)} ms, unknown ${unknown.toFixed(2)} ms`)
    assert.ok(Math.abs(known - unknown) < Math.max(2, 0.05 * known), `known ${known} ms, unknown ${unknown} ms`)
  })
}
