import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { RateLimitStore } from '../../src/adapters/rate-limit/port.ts'
import { fixedWait } from '../support/fixed-wait.ts'

/** Tests that every rate limit store must pass. */
export function rateLimitContract(open: () => Promise<RateLimitStore>): void {
  const window = 60_000

  test('counts from one and says when the window ends', async () => {
    const store = await open()
    const key = randomUUID()
    for (const expected of [1, 2, 3]) {
      const { count, resetsInMs, degraded } = await store.hit(key, window)
      assert.equal(count, expected)
      assert.ok(resetsInMs > window - 5_000 && resetsInMs <= window, `${resetsInMs}`)
      assert.equal(degraded, false)
    }
  })

  test('keys are independent', async () => {
    const store = await open()
    const key = randomUUID()
    await store.hit(key, window)
    assert.equal((await store.hit(`${key}2`, window)).count, 1)
    assert.equal((await store.hit(key, window)).count, 2)
  })

  test('a hundred concurrent hits each get their own count', async () => {
    const store = await open()
    const key = randomUUID()
    const hits = await Promise.all(Array.from({ length: 100 }, () => store.hit(key, window)))
    const counts = hits.map(({ count }) => count).sort((a, b) => a - b)
    assert.deepEqual(
      counts,
      Array.from({ length: 100 }, (_, index) => index + 1),
    )
  })

  test('a window ends after its time from the first hit, however many follow, and a new one begins', async () => {
    const store = await open()
    const key = randomUUID()
    const first = await store.hit(key, 1_500)
    await fixedWait(150, 'a window ends by real time')
    const second = await store.hit(key, 1_500)
    assert.equal(second.count, 2)
    assert.ok(second.resetsInMs <= first.resetsInMs - 100, `${first.resetsInMs}, then ${second.resetsInMs}`)
    await sleep(second.resetsInMs + 20)
    const third = await store.hit(key, 1_500)
    assert.equal(third.count, 1)
    assert.ok(third.resetsInMs > 1_000, `${third.resetsInMs}`)
  })

  test('a window that ended restarts once, also for hits at the same moment', async () => {
    const store = await open()
    const key = randomUUID()
    await store.hit(key, 30)
    await sleep(60)
    const hits = await Promise.all(Array.from({ length: 20 }, () => store.hit(key, window)))
    assert.deepEqual(
      hits.map(({ count }) => count).sort((a, b) => a - b),
      Array.from({ length: 20 }, (_, index) => index + 1),
    )
  })
}
