import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startDatabaseClock } from '../../src/db/clock.ts'
import { hour, minute, second } from '../../src/lib/time.ts'
import { fixedWait } from '../support/fixed-wait.ts'

/** A database clock that a test can set, and the clock that follows it. */
async function follow(t: TestContext, answer: () => Promise<number>) {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const clock = await startDatabaseClock(answer)
  t.after(clock.stop)
  const readAgain = async () => {
    t.mock.timers.tick(10 * second)
    await sleep(5)
  }
  return { clock, readAgain }
}

const isNear = (actual: number, expected: number) =>
  assert.ok(Math.abs(actual - expected) < 500, `${actual} is ${actual - expected} ms away from ${expected}`)

test('the time is the database’s, however wrong the clock of this machine is', async (t) => {
  let ahead = 10 * minute
  const { clock, readAgain } = await follow(t, async () => Date.now() + ahead)
  isNear(clock.now(), Date.now() + ahead)
  isNear(clock.skew(), -ahead)
  ahead = -10 * minute
  await readAgain()
  isNear(clock.now(), Date.now() + ahead)
  isNear(clock.skew(), -ahead)
})

test('a jump of this machine’s clock moves nothing', async (t) => {
  const { clock } = await follow(t, async () => 1_000_000)
  const before = clock.now()
  const { now } = Date
  Date.now = () => now() + hour
  try {
    isNear(clock.now(), before)
    assert.ok(clock.skew() > 59 * minute)
  } finally {
    Date.now = now
  }
})

test('while the database is away the time goes on from where it was', async (t) => {
  let isAway = false
  const { clock, readAgain } = await follow(t, async () => {
    if (isAway) throw new Error('away')
    return 1_000_000
  })
  const begun = performance.now()
  isAway = true
  await readAgain()
  await sleep(50)
  isNear(clock.now(), 1_000_000 + performance.now() - begun)
  assert.ok(clock.now() >= 1_000_050)
})

test('an answer that was held up sets no time', async (t) => {
  let delay = 0
  const { clock, readAgain } = await follow(t, async () => {
    if (delay === 0) return 1_000_000
    await sleep(delay)
    return 5_000_000
  })
  const begun = performance.now()
  delay = 1_200
  await readAgain()
  await fixedWait(1_300, 'the late answer must change nothing')
  isNear(clock.now(), 1_000_000 + performance.now() - begun)
})
