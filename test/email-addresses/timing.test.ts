// Setup: alone
// Compares durations.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { settled } from '../passwordless/support.ts'
import { person, registered, type SignedIn } from '../support/people.ts'
import { chanceSlower, median } from '../support/samples.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'
import { askFor } from './change-support.ts'

let app: TestApp
before(async () => {
  app = await startTestApp({ env: { MAIL_CAP: '1000/1h' } })
})
after(() => app.stop())

async function timed(user: SignedIn, newEmail: string): Promise<number> {
  const before = performance.now()
  const reply = await askFor(app, user, newEmail)
  const duration = performance.now() - before
  assert.equal(reply.status, 200)
  // Work that continues after the response must not delay the next measured request.
  await settled(app)
  return duration
}

test('asking for an address takes as long when somebody has it', async (t) => {
  const owner = await registered(app, 'grace')
  const rounds = Number(process.env.TIMING_ROUNDS ?? 40)
  const [taken, free]: [number[], number[]] = [[], []]
  for (let round = 0; round < rounds + 5; round++) {
    // Each round has a new user because the number of changes per user is limited.
    const ada = await registered(app)
    await settled(app)
    const [addresses, times] = [
      { taken: owner.email, free: person().email },
      { taken: 0, free: 0 },
    ]
    // In turn, because the second request of a user may be faster.
    for (const name of round % 2 === 0 ? (['taken', 'free'] as const) : (['free', 'taken'] as const))
      times[name] = await timed(ada, addresses[name])
    // The first rounds are not counted.
    if (round < 5) continue
    taken.push(times.taken)
    free.push(times.free)
  }
  const chance = chanceSlower(taken, free)
  t.diagnostic(`medians: taken ${median(taken)} ms, free ${median(free)} ms; taken is slower with ${chance}`)
  // Load moves the medians, but all times alike. Sending an email before the response would bring the chance close to 1.
  assert.ok(Math.abs(chance - 0.5) < 0.25, `taken ${median(taken)} ms, free ${median(free)} ms`)
})
