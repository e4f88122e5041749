import { isDeepStrictEqual } from 'node:util'
import type { Cache } from '../adapters/cache/port.ts'
import { createSharedEntries } from '../adapters/cache/shared-tier.ts'
import type { FixedConfig } from '../config/load.ts'
import type { CachedCredential, Context, CredentialView } from '../context.ts'
import { second } from '../lib/time.ts'
import { createVersionedCache, type Freshness } from '../lib/versioned-cache.ts'
import { revalidateAfter } from '../sessions/freshness.ts'
import { decodeCredential, encodeCredential } from './encode-credential.ts'

export interface CacheParts extends Pick<Context, 'clock' | 'sessions'> {
  config: FixedConfig
  /** Undefined if Redis is not configured. */
  sharedCache: Cache | undefined
}

/** Reads credentials by their text again. Of those in memory, only the hash is known. */
export type ReadKnown = (cached: readonly CachedCredential[]) => Promise<ReadonlyMap<string, CredentialView>>

/** The maximum clock difference between two nodes. All nodes follow the database clock. */
const maxSkew = second

/** What depends on how long credentials may be cached, in milliseconds. */
function cachedFor(lifetime: number) {
  const freshnessOf = ({ expiresAt, grants }: CredentialView, readAt: number): Freshness => {
    const ends = [expiresAt, grants.until].filter((end) => end !== null)
    const freshUntil = Math.min(readAt + lifetime, ...ends)
    return { readAt, revalidateFrom: readAt + lifetime * revalidateAfter, freshUntil }
  }
  const toCached = (key: string, view: CredentialView, readAt: number): CachedCredential => ({
    key,
    owners: view.owners,
    view,
    freshness: freshnessOf(view, readAt),
    isBeingRevalidated: false,
    noteFrom: 0,
    prepared: undefined,
  })
  return { freshnessOf, toCached }
}

/** Credentials are invalidated like sessions: a later epoch of any owner reaches this node with the revocation feed. */
export function createCredentialCache({ config, clock, sessions, sharedCache }: CacheParts, readKnown: ReadKnown) {
  const lifetime = config.SESSION_VALIDATION_CACHE_TTL
  const { freshnessOf, toCached } = cachedFor(lifetime)
  const memory = createVersionedCache<CachedCredential>({
    maxWeight: 50_000,
    weightOf: ({ view }) => 1 + Math.floor(JSON.stringify([view.user?.metadata, view.scopes]).length / 1024),
    clock,
    knowledgeAge: () => sessions.feedAge(),
    async revalidate(entries) {
      const readAt = clock.now()
      const views = await readKnown(entries)
      return ({ key, view: before }) => {
        const view = views.get(key)
        return view && isDeepStrictEqual(view, before) ? freshnessOf(view, readAt) : undefined
      }
    },
  })
  /** Credentials read before this time may have been revoked while this node was not reading the feed. */
  let sharedFrom = clock.now() + maxSkew
  sessions.watchRevocations({
    revoked: (owner, epoch) => void memory.invalidate(owner, epoch),
    missed() {
      memory.invalidateAll()
      sharedFrom = clock.now() + maxSkew
    },
  })

  const shared = createSharedEntries<CachedCredential>({
    memory,
    sharedCache,
    clock,
    encode: ({ view, freshness }) => encodeCredential(view, freshness.readAt),
    decode(key, text) {
      const found = decodeCredential(text)
      return found && toCached(key, found.view, found.readAt)
    },
  })

  return {
    recall: memory.recall,
    /** Whether no later epoch of an owner is known. */
    isCurrent: memory.isCurrent,
    /** Call this before reading a credential, and pass the result to `keep`. */
    generation: memory.generation,
    loadShared: async (key: string) => (lifetime > 0 ? shared.load(key, sharedFrom) : undefined),
    keep(key: string, view: CredentialView, { readAt, generation }: { readAt: number; generation: number }) {
      const cached = toCached(key, view, readAt)
      memory.set(cached, generation)
      shared.share(cached)
      return cached
    },
  }
}
