import type { Bus } from '../adapters/bus/port.ts'
import type { Cache } from '../adapters/cache/port.ts'
import type { Config } from '../config/load.ts'
import type { CachedSession, Freshness, ReadView, RevocationWatcher, SessionCache } from '../context.ts'
import type { Logger } from '../lib/log.ts'
import { type Clock, minute, second } from '../lib/time.ts'
import { versionAfterWrite } from './cache-queries.ts'
import { decodeView, encodeView } from './encode-view.ts'
import { freshnessAt } from './freshness.ts'
import { MemorySessions } from './memory-sessions.ts'
import { revalidateInUse } from './revalidate-in-use.ts'
import type { RevocationFeed } from './revocation-feed.ts'
import type { sessionRows } from './session-rows.ts'
import type { collectUses } from './touch-sessions.ts'

interface Parts {
  config: Config
  clock: Clock
  log: Logger
  bus: Bus
  /** Undefined without Redis. */
  cache: Cache | undefined
  rows: ReturnType<typeof sessionRows>
  uses: ReturnType<typeof collectUses>
  revocations: RevocationFeed
}

const channel = 'session-epoch'
/** In milliseconds. With the response time, this ensures that every node refuses an ended session within one second. */
export const maxFeedAge = 900
/** Maximum difference between the clocks of two nodes, which both follow the database's. */
const maxSkew = second

/**
 * Memory, then the shared cache, then the database. Cached sessions of users whose sessions were revoked are refused:
 * revocations of this node are known at once, those of other nodes by the feed. Without a recent read of the feed, no
 * cached session is used.
 */
