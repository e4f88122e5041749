import { BoundedMap } from './bounded-map.ts'
import type { Clock } from './time.ts'

/**
 * How long a cached value may be served, in milliseconds. Values that were read together share one `Freshness` object.
 */
export interface Freshness {
  /** When the value was read or last revalidated. */
  readonly readAt: number
  /** After this time, using the value triggers a revalidation. */
  readonly revalidateFrom: number
  readonly freshUntil: number
}

/** Something that can invalidate values, such as a user, and its epoch when a value was read. */
export interface Owner {
  /** Contains no white space. Ids of different kinds of owners never collide. */
  readonly id: string
  readonly epoch: number
}

/** A value and its owners, from 1 to `maxOwners`. A later epoch of any owner invalidates the value. */
export interface Versioned {
  readonly key: string
  readonly owners: readonly Owner[]
  freshness: Freshness
  isBeingRevalidated?: boolean
}

interface Options<Value> {
  maxWeight: number
  weightOf?: (value: Value) => number
  clock: Clock
  /** Milliseconds since this node last had all invalidations from other nodes. Zero if there are no other nodes. */
  knowledgeAge?: () => number
  /** Resolves to a function that returns the new freshness of a value, or undefined if the value is outdated. */
  revalidate?: (values: Value[]) => Promise<(value: Value) => Freshness | undefined>
}

/** In milliseconds. Leaves 100 ms for the response so that no value is served more than 1 s after its invalidation. */
export const maxFeedAge = 900
/** In milliseconds. Must exceed a value's lifetime plus the duration of any read. */
export const epochLifetime = 120_000
/** A value with more owners is not cached, so that every check takes a bounded time. */
export const maxOwners = 24
const revalidation = { intervalMs: 100, maxBatch: 1_000 }

/** A value without owners could not be invalidated. */
export const isCacheable = ({ owners }: Pick<Versioned, 'owners'>): boolean =>
  owners.length > 0 && owners.length <= maxOwners

export type VersionedCache<Value extends Versioned> = ReturnType<typeof createVersionedCache<Value>>

/**
 * Serves a value only while it is fresh, no later epoch of any owner is known, and invalidations from other nodes arrive.
 */
export function createVersionedCache<Value extends Versioned>(options: Options<Value>) {
  const { clock, knowledgeAge = () => 0, ...bound } = options
  const values = new BoundedMap<string, Value>(bound)
  const epochs = new Map<string, { epoch: number; until: number }>()
  let due: Value[] = []
  /** Incremented when invalidations may have been missed. */
  let generation = 0

  const isInformed = () => knowledgeAge() <= maxFeedAge

  function isCurrent({ owners }: Versioned): boolean {
    if (epochs.size === 0) return true
    for (const { id, epoch } of owners) {
      const raised = epochs.get(id)
      if (raised !== undefined && epoch < raised.epoch) return false
    }
    return true
  }

  /** Returns a value from the current epoch. The value may have to be revalidated before it is served. */
  function get(key: string): Value | undefined {
    const value = values.get(key)
    return value && isCurrent(value) ? value : undefined
  }

  /** Returns a value that may be served. Uses neither I/O nor a promise. */
  function recall(key: string): Value | undefined {
    if (!isInformed()) return undefined
    const value = get(key)
    if (value === undefined) return undefined
    const now = clock.now()
    if (now >= value.freshness.freshUntil) return undefined
    if (now >= value.freshness.revalidateFrom && !value.isBeingRevalidated) noteDue(value)
    return value
  }

  function noteDue(value: Value): void {
    value.isBeingRevalidated = true
    if (due.push(value) === 1) setTimeout(revalidateDue, revalidation.intervalMs).unref()
  }

  /** Runs in the background so that no request waits. After a failure, the next use of a value triggers a retry. */
  async function revalidateDue(): Promise<void> {
    const batch = due.slice(0, revalidation.maxBatch)
    await revalidate(batch).catch(() => {})
    for (const value of batch) value.isBeingRevalidated = false
    due = due.slice(batch.length)
    if (due.length > 0) setTimeout(revalidateDue, revalidation.intervalMs).unref()
  }

  async function revalidate(batch: Value[]): Promise<void> {
    const freshnessOf = await options.revalidate?.(batch)
    for (const value of batch) {
      const freshness = freshnessOf?.(value)
      if (freshness) value.freshness = freshness
      else values.delete(value.key)
    }
  }

  return {
    isInformed,
    isCurrent,
    get,
    recall,
    revalidate,
    /** Call this before reading a value, and pass the result to `set`. */
    generation: () => generation,
    /** Returns false and stores nothing if the value was invalidated while it was being read, or has too many owners. */
    set(value: Value, readIn: number): boolean {
      if (readIn !== generation || !isCurrent(value) || !isCacheable(value)) return false
      values.set(value.key, value)
      return true
    },
    /** Also invalidates values that are being read. Returns false if the epoch is already known. */
    invalidate(owner: string, epoch: number): boolean {
      const now = clock.now()
      for (const [known, { until }] of epochs) {
        if (until > now) break
        epochs.delete(known)
      }
      const known = epochs.get(owner)?.epoch ?? 0
      epochs.delete(owner)
      epochs.set(owner, { epoch: Math.max(known, epoch), until: now + epochLifetime })
      return epoch > known
    },
    /** Invalidates everything, including values being read, because invalidations may have been missed. */
    invalidateAll(): void {
      values.clear()
      generation++
    },
  }
}
