import type { Logger } from '../../lib/log.ts'
import { type Clock, minute } from '../../lib/time.ts'
import { isCacheable, type Versioned, type VersionedCache } from '../../lib/versioned-cache.ts'
import type { Bus } from '../bus/port.ts'
import type { Cache } from './port.ts'

interface EntryParts<Value extends Versioned> {
  memory: VersionedCache<Value>
  sharedCache: Cache | undefined
  clock: Clock
  encode(value: Value): string
  /** Returns undefined for corrupt data. */
  decode(key: string, text: string): Value | undefined
}

interface Parts<Value extends Versioned> extends EntryParts<Value> {
  bus: Bus
  channel: string
  log: Logger
  /** Called once per raised epoch. */
  onInvalidate?(owner: string, epoch: number): void
}

/** Values are shared through the shared cache, and raised epochs through the shared cache and the bus. */
export function createSharedTier<Value extends Versioned>(parts: Parts<Value>) {
  const { memory, bus, channel, sharedCache, log } = parts

  const invalidateHere = (owner: string, epoch: number) => {
    if (memory.invalidate(owner, epoch)) parts.onInvalidate?.(owner, epoch)
  }
  bus.subscribe(channel, (payload) => {
    const [owner = '', epoch = '0'] = payload.split(' ')
    // No epoch is later than NaN, so it would hide all later revocations.
    if (!Number.isNaN(Number(epoch))) invalidateHere(owner, Number(epoch))
  })
  // Logs the error without throwing it: the change is committed, and other nodes also learn of it from the database.
  const warn = (error: unknown) =>
    log.warn({ err: error, channel }, 'could not invalidate cached values on other nodes')

  return {
    invalidateHere,
    async invalidate(owner: string, epoch: number): Promise<void> {
      invalidateHere(owner, epoch)
      await Promise.all([
        sharedCache?.raiseEpoch(owner, epoch).catch(warn),
        bus.publish(channel, `${owner} ${epoch}`).catch(warn),
      ])
    },
    ...createSharedEntries(parts),
  }
}

/** Values that nodes share. Their owners' epochs are raised with `invalidate` of a shared tier. */
export function createSharedEntries<Value extends Versioned>(parts: EntryParts<Value>) {
  const { memory, sharedCache, clock } = parts

  function decode(key: string, text: string): Value | undefined {
    try {
      return parts.decode(key, text)
    } catch {
      return undefined
    }
  }

  return {
    /**
     * Reads a value from the shared cache and stores it in memory. Ignores values that were read from the database
     * before `readFrom`.
     */
    async load(key: string, readFrom = 0): Promise<Value | undefined> {
      if (!sharedCache || !memory.isInformed()) return undefined
      // The generation changes if a revocation is missed during the Redis request. The value is then not used.
      const generation = memory.generation()
      const text = await sharedCache.get(key).catch(() => undefined)
      const value = text === undefined ? undefined : decode(key, text)
      if (!value || value.freshness.readAt < readFrom || !memory.isInformed()) return undefined
      return clock.now() < value.freshness.freshUntil && memory.set(value, generation) ? value : undefined
    },
    share(value: Value): void {
      const { key, owners, freshness } = value
      const lifetime = Math.min(freshness.freshUntil - clock.now(), minute)
      if (!sharedCache || lifetime <= 0 || !isCacheable(value)) return
      sharedCache.setUnlessOlder({ key, owners, value: parts.encode(value), lifetime }).catch(() => {})
    },
  }
}