export function createSessionCache(parts: Parts): SessionCache & { stop(): Promise<void> } {
  const { config, clock, bus, cache, log, rows, uses, revocations } = parts
  const lifetime = config.SESSION_VALIDATION_CACHE_TTL
  const memory = new MemorySessions()
  /** Older sessions in the shared cache may have been revoked without this node knowing. */
  let sharedFrom = clock.now() + maxSkew
  /** Incremented when the feed misses something; reads started before must not fill memory. */
  let generation = 0

  const toCached = (tokenHash: string, view: ReadView): CachedSession => ({
    view,
    tokenHash,
    application: view.session.application,
    freshness: freshnessAt(config, view.read_at)(view),
    isBeingRevalidated: false,
    noteFrom: view.session.last_used_at.getTime() + minute,
    bridgeAnswer: undefined,
    bridgeTag: undefined,
    bridgeTimes: undefined,
    gatewayHeaders: undefined,
  })
  const isFresh = (cached: CachedSession) => clock.now() < cached.freshness.until
  const renew = (cached: CachedSession, freshness: Freshness): CachedSession => {
    cached.freshness = freshness
    cached.isBeingRevalidated = false
    return cached
  }
  const revalidateAll = async (entries: CachedSession[]) => {
    const freshnessOf = freshnessAt(config, clock.now())
    const outdated = await rows.writtenSinceRead(entries)
    for (const cached of entries) {
      if (outdated.has(cached.tokenHash)) memory.delete(cached.tokenHash)
      else renew(cached, freshnessOf(cached.view))
    }
  }
  const ageing = revalidateInUse(revalidateAll)

  const watchers = new Set<RevocationWatcher>()
  /** Revocations arrive from this node, by message and from the feed; watchers are notified once. */
  const revoke = (userId: string, epoch: number) => {
    if (!memory.raiseEpoch(userId, epoch, clock.now())) return
    for (const watcher of watchers) watcher.revoked(userId, epoch)
  }
  bus.subscribe(channel, (payload) => {
    const [userId = '', epoch = '0'] = payload.split(' ')
    revoke(userId, Number(epoch))
  })
  revocations.subscribe({
    revoked: revoke,
    missed() {
      memory.clear()
      generation++
      sharedFrom = clock.now() + maxSkew
      for (const watcher of watchers) watcher.missed()
    },
  })
  const isInformed = () => revocations.age() <= maxFeedAge

  /** Without this, our own writes of the last use would cause every session in use to be read once a minute. */
  uses.onWritten(({ token_hash, before, after }, at) => {
    const cached = memory.get(token_hash)
    const version = cached && versionAfterWrite(cached.view, before, after)
    if (!version) return
    // In place, because new objects for all sessions in use would be collected once a minute.
    cached.view.session.last_used_at = at
    cached.view.version = version
    cached.bridgeAnswer = cached.bridgeTimes = undefined
  })

  const loadFresh = async (tokenHash: string): Promise<CachedSession | undefined> => {
    const begun = generation
    const view = await rows.read(tokenHash)
    return view && keep(tokenHash, view, begun)
  }
  /** `begun`: generation in which the read started. */
  const keep = (tokenHash: string, view: ReadView, begun: number): CachedSession => {
    const cached = toCached(tokenHash, view)
    if (view.session.status === 'active' && begun === generation) memory.set(tokenHash, cached)
    return cached
  }
  const loadShared = async (tokenHash: string): Promise<CachedSession | undefined> => {
    if (!cache || lifetime === 0 || !isInformed()) return undefined
    const text = await cache.get(tokenHash).catch(() => undefined)
    const view = text === undefined ? undefined : decodeView(text)
    if (!view || view.read_at < sharedFrom || !isInformed()) return undefined
    const cached = toCached(tokenHash, view)
    return isFresh(cached) && memory.set(tokenHash, cached) ? cached : undefined
  }
  /** An expired cached session can be reused if its rows have not been written since. */
  const loadKnown = async (tokenHash: string): Promise<CachedSession | undefined> => {
    const cached = memory.get(tokenHash)
    if (!cached) return undefined
    const readAt = await rows.confirm(cached)
    // The epoch may have risen meanwhile, which removes the session from memory.
    if (readAt === undefined || memory.get(tokenHash) !== cached) return undefined
    return renew(cached, freshnessAt(config, readAt)(cached.view))
  }
  const share = (tokenHash: string, cached: CachedSession) => {
    if (!cache || lifetime === 0 || !isFresh(cached)) return
    const { view } = cached
    cache
      .setUnlessOlder({ key: tokenHash, owner: view.user.id, epoch: view.epoch, value: encodeView(view), lifetime })
      .catch(() => {})
  }

  return {
    recall(tokenHash) {
      if (!isInformed()) return undefined
      const cached = memory.get(tokenHash)
      if (cached === undefined) return undefined
      const now = clock.now()
      const { revalidateFrom, until } = cached.freshness
      if (now < revalidateFrom) return cached
      if (now >= until) return undefined
      if (!cached.isBeingRevalidated) ageing.note(cached)
      return cached
    },
    async load(tokenHash) {
      const shared = await loadShared(tokenHash)
      if (shared) return { cached: shared, source: 'redis' }
      const cached = (await loadKnown(tokenHash)) ?? (await loadFresh(tokenHash))
      if (!cached) return undefined
      share(tokenHash, cached)
      return { cached, source: 'database' }
    },
    async loadFresh(tokenHash) {
      const cached = await loadFresh(tokenHash)
      return cached && { cached, source: 'database' }
    },
    recallYoung(tokenHash) {
      const cached = isInformed() ? memory.get(tokenHash) : undefined
      return cached && clock.now() < cached.freshness.revalidateFrom ? cached : undefined
    },
    async loadAll(tokenHashes) {
      const begun = generation
      const known = tokenHashes.map((hash) => memory.get(hash)).filter((cached) => cached !== undefined)
      const found = new Map<string, CachedSession>()
      // Revalidating is cheaper than reading, but mixing both would be two statements.
      if (known.length === tokenHashes.length) {
        await revalidateAll(known)
        // Memory no longer contains rows that were written, or whose epoch has risen.
        for (const cached of known) if (memory.get(cached.tokenHash) === cached) found.set(cached.tokenHash, cached)
      }
      const others = tokenHashes.filter((hash) => !found.has(hash))
      const views = others.length > 0 ? await rows.readAll(others) : []
      for (const [tokenHash, view] of views) found.set(tokenHash, keep(tokenHash, view, begun))
      return found
    },
    async invalidate(userId, epoch) {
      revoke(userId, epoch)
      // Must not fail the request: the change is committed, and nodes also learn of it from the feed.
      await Promise.all([
        cache
          ?.raiseEpoch(userId, epoch)
          .catch((error) => log.warn({ err: error }, 'could not invalidate shared cached sessions')),
        bus
          .publish(channel, `${userId} ${epoch}`)
          .catch((error) => log.warn({ err: error }, 'could not notify other nodes')),
      ])
    },
    noteUse(cached, now) {
      if (now < cached.noteFrom) return
      cached.noteFrom = now + minute
      const { id, parent_id } = cached.view.session
      uses.note(id)
      // The browser session must not expire while an application that depends on it is in use.
      if (parent_id) uses.note(parent_id)
    },
    feedAge: () => revocations.age(),
    watchRevocations(watcher) {
      watchers.add(watcher)
      return () => watchers.delete(watcher)
    },
    async stop() {
      ageing.stop()
      await uses.stop()
    },
  }
}
