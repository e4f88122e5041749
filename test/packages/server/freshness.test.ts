import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Freshness } from '../../../packages/server/src/freshness.ts'

// The service's clock is 10,000 ms ahead of the back end's. The service read its clock 20 ms after the back end sent
// the request.
function begun(): Freshness {
  const freshness = new Freshness()
  freshness.begin('one', 1_000, 11_020)
  return freshness
}

test('a heartbeat proves 0.9 s from the time that its knowledge is of, less what may have been under way', () => {
  const freshness = begun()
  assert.equal(freshness.until, Number.NEGATIVE_INFINITY)
  assert.ok(freshness.heartbeat({ process: 'one', time: 11_100, age: 200 }, 1_105))
  // On the back end's clock, the heartbeat was sent at 1,100 and covers revocations up to 200 ms before that. The clock
  // offset is known to within 20 ms.
  assert.ok(Math.abs(freshness.until - (1_100 - 200 - 20 + 900)) < 3, `${freshness.until}`)
})

test('a heartbeat that arrives late proves no more than one that arrives at once', () => {
  const [early, late] = [begun(), begun()]
  early.heartbeat({ process: 'one', time: 11_100, age: 0 }, 1_101)
  late.heartbeat({ process: 'one', time: 11_100, age: 0 }, 31_101)
  assert.ok(late.until <= early.until)
})

test('another request that was quicker makes the proof longer, and a slower one no shorter', () => {
  const freshness = begun()
  freshness.measured('one', 1_010, 11_011, 1_012)
  freshness.measured('one', 1_020, 11_500, 1_500)
  freshness.heartbeat({ process: 'one', time: 11_100, age: 0 }, 1_101)
  assert.ok(freshness.until > 1_100 + 895, `${freshness.until}`)
})

test('the clock of another process measures nothing', () => {
  const freshness = begun()
  freshness.measured('two', 1_010, 10_000, 1_020)
  assert.ok(freshness.heartbeat({ process: 'one', time: 11_100, age: 0 }, 1_101))
  assert.ok(freshness.until > 1_100 + 870)
})

test('a response whose clock is ahead of what the stream allows is a contradiction', () => {
  const freshness = begun()
  // The offset between the clocks was at most 10,020 ms when the stream began, but is at least 10,100 ms here.
  assert.equal(freshness.measured('one', 1_090, 11_200, 1_100), false)
  assert.equal(freshness.measured('one', 1_000, 11_200, 1_180), true)
  assert.equal(freshness.measured('two', 1_090, 99_999, 1_100), true)
})

test('clocks are trusted less with the time since they were compared', () => {
  const freshness = begun()
  const later = 100_000
  freshness.heartbeat({ process: 'one', time: 11_100 + later, age: 0 }, 1_101 + later)
  assert.ok(freshness.until - later < 1_100 - 20 + 900 - 90, `${freshness.until - later}`)
})

const contradictions = {
  'of another process': { process: 'two', time: 11_100, age: 0 },
  'from the future': { process: 'one', time: 12_100, age: 0 },
}
for (const [name, event] of Object.entries(contradictions)) {
  test(`a heartbeat ${name} proves nothing`, () => {
    const freshness = begun()
    assert.equal(freshness.heartbeat(event, 1_101), false)
    assert.equal(freshness.until, Number.NEGATIVE_INFINITY)
  })
}

test('no number makes a proof that is none', () => {
  for (const time of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
    const freshness = begun()
    freshness.heartbeat({ process: 'one', time, age: 0 }, 1_101)
    assert.equal(1_102 < freshness.until, false, `${time}`)
  }
})
