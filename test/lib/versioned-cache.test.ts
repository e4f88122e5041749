import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import {
  createVersionedCache,
  epochLifetime,
  maxFeedAge,
  maxOwners,
  type Versioned,
  type VersionedCache,
} from '../../src/lib/versioned-cache.ts'

describe('a versioned cache', () => {
  let now: number
  let knowledgeAge: number
  let revalidated: string[]
  let outdated: string[]
  let cache: VersionedCache<Versioned>
  beforeEach(() => {
    now = 1_000
    knowledgeAge = 0
    revalidated = []
    outdated = []
    cache = createVersionedCache({
      maxWeight: 100,
      clock: { now: () => now },
      knowledgeAge: () => knowledgeAge,
      async revalidate(values) {
        if (outdated.includes('unknown')) throw new Error('no answer')
        revalidated.push(...values.map(({ key }) => key))
        return ({ key }) => (outdated.includes(key) ? undefined : freshness())
      },
    })
  })

  const freshness = () => ({ readAt: now, revalidateFrom: now + 50, freshUntil: now + 100 })
  const versioned = (key: string, owner: string, epoch: number): Versioned => ({
    key,
    owners: [{ id: owner, epoch }],
    freshness: freshness(),
  })

  test('serves a value until its lifetime is over', () => {
    const value = versioned('a', 'ada', 1)
    assert.equal(cache.set(value, cache.generation()), true)
    now += 99
    assert.equal(cache.recall('a'), value)
    now += 1
    assert.equal(cache.recall('a'), undefined)
    assert.equal(cache.get('a'), value, 'it can be revalidated')
  })

  test('revalidates values in use in the background, each once', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    for (const key of ['a', 'b', 'idle']) cache.set(versioned(key, 'ada', 1), cache.generation())
    now += 49
    cache.recall('a')
    t.mock.timers.tick(100)
    assert.deepEqual(revalidated, [])
    now += 1
    for (const key of ['a', 'a', 'b']) assert.ok(cache.recall(key))
    outdated.push('b')
    t.mock.timers.tick(100)
    await nextTurn()
    assert.deepEqual(revalidated, ['a', 'b'])
    now += 99
    assert.ok(cache.recall('a'))
    assert.equal(cache.get('b'), undefined, 'it was outdated')
    assert.equal(cache.recall('idle'), undefined)
  })

  test('revalidates at the next use again if that failed', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    cache.set(versioned('a', 'ada', 1), cache.generation())
    now += 50
    outdated.push('unknown')
    for (const expected of [[], ['a']]) {
      assert.ok(cache.recall('a'))
      t.mock.timers.tick(100)
      await nextTurn()
      assert.deepEqual(revalidated, expected)
      outdated = []
    }
  })

  test('serves no value of an earlier epoch, and does not keep one that was being read', () => {
    cache.set(versioned('a', 'ada', 1), cache.generation())
    cache.set(versioned('b', 'bob', 1), cache.generation())
    assert.equal(cache.invalidate('ada', 2), true)
    assert.equal(cache.recall('a'), undefined)
    assert.equal(cache.get('a'), undefined)
    assert.ok(cache.recall('b'), 'another owner')
    assert.equal(cache.set(versioned('a', 'ada', 1), cache.generation()), false)
    assert.equal(cache.set(versioned('a', 'ada', 2), cache.generation()), true)
    assert.ok(cache.recall('a'))
  })

  test('serves no value after a later epoch of any of its owners', () => {
    const owners = (...epochs: number[]) => epochs.map((epoch, index) => ({ id: `owner-${index}`, epoch }))
    const shared = (...epochs: number[]) => ({ ...versioned('a', '', 0), owners: owners(...epochs) })
    for (const raised of [0, 1, 2]) {
      const epochs = [1, 1, 1].map((epoch, index) => (index < raised ? epoch + 1 : epoch))
      assert.equal(cache.set(shared(...epochs), cache.generation()), true)
      cache.invalidate(`owner-${raised}`, 2)
      assert.equal(cache.recall('a'), undefined)
      assert.equal(cache.set(shared(...epochs), cache.generation()), false)
    }
    assert.equal(cache.set(shared(2, 2, 2), cache.generation()), true)
  })

  test('keeps no value without an owner, or with too many', () => {
    const owned = (count: number) => {
      const owners = Array.from({ length: count }, (_, index) => ({ id: `owner-${index}`, epoch: 1 }))
      return cache.set({ ...versioned('a', '', 0), owners }, cache.generation())
    }
    assert.deepEqual([owned(0), owned(1), owned(maxOwners), owned(maxOwners + 1)], [false, true, true, false])
  })

  test('ignores an epoch that arrives late or twice', () => {
    cache.invalidate('ada', 3)
    assert.equal(cache.invalidate('ada', 3), false)
    assert.equal(cache.invalidate('ada', 2), false)
    assert.equal(cache.set(versioned('a', 'ada', 2), cache.generation()), false)
  })

  test('keeps an epoch for longer than a read can take', () => {
    cache.invalidate('ada', 2)
    now += epochLifetime - 1
    cache.invalidate('bob', 2)
    assert.equal(cache.set(versioned('a', 'ada', 1), cache.generation()), false)
  })

  test('serves nothing while invalidations by other nodes are unknown', () => {
    cache.set(versioned('a', 'ada', 1), cache.generation())
    knowledgeAge = maxFeedAge
    assert.ok(cache.recall('a'))
    knowledgeAge = maxFeedAge + 1
    assert.equal(cache.recall('a'), undefined)
    knowledgeAge = 0
    assert.ok(cache.recall('a'))
  })

  test('drops everything that was read before invalidations may have been missed', () => {
    const generation = cache.generation()
    cache.set(versioned('a', 'ada', 1), cache.generation())
    cache.invalidateAll()
    assert.equal(cache.get('a'), undefined)
    assert.equal(cache.set(versioned('a', 'ada', 1), generation), false)
    assert.equal(cache.set(versioned('a', 'ada', 1), cache.generation()), true)
  })
})
