import type { Bus } from '../adapters/bus/port.ts'
import type { Cache } from '../adapters/cache/port.ts'
import type { Config } from '../config/load.ts'
import type { ReadView, RevocationWatcher, SessionCopies, SessionCopy } from '../context.ts'
import type { Logger } from '../lib/log.ts'
import { type Clock, minute, second } from '../lib/time.ts'
import { confirmAgeing } from './confirm-ageing.ts'
import { decodeView, encodeView } from './encode-view.ts'
import { MemoryCopies } from './memory-copies.ts'
import type { RevocationFeed } from './revocation-feed.ts'
import { expiryOf } from './session.ts'
import type { sessionRows } from './session-rows.ts'
import type { collectUses } from './touch-sessions.ts'

interface Parts {
  config: Config
  clock: Clock
  log: Logger
  bus: Bus
  /** The shared cache; undefined without Redis. */
  cache: Cache | undefined
  rows: ReturnType<typeof sessionRows>
  uses: ReturnType<typeof collectUses>
  revocations: RevocationFeed
}

const channel = 'session-epoch'
/** In milliseconds. With the time of an answer it makes the second within which every node refuses an ended session. */
export const maxFeedAge = 900
/** How far the clocks of two nodes may differ: both follow the database's. */
const maxSkew = second
/** The share of its lifetime after which a copy in use is confirmed, so that nobody waits when it ends. */
const confirmAfter = 0.5

/**
 * Memory, then the shared cache, then the database. No copy is served beyond its lifetime. A copy of a user whose
 * sessions were revoked is refused whichever store it comes from: this node's own revocations are known to it before
 * their caller, those of other nodes by the feed, and without a recent read of the feed nothing is served from a copy.
 */
