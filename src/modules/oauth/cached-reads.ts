import type { Context } from '../../context.ts'
import { batchLookup } from '../../db/batch-lookup.ts'
import { createVersionedCache, type Versioned } from '../../lib/versioned-cache.ts'

interface Reads<Value> {
  maxEntries: number
  /** The values that exist, by key. */
  read(keys: readonly string[]): Promise<ReadonlyMap<string, Value>>
  ownersOf(value: Value): Versioned['owners']
}

interface CachedRead<Value> extends Versioned {
  readonly value: Value
}

/**
 * Keeps values in memory for as long as sessions: until a later epoch of one of their owners reaches this node, which
 * takes at most a second, and for SESSION_VALIDATION_CACHE_TTL at most.
 */
export function createCachedReads<Value>({ sessions, clock, config }: Context, reads: Reads<Value>) {
  const lifetime = config.SESSION_VALIDATION_CACHE_TTL
  const memory = createVersionedCache<CachedRead<Value>>({
    maxWeight: reads.maxEntries,
    clock,
    knowledgeAge: () => sessions.feedAge(),
  })
  sessions.watchRevocations({
    revoked: (owner, epoch) => void memory.invalidate(owner, epoch),
    missed: memory.invalidateAll,
  })
  const readBatch = batchLookup(async (keys: string[]) => {
    const [readAt, generation] = [clock.now(), memory.generation()]
    const found = await reads.read(keys)
    for (const [key, value] of found) {
      const freshness = { readAt, revalidateFrom: Number.POSITIVE_INFINITY, freshUntil: readAt + lifetime }
      memory.set({ key, value, owners: reads.ownersOf(value), freshness }, generation)
    }
    return found
  })
  return {
    /** Without I/O. */
    recall: (key: string): Value | undefined => memory.recall(key)?.value,
    /** Also invalidates values that are being read. */
    forgetAll: memory.invalidateAll,
    /** From the database. */
    read: (key: string): Promise<Value | undefined> => readBatch(key),
  }
}
