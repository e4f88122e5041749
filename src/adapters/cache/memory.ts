import { type Cache, epochLifetime } from './port.ts'

export interface MemoryCacheOptions {
  maxEntries?: number
  /** Monotonic milliseconds. */
  now?: () => number
}

interface Stored {
  owner: string
  epoch: number
  value: string
  expiresAt: number
}

export function createMemoryCache(options: MemoryCacheOptions = {}): Cache {
  const { maxEntries = 50_000, now = () => performance.now() } = options
  // A Map remembers the order of its insertions: what is read moves to the end, so the first one is out of use.
  const entries = new Map<string, Stored>()
  const epochs = createEpochs(maxEntries, now)

  function isOutdated(entry: Stored): boolean {
    return entry.expiresAt <= now() || entry.epoch < epochs.of(entry.owner)
  }

  return {
    async get(key) {
      const entry = entries.get(key)
      if (!entry) return undefined
      entries.delete(key)
      if (isOutdated(entry)) return undefined
      entries.set(key, entry)
      return entry.value
    },
    async setUnlessOlder({ key, owner, epoch, value, lifetime }) {
      if (epoch < epochs.of(owner)) return
      epochs.raise(owner, epoch)
      entries.delete(key)
      entries.set(key, { owner, epoch, value, expiresAt: now() + lifetime })
      if (entries.size > maxEntries) dropFirst(entries)
    },
    async raiseEpoch(owner, epoch) {
      epochs.raise(owner, epoch)
    },
    async close() {
      entries.clear()
    },
  }
}

function dropFirst(entries: Map<string, Stored>): void {
  const { value: first } = entries.keys().next()
  if (first !== undefined) entries.delete(first)
}

/**
 * Two generations: a full or aged one replaces the one before, so that an epoch is kept for at least `epochLifetime`
 * (unless more owners than `maxOwners` change within it) without a timer each.
 */
function createEpochs(maxOwners: number, now: () => number) {
  let young = new Map<string, number>()
  let old = new Map<string, number>()
  let agedAt = now() + epochLifetime

  const of = (owner: string): number => young.get(owner) ?? old.get(owner) ?? Number.NEGATIVE_INFINITY

  function raise(owner: string, epoch: number): void {
    if (young.size >= maxOwners || now() >= agedAt) {
      old = young
      young = new Map()
      agedAt = now() + epochLifetime
    }
    young.set(owner, Math.max(epoch, of(owner)))
  }

  return { of, raise }
}
