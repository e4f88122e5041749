import type { Bus } from '../adapters/bus/port.ts'
import type { Cache } from '../adapters/cache/port.ts'
import type { Config } from '../config/load.ts'
import type { ModuleState, SessionCopies, SessionView } from '../context.ts'
import type { Db } from '../db/tables.ts'
import type { Logger } from '../lib/log.ts'
import { type Clock, minute } from '../lib/time.ts'
import { userColumns } from '../users/columns.ts'
import { batchLookup } from './batch-lookup.ts'
import { decodeView, encodeView } from './encode-view.ts'
import { MemoryCopies } from './memory-copies.ts'
import { sessionLookup } from './queries.ts'
import { expiryOf } from './session.ts'
import { collectUses } from './touch-sessions.ts'

interface Parts {
  config: Config
  clock: Clock
  db: Db
  log: Logger
  bus: Bus
  /** The shared cache; undefined without Redis. */
  cache: Cache | undefined
  modules: ModuleState
}

const channel = 'session-epoch'
/** A node that has not heard its own beat for this long may have missed messages, and trusts its memory no more. */
const trustWithoutBeat = 900

/** Memory, then the shared cache, then the database. No copy is served beyond its lifetime, whatever gets lost. */
export function createSessionCopies(parts: Parts): SessionCopies & { stop(): Promise<void> } {
  const { config, clock, db, bus, cache, log } = parts
  const lifetime = config.SESSION_VALIDATION_CACHE_TTL
  const memory = new MemoryCopies()
  const uses = collectUses(db, clock, log)
  const read = readRow(parts)
  /** Partial sessions are never served from a copy. */
  const servableUntil = (view: SessionView) =>
    view.session.status === 'active'
      ? Math.min(view.read_at + lifetime, expiryOf(config, view.session, view.user.user_type))
      : 0
  const isServable = (view: SessionView) => clock.now() < servableUntil(view)
  const noteFrom = (view: SessionView) => view.session.last_used_at.getTime() + minute
  const keep = (tokenHash: string, view: SessionView) =>
    memory.set(tokenHash, {
      view,
      servableUntil: servableUntil(view),
      noteFrom: noteFrom(view),
      bridgeAnswer: undefined,
    })

  bus.subscribe(channel, (payload) => {
    const [userId = '', epoch = '0'] = payload.split(' ')
    memory.raiseEpoch(userId, Number(epoch), clock.now())
  })
  bus.onReconnect(() => memory.clear())

  const loadFresh = async (tokenHash: string) => {
    const view = await read(tokenHash)
    if (view && isServable(view)) keep(tokenHash, view)
    return view
  }
  const loadShared = async (tokenHash: string): Promise<SessionView | undefined> => {
    if (!cache || lifetime === 0) return undefined
    const text = await cache.get(tokenHash).catch(() => undefined)
    const view = text === undefined ? undefined : decodeView(text)
    if (!view || !isServable(view)) return undefined
    keep(tokenHash, view)
    return view
  }
  const share = (tokenHash: string, view: SessionView) => {
    if (!cache || lifetime === 0 || !isServable(view)) return
    cache
      .setUnlessOlder({ key: tokenHash, owner: view.user.id, epoch: view.epoch, value: encodeView(view), lifetime })
      .catch(() => {})
  }

  return {
    recall(tokenHash) {
      if (bus.sinceLastBeat() > trustWithoutBeat) return undefined
      const copy = memory.get(tokenHash)
      return copy && clock.now() < copy.servableUntil ? copy : undefined
    },
    async load(tokenHash) {
      const shared = await loadShared(tokenHash)
      if (shared) return { view: shared, source: 'redis' }
      const view = await loadFresh(tokenHash)
      if (!view) return undefined
      share(tokenHash, view)
      return { view, source: 'database' }
    },
    loadFresh,
    async invalidate(userId, epoch) {
      memory.raiseEpoch(userId, epoch, clock.now())
      // Neither may fail the request: the change is committed, and the lifetime of copies bounds what a lost message costs.
      await cache
        ?.raiseEpoch(userId, epoch)
        .catch((error) => log.warn({ err: error }, 'shared copies could not be outdated'))
      await bus
        .publish(channel, `${userId} ${epoch}`)
        .catch((error) => log.warn({ err: error }, 'other nodes could not be told'))
    },
    noteUse(view) {
      if (clock.now() >= noteFrom(view)) uses.note(view.session.id)
    },
    stop: () => uses.stop(),
  }
}

/** One batch of lookups for the columns of the moment: modules may add some while the service runs. */
function readRow({ db, clock, modules }: Parts): (tokenHash: string) => Promise<SessionView | undefined> {
  let known = ''
  let lookup: ReturnType<typeof batchLookup<SessionView>> | undefined
  return (tokenHash) => {
    const columns = userColumns(modules)
    const key = columns.join()
    if (!lookup || key !== known) {
      known = key
      const find = sessionLookup(columns)
      // The age of a copy counts from before the read: what changes while it is under way is newer.
      lookup = batchLookup((hashes) => find(db, hashes, clock.now()))
    }
    return lookup(tokenHash)
  }
}
