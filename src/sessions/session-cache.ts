import type { Bus } from '../adapters/bus/port.ts'
import type { Cache } from '../adapters/cache/port.ts'
import { createSharedTier } from '../adapters/cache/shared-tier.ts'
import type { FixedConfig } from '../config/load.ts'
import type { CachedSession, ReadView, RevocationWatcher, SessionCache } from '../context.ts'
import { batchLookup } from '../db/batch-lookup.ts'
import type { Logger } from '../lib/log.ts'
import { type Clock, minute, second } from '../lib/time.ts'
import { createVersionedCache } from '../lib/versioned-cache.ts'
import { versionAfterWrite } from './cache-queries.ts'
import { decodeView, encodeView } from './encode-view.ts'
import { freshnessAt } from './freshness.ts'
import type { createLastUseWriter } from './last-use-writer.ts'
import type { RevocationFeed } from './revocation-feed.ts'
import type { createSessionReader } from './session-reader.ts'

interface Parts {
  config: FixedConfig
  clock: Clock
  log: Logger
  bus: Bus
  /** Undefined if Redis is not configured. */
  sharedCache: Cache | undefined
  rows: ReturnType<typeof createSessionReader>
  uses: ReturnType<typeof createLastUseWriter>
  revocations: RevocationFeed
}

/** The maximum clock difference between two nodes. All nodes follow the database clock. */
const maxSkew = second

/**
 * Looks up sessions in memory, then in the shared cache, then in the database. Rejects cached sessions that are known
 * to be revoked. This node knows its own revocations immediately and learns of others from the feed. If the feed has
 * not been read recently, no cached session is used.
 */
