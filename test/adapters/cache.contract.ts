import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Cache } from '../../src/adapters/cache/port.ts'
import { fixedWait } from '../support/fixed-wait.ts'

interface EntryOptions {
  key?: string
  owner?: string
  epoch?: number
  value?: string
  lifetime?: number
}
const adas = ({ owner = 'ada', epoch = 1, ...over }: EntryOptions) => ({
  key: 'phone',
  owners: [{ id: owner, epoch }],
  value: 'v1',
  lifetime: 60_000,
  ...over,
})

/** Tests that every cache implementation must pass. `open` returns an empty cache. */
export function cacheContract(open: () => Promise<Cache>): void {
  test('returns a stored value, and nothing for an unknown key', async () => {
    const cache = await open()
    const value = 'two\nlines, a quote " and 日本語'
    await cache.setUnlessOlder(adas({ value }))
    assert.equal(await cache.get('phone'), value)
    assert.equal(await cache.get('laptop'), undefined)
  })

  test('entries expire after their lifetime', async () => {
    const cache = await open()
    await cache.setUnlessOlder(adas({ lifetime: 500 }))
    assert.equal(await cache.get('phone'), 'v1')
    await fixedWait(550, 'an entry ends by real time, and no read may be needed for that')
    assert.equal(await cache.get('phone'), undefined)
  })

  test('a raised epoch invalidates all entries of its owner, and no others', async () => {
    const cache = await open()
    await cache.setUnlessOlder(adas({}))
    await cache.setUnlessOlder(adas({ key: 'laptop' }))
    await cache.setUnlessOlder(adas({ key: 'desk', owner: 'grace', value: 'hers' }))
    await cache.raiseEpoch('ada', 2)
    assert.equal(await cache.get('phone'), undefined)
    assert.equal(await cache.get('laptop'), undefined)
    assert.equal(await cache.get('desk'), 'hers')
  })

  test('a value read before a change is not stored after it', async () => {
    const cache = await open()
    await cache.raiseEpoch('ada', 2)
    await cache.setUnlessOlder(adas({ value: 'old state' }))
    assert.equal(await cache.get('phone'), undefined)
    await cache.setUnlessOlder(adas({ epoch: 2, value: 'new state' }))
    await cache.setUnlessOlder(adas({ value: 'old state' }))
    assert.equal(await cache.get('phone'), 'new state')
  })

  test('an epoch never decreases', async () => {
    const cache = await open()
    await cache.raiseEpoch('ada', 10)
    await cache.raiseEpoch('ada', 9)
    await cache.setUnlessOlder(adas({ epoch: 9 }))
    assert.equal(await cache.get('phone'), undefined)
  })

  test('a value with a newer epoch invalidates those read earlier', async () => {
    const cache = await open()
    await cache.setUnlessOlder(adas({}))
    await cache.setUnlessOlder(adas({ key: 'laptop', epoch: 2 }))
    assert.equal(await cache.get('phone'), undefined)
    assert.equal(await cache.get('laptop'), 'v1')
  })

  test('a raised epoch of any owner invalidates an entry, and keeps it from being stored', async () => {
    const ownedBy = (...epochs: number[]) => epochs.map((epoch, index) => ({ id: `owner-${index}`, epoch }))
    const cache = await open()
    const store = (...epochs: number[]) => cache.setUnlessOlder({ ...adas({}), owners: ownedBy(...epochs) })
    for (const raised of [0, 1, 2]) {
      const epochs = [1, 1, 1].map((epoch, index) => (index < raised ? epoch + 1 : epoch))
      await store(...epochs)
      assert.equal(await cache.get('phone'), 'v1')
      await cache.raiseEpoch(`owner-${raised}`, 2)
      assert.equal(await cache.get('phone'), undefined)
      await store(...epochs)
      assert.equal(await cache.get('phone'), undefined)
    }
    await store(2, 2, 2)
    assert.equal(await cache.get('phone'), 'v1')
  })

  test('concurrent fills and changes never leave the old state behind', async () => {
    const cache = await open()
    for (let round = 1; round <= 50; round++) {
      const fill = () => cache.setUnlessOlder(adas({ epoch: round }))
      await Promise.all([fill(), fill(), cache.raiseEpoch('ada', round + 1), fill(), fill()])
      assert.equal(await cache.get('phone'), undefined)
    }
  })
}
