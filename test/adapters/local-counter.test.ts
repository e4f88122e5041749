import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createLocalCounter } from '../../src/adapters/rate-limit/local-counter.ts'

describe('the counter of one process', () => {
  test('starts a window with the first hit and a new one when it has ended', () => {
    let time = 1_000
    const counter = createLocalCounter({ now: () => time })
    assert.deepEqual(counter.hit('ada', 100), { count: 1, resetsInMs: 100, degraded: false })
    time += 99
    assert.deepEqual(counter.hit('ada', 100), { count: 2, resetsInMs: 1, degraded: false })
    time += 1
    assert.deepEqual(counter.hit('ada', 100), { count: 1, resetsInMs: 100, degraded: false })
  })

  test('loses no count of a running window while it tidies up', () => {
    let time = 0
    const counter = createLocalCounter({ now: () => time })
    const hour = 3_600_000
    let expected = 0
    for (; time < hour; time += 7_001) {
      counter.hit('busy', 10_000)
      expected += 1
      assert.equal(counter.hit('ada', hour).count, expected)
    }
  })

  test('forgets keys whose windows have ended', () => {
    let time = 0
    const counter = createLocalCounter({ now: () => time })
    for (let n = 0; n < 1_000; n++) counter.hit(`attacker ${n}`, 100)
    for (const round of [1, 2]) {
      time = round * 101
      counter.hit('ada', 100)
    }
    assert.ok(counter.size() <= 2, `${counter.size()}`)
  })

  test('a flood of keys is bounded and does not push out a key in use', () => {
    const counter = createLocalCounter({ maxKeys: 1_000 })
    for (let n = 1; n <= 100_000; n++) {
      counter.hit(`flood ${n}`, 60_000)
      if (n % 100 === 0) assert.equal(counter.hit('ada', 60_000).count, n / 100)
    }
    assert.ok(counter.size() <= 1_000, `${counter.size()}`)
  })

  test('of a million keys only a bounded number is kept', () => {
    const counter = createLocalCounter()
    const before = keptHeap()
    for (let n = 0; n < 1_000_000; n++) counter.hit(`read:${n}:2001:db8:ffff:ffff::/64`, 60_000)
    const grownBy = (keptHeap() - before) / 1e6
    assert.ok(grownBy < 50, `${grownBy.toFixed()} MB`)
    assert.ok(counter.size() <= 100_000)
  })
})

/** The heap size after a garbage collection. Without the collection, it would depend on the machine. */
function keptHeap(): number {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  return process.memoryUsage().heapUsed
}