export function createSessionCache(parts: Parts): SessionCache & { stop(): Promise<void> } {
  const { config, clock, rows, uses, revocations } = parts
  const lifetime = config.SESSION_VALIDATION_CACHE_TTL
  const memory = createVersionedCache<CachedSession>({
    ...cacheBound,
    clock,
    knowledgeAge: () => revocations.age(),
    async revalidate(entries) {
      const now = clock.now()
      const freshnessOf = freshnessAt(config, now)
      const outdated = await rows.writtenSinceRead(entries)
      // The end of a grant writes no row.
      return ({ key, view }) => (outdated.has(key) || hasEndedGrant(view, now) ? undefined : freshnessOf(view))
    },
  })
  const watchers = new Set<RevocationWatcher>()
  const shared = createSharedTier<CachedSession>({
    ...parts,
    memory,
    channel: 'session-epoch',
    encode: ({ view }) => encodeView(view),
    decode(tokenHash, text) {
      const view = decodeView(text)
      return view && toCached(tokenHash, view)
    },
    onInvalidate(ownerId, epoch) {
      for (const watcher of watchers) watcher.revoked(ownerId, epoch)
    },
  })
  /**
   * Sessions read before this time are not taken from the shared cache, because they may have been revoked while this
   * node was not reading the feed.
   */
  let sharedFrom = clock.now() + maxSkew
  const forgetAll = () => {
    memory.invalidateAll()
    sharedFrom = clock.now() + maxSkew
  }
  revocations.subscribe({
    revoked: shared.invalidateHere,
    missed() {
      forgetAll()
      for (const watcher of watchers) watcher.missed()
    },
  })

  const toCached = (tokenHash: string, view: ReadView): CachedSession => ({
    key: tokenHash,
    owners: view.owners,
    view,
    application: view.session.application,
    isImpersonated: view.session.impersonated_by !== null,
    rolesVersion: view.grants.version,
    freshness: freshnessAt(config, view.read_at)(view),
    isBeingRevalidated: false,
    noteFrom: view.session.last_used_at.getTime() + minute,
    bridgeResponse: undefined,
    bridgeTag: undefined,
    bridgeTimes: undefined,
    asCredential: undefined,
    gatewayHeaders: undefined,
    effectiveRoles: undefined,
  })

  /**
   * Updates the version of the cached session. Otherwise, this node would reread each session after writing the
   * session's last use.
   */
  uses.onWritten(({ key, before, after }, at) => {
    const cached = memory.get(key)
    const version = cached && versionAfterWrite(cached.view, before, after)
    if (!version) return
    // Changes the objects in place, because new objects for all sessions in use would increase the work of the garbage
    // collector.
    cached.view.session.last_used_at = at
    cached.view.version = version
    cached.bridgeResponse = cached.bridgeTimes = cached.asCredential = undefined
  })

  const loadFresh = async (tokenHash: string): Promise<CachedSession | undefined> => {
    const generation = memory.generation()
    const view = await rows.read(tokenHash)
    return view && keep(tokenHash, view, generation)
  }
  /** `generation` is the value of `memory.generation()` at the start of the read. */
  const keep = (tokenHash: string, view: ReadView, generation: number): CachedSession => {
    const cached = toCached(tokenHash, view)
    if (view.session.status === 'active') memory.set(cached, generation)
    return cached
  }
  /** An expired cache entry can be reused if its database rows have not changed since they were read. */
  const loadKnown = batchLookup(async (known: CachedSession[]) => {
    await memory.revalidate(known)
    return { get: (cached) => stillInMemory(cached) }
  })
  /** Returns undefined if revalidation has removed the session, or if the epoch of an owner has increased. */
  const stillInMemory = (cached: CachedSession) => (memory.get(cached.key) === cached ? cached : undefined)

  return {
    recall: memory.recall,
    async load(tokenHash) {
      const found = lifetime > 0 ? await shared.load(tokenHash, sharedFrom) : undefined
      if (found) return { cached: found, source: 'redis' }
      const known = memory.get(tokenHash)
      const cached = (known && (await loadKnown(known))) ?? (await loadFresh(tokenHash))
      if (!cached) return undefined
      shared.share(cached)
      return { cached, source: 'database' }
    },
    async loadFresh(tokenHash) {
      const cached = await loadFresh(tokenHash)
      return cached && { cached, source: 'database' }
    },
    recallYoung(tokenHash) {
      const cached = memory.isInformed() ? memory.get(tokenHash) : undefined
      return cached && clock.now() < cached.freshness.revalidateFrom ? cached : undefined
    },
    async loadAll(tokenHashes) {
      const generation = memory.generation()
      const known = tokenHashes.map((hash) => memory.get(hash)).filter((cached) => cached !== undefined)
      const found = new Map<string, CachedSession>()
      // Revalidation is cheaper than reading. However, if any session is missing from memory, one statement reads all
      // of them.
      if (known.length === tokenHashes.length) {
        await memory.revalidate(known)
        for (const cached of known) if (stillInMemory(cached)) found.set(cached.key, cached)
      }
      const others = tokenHashes.filter((hash) => !found.has(hash))
      const views = others.length > 0 ? await rows.readAll(others) : []
      for (const [tokenHash, view] of views) found.set(tokenHash, keep(tokenHash, view, generation))
      return found
    },
    isCurrent: memory.isCurrent,
    invalidate: shared.invalidate,
    noteUse(cached, now) {
      if (now < cached.noteFrom) return
      cached.noteFrom = now + minute
      const { id, parent_id } = cached.view.session
      uses.note(id)
      // The browser session must not expire while an application session created from it is in use.
      if (parent_id) uses.note(parent_id)
    },
    feedAge: () => revocations.age(),
    catchUp: () => revocations.catchUp().catch(forgetAll),
    watchRevocations(watcher) {
      watchers.add(watcher)
      return () => watchers.delete(watcher)
    },
    stop: () => uses.stop(),
  }
}

const hasEndedGrant = ({ grants: { until } }: ReadView, now: number): boolean => until !== null && until <= now

/** A session has a weight of 1, plus 1 for each KiB of metadata. A user's metadata is at most 16 KiB. */
export const cacheBound = {
  maxWeight: 50_000,
  weightOf({ view }: CachedSession): number {
    const metadata = JSON.stringify(view.user.metadata)
    return metadata === '{}' ? 1 : 1 + Math.ceil(metadata.length / 1024)
  },
}
