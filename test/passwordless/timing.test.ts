// Setup: alone
// Compares durations.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { person, registered } from '../support/people.ts'
import { chanceSlower, median } from '../support/samples.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'
import { setPhone, settled } from './support.ts'

let app: TestApp
before(async () => {
  app = await startTestApp({ env: { SMS_BUDGET: '10000/1h' } })
})
after(() => app.stop())

/** How long a request takes, sent once all jobs from earlier requests have finished. */
async function timed(identifier: string): Promise<number> {
  await settled(app)
  const before = performance.now()
  const { status } = await app.post('/auth/token/login', { identifier })
  const time = performance.now() - before
  assert.equal(status, 200)
  return time
}

for (const [kind, unknownOf, knownOf] of [
  ['an address', () => person().email, ({ email }: { email: string }) => email],
  ['a number', () => `+49160${1_000_000 + Math.floor(Math.random() * 8e6)}`, ({ phone }: { phone: string }) => phone],
] as const) {
  test(`the time of a request does not tell whether ${kind} is known`, async (t) => {
    const people = await Promise.all(
      Array.from({ length: 4 }, async (_, index) => {
        const { id, email } = await registered(app)
        const phone = `+4917${index}${kind.length}1234567`
        await setPhone(app, id, phone)
        return { email, phone }
      }),
    )
    const samples: Record<'known' | 'unknown', number[]> = { known: [], unknown: [] }
    for (let round = 0; round < 170; round++) {
      const known = knownOf(people[round % people.length] ?? { email: '', phone: '' })
      // During the test, messages to known contacts are sent at first, then rejected by the limit. In both cases, the
      // request must take as long as for unknown contacts.
      if (round % 40 === 0) await sql`DELETE FROM rate_limits`.execute(app.ctx.db)
      const order = round % 2 === 0 ? (['known', 'unknown'] as const) : (['unknown', 'known'] as const)
      for (const one of order) {
        const time = await timed(one === 'known' ? known : unknownOf())
        // The first rounds are not counted.
        if (round >= 20) samples[one].push(time)
      }
    }
    const [known, unknown] = [median(samples.known), median(samples.unknown)]
    const probability = chanceSlower(samples.known, samples.unknown)
    t.diagnostic(
      `medians ${known.toFixed(2)} and ${unknown.toFixed(2)} ms, slower in ${probability.toFixed(3)} of pairs`,
    )
    assert.ok(Math.abs(known - unknown) < Math.max(2, 0.05 * known), `known ${known} ms, unknown ${unknown} ms`)
    assert.ok(Math.abs(probability - 0.5) < 0.12, `known ones are slower in ${probability} of pairs`)
  })
}
