import { createSharedTier } from '../../adapters/cache/shared-tier.ts'
import type { Context } from '../../context.ts'
import { batchLookup } from '../../db/batch-lookup.ts'
import type { Db } from '../../db/tables.ts'
import { second } from '../../lib/time.ts'
import { createVersionedCache, type Versioned } from '../../lib/versioned-cache.ts'
import { findDefinitions, findVersion, type PostTypeDefinitions } from './queries.ts'

/** The authoritative definitions are in PostgreSQL. */
export type DefinitionCache = ReturnType<typeof createDefinitionCache>

const name = 'post-types'
/** If a process exits before it announces a change, other nodes use outdated definitions for at most this long. */
const revalidateInterval = 30 * second

interface CachedDefinitions extends Versioned {
  definitions: PostTypeDefinitions
}

export function createDefinitionCache(ctx: Context) {
  const { config, clock, db, bus } = ctx
  const lifetime = config.POST_TYPES_FRESH_CACHE_MODE ? 0 : config.POST_TYPES_CACHE_TTL
  const memory = createVersionedCache<CachedDefinitions>({
    maxWeight: 2,
    clock,
    knowledgeAge: () => bus.sinceLastBeat(),
    async revalidate() {
      const revalidateFrom = clock.now() + revalidateInterval
      const version = await findVersion(db)
      shared.invalidateHere(name, version)
      // A lower version also counts as a change, because it means that the table was lost and recreated.
      return ({ definitions, freshness }) =>
        definitions.version === version ? { ...freshness, revalidateFrom } : undefined
    },
  })
  const shared = createSharedTier<CachedDefinitions>({
    ...ctx,
    memory,
    channel: 'definition-epoch',
    encode: ({ definitions, freshness }) => JSON.stringify({ ...definitions, readAt: freshness.readAt }),
    decode(_key, text) {
      const { readAt, ...definitions } = decode(text)
      return toCached(definitions, readAt)
    },
  })
  bus.onReconnect(memory.invalidateAll)

  const toCached = (definitions: PostTypeDefinitions, readAt: number): CachedDefinitions => ({
    key: name,
    owners: [{ id: name, epoch: definitions.version }],
    freshness: { readAt, revalidateFrom: readAt + revalidateInterval, freshUntil: readAt + lifetime },
    definitions,
  })
  /** Concurrent requests share one read, which starts only after all of them have arrived. */
  const read = batchLookup(async () => {
    const generation = memory.generation()
    const readAt = clock.now()
    const found = toCached(await findDefinitions(db), readAt)
    if (lifetime > 0) memory.set(found, generation)
    shared.share(found)
    return { get: () => found.definitions }
  })
  const recall = () => memory.recall(name)?.definitions

  return {
    recall,
    async load(): Promise<{ definitions: PostTypeDefinitions; cached: boolean }> {
      const definitions = recall() ?? (lifetime > 0 ? await shared.load(name) : undefined)?.definitions
      if (definitions) return { definitions, cached: true }
      return { definitions: await read(name), cached: false }
    },
    /** Cached definitions are used only after the database has confirmed their version. */
    async loadFresh(requested: Db): Promise<PostTypeDefinitions> {
      const cached = memory.get(name)
      if (cached && (await findVersion(requested)) === cached.definitions.version) return cached.definitions
      // The result of a read in a transaction is not cached, because it may contain uncommitted changes.
      return requested === db ? read(name) : findDefinitions(requested)
    },
    /** Call this after the commit. Invalidates lower versions on this node immediately, then on other nodes. */
    invalidate: (version: number) => shared.invalidate(name, version),
  }
}

function decode(value: string): PostTypeDefinitions & { readAt: number } {
  const stored = JSON.parse(value) as PostTypeDefinitions & { readAt: number }
  const rows = stored.rows.map((row) => ({
    ...row,
    created_at: new Date(row.created_at),
    updated_at: new Date(row.updated_at),
  }))
  return { ...stored, rows }
}

const made = new WeakMap<Context, DefinitionCache>()

/** Each application has one instance, shared by its routes and rules. */
export function definitionCacheOf(ctx: Context): DefinitionCache {
  const cache = made.get(ctx) ?? createDefinitionCache(ctx)
  made.set(ctx, cache)
  return cache
}
