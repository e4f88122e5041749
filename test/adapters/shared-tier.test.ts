import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createLocalBus } from '../../src/adapters/bus/local.ts'
import type { Cache } from '../../src/adapters/cache/port.ts'
import { createSharedTier } from '../../src/adapters/cache/shared-tier.ts'
import { createLogger } from '../../src/lib/log.ts'
import { createVersionedCache, type Versioned } from '../../src/lib/versioned-cache.ts'

const key = 'phone'

/** A node with a Redis connection that responds only when the test allows it. */
function openNode() {
  const clock = { now: () => 1_000 }
  const memory = createVersionedCache<Versioned>({ maxWeight: 10, clock })
  const reads = [Promise.withResolvers<string | undefined>()]
  const sharedCache: Cache = {
    get: () => reads[0]?.promise ?? Promise.resolve(undefined),
    setUnlessOlder: async () => {},
    raiseEpoch: async () => {},
    close: async () => {},
  }
  const bus = createLocalBus((error) => assert.fail(String(error)))
  const tier = createSharedTier<Versioned>({
    memory,
    bus,
    channel: 'epochs',
    sharedCache,
    clock,
    log: createLogger('silent', [], () => {}),
    encode: (value) => JSON.stringify(value),
    decode: (_key, text) => JSON.parse(text),
  })
  return { memory, tier, bus, answer: (text: string) => reads[0]?.resolve(text) }
}

const stored = JSON.stringify({
  key,
  owners: [{ id: 'ada', epoch: 1 }],
  freshness: { readAt: 900, revalidateFrom: 5_000, freshUntil: 9_000 },
})

describe('the shared tier of a cache', () => {
  test('keeps a value of the shared cache in memory', async () => {
    const { memory, tier, answer } = openNode()
    answer(stored)
    assert.equal((await tier.load(key))?.owners[0]?.id, 'ada')
    assert.equal(memory.recall(key)?.owners[0]?.id, 'ada')
  })

  test('keeps nothing that was read while revocations were missed', async () => {
    const { memory, tier, answer } = openNode()
    const loading = tier.load(key)
    memory.invalidateAll()
    answer(stored)
    assert.equal(await loading, undefined)
    assert.equal(memory.recall(key), undefined)
  })

  test('keeps nothing whose owner was revoked while it was read', async () => {
    const { memory, tier, answer } = openNode()
    const loading = tier.load(key)
    await tier.invalidate('ada', 2)
    answer(stored)
    assert.equal(await loading, undefined)
    assert.equal(memory.recall(key), undefined)
  })

  test('treats damaged data as absent', async () => {
    const { tier, answer } = openNode()
    answer('{"key":')
    assert.equal(await tier.load(key), undefined)
  })

  test('a damaged message hides no later revocation', async () => {
    const { memory, tier, bus, answer } = openNode()
    answer(stored)
    for (const epoch of ['x', 'NaN', '']) await bus.publish('epochs', `ada ${epoch}`)
    assert.equal((await tier.load(key))?.key, key)
    await tier.invalidate('ada', 2)
    assert.equal(memory.recall(key), undefined)
  })
})