export function createSessionCopies(parts: Parts): SessionCopies & { stop(): Promise<void> } {
  const { config, clock, bus, cache, log, rows, uses, revocations } = parts
  const lifetime = config.SESSION_VALIDATION_CACHE_TTL
  const memory = new MemoryCopies()
  /** What was read before, by whichever node, may have been revoked without this one knowing. */
  let sharedFrom = clock.now() + maxSkew
  /** Rises when the feed has missed something: a read under way at that time must not fill memory. */
  let generation = 0

  const copyOf = (tokenHash: string, view: ReadView): SessionCopy => ({
    view,
    tokenHash,
    ...spanOf(view, view.read_at),
    noteFrom: view.session.last_used_at.getTime() + minute,
    bridgeAnswer: undefined,
    bridgeTag: undefined,
    gatewayHeaders: undefined,
  })
  /** Partial sessions are never served from a copy. The age of one counts from before its read or confirmation. */
  const spanOf = (view: ReadView, readAt: number) => ({
    servableUntil:
      view.session.status === 'active'
        ? Math.min(readAt + lifetime, expiryOf(config, view.session, view.user.user_type))
        : 0,
    readAt,
    confirmFrom: readAt + lifetime * confirmAfter,
  })
  const isServable = (copy: SessionCopy) => clock.now() < copy.servableUntil
  const confirmAll = async (copies: SessionCopy[]) => {
    const readAt = clock.now()
    const outdated = await rows.writtenSinceRead(copies)
    for (const copy of copies) {
      if (outdated.has(copy.tokenHash)) memory.delete(copy.tokenHash)
      else Object.assign(copy, spanOf(copy.view, readAt))
    }
  }
  const ageing = confirmAgeing(confirmAll)

  const watchers = new Set<RevocationWatcher>()
  /** A revocation comes from this node, by a message, and from the feed: watchers hear of it once. */
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

  const loadFresh = async (tokenHash: string): Promise<SessionCopy | undefined> => {
    const begun = generation
    const view = await rows.read(tokenHash)
    return view && keep(tokenHash, view, begun)
  }
  /** `begun` is the generation in which the read was started. */
  const keep = (tokenHash: string, view: ReadView, begun: number): SessionCopy => {
    const copy = copyOf(tokenHash, view)
    if (view.session.status === 'active' && begun === generation) memory.set(tokenHash, copy)
    return copy
  }
  const loadShared = async (tokenHash: string): Promise<SessionCopy | undefined> => {
    if (!cache || lifetime === 0 || !isInformed()) return undefined
    const text = await cache.get(tokenHash).catch(() => undefined)
    const view = text === undefined ? undefined : decodeView(text)
    if (!view || view.read_at < sharedFrom || !isInformed()) return undefined
    const copy = copyOf(tokenHash, view)
    return isServable(copy) && memory.set(tokenHash, copy) ? copy : undefined
  }
  /** What memory still holds beyond its lifetime is as good as new when its rows were not written since. */
  const loadKnown = async (tokenHash: string): Promise<SessionCopy | undefined> => {
    const copy = memory.get(tokenHash)
    if (!copy) return undefined
    const readAt = await rows.confirm(copy)
    // The user's epoch may have risen meanwhile: memory holds the copy no more then.
    if (readAt === undefined || memory.get(tokenHash) !== copy) return undefined
    return Object.assign(copy, spanOf(copy.view, readAt))
  }
  const share = (tokenHash: string, copy: SessionCopy) => {
    if (!cache || lifetime === 0 || !isServable(copy)) return
    const { view } = copy
    cache
      .setUnlessOlder({ key: tokenHash, owner: view.user.id, epoch: view.epoch, value: encodeView(view), lifetime })
      .catch(() => {})
  }

  return {
    recall(tokenHash) {
      if (!isInformed()) return undefined
      const copy = memory.get(tokenHash)
      if (copy === undefined) return undefined
      const now = clock.now()
      if (now >= copy.servableUntil) return undefined
      if (now >= copy.confirmFrom) ageing.note(copy)
      return copy
    },
    async load(tokenHash) {
      const shared = await loadShared(tokenHash)
      if (shared) return { copy: shared, source: 'redis' }
      const copy = (await loadKnown(tokenHash)) ?? (await loadFresh(tokenHash))
      if (!copy) return undefined
      share(tokenHash, copy)
      return { copy, source: 'database' }
    },
    async loadFresh(tokenHash) {
      const copy = await loadFresh(tokenHash)
      return copy && { copy, source: 'database' }
    },
    recallYoung(tokenHash) {
      const copy = isInformed() ? memory.get(tokenHash) : undefined
      const now = clock.now()
      return copy && now < copy.servableUntil && now < copy.readAt + lifetime * confirmAfter ? copy : undefined
    },
    async loadAll(tokenHashes) {
      const begun = generation
      const known = tokenHashes.map((hash) => memory.get(hash)).filter((copy) => copy !== undefined)
      const found = new Map<string, SessionCopy>()
      // To confirm costs less than to read, but both would be two statements.
      if (known.length === tokenHashes.length) {
        await confirmAll(known)
        // Memory holds no more what was written, or whose user's epoch has risen meanwhile.
        for (const copy of known) if (memory.get(copy.tokenHash) === copy) found.set(copy.tokenHash, copy)
      }
      const others = tokenHashes.filter((hash) => !found.has(hash))
      const views = others.length > 0 ? await rows.readAll(others) : []
      for (const [tokenHash, view] of views) found.set(tokenHash, keep(tokenHash, view, begun))
      return found
    },
    async invalidate(userId, epoch) {
      revoke(userId, epoch)
      // Neither may fail the request: the change is committed, and the feed tells the nodes that a message misses.
      await Promise.all([
        cache
          ?.raiseEpoch(userId, epoch)
          .catch((error) => log.warn({ err: error }, 'shared copies could not be outdated')),
        bus
          .publish(channel, `${userId} ${epoch}`)
          .catch((error) => log.warn({ err: error }, 'other nodes could not be told')),
      ])
    },
    noteUse(copy, now) {
      if (now < copy.noteFrom) return
      copy.noteFrom = now + minute
      const { id, parent_id } = copy.view.session
      uses.note(id)
      // The session of the browser must not run out while an application that depends on it is in use.
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
