import { databaseFault } from './errors.ts'

const limits = { batch: 200, inFlight: 2 }

interface LookupResult<Key, Value> {
  get(key: Key): Value
}

interface WaitingCaller<Value> {
  resolve(value: Value): void
  reject(error: unknown): void
}

type WaitingKey<Key, Value> = readonly [Key, readonly WaitingCaller<Value>[]]

/**
 * Starts one lookup per event loop turn, and runs at most two at a time. Callers with equal keys share a result. If a lookup
 * fails, its keys are looked up one by one, so that a key that the database rejects fails alone.
 */
export function batchLookup<Key, Value>(lookup: (keys: Key[]) => Promise<LookupResult<Key, Value>>) {
  const waiting = new Map<Key, WaitingCaller<Value>[]>()
  let inFlight = 0
  let scheduled = false

  const flush = async () => {
    scheduled = false
    if (inFlight >= limits.inFlight || waiting.size === 0) return
    const batch = [...waiting].slice(0, limits.batch)
    for (const [key] of batch) waiting.delete(key)
    inFlight++
    const error = await settle(batch)
    // If the database is away, it would be for each of the keys, and their callers would wait even longer.
    const isOfKey = error !== undefined && batch.length > 1 && !databaseFault(error)
    if (isOfKey) for (const one of batch) rejectAll([one], await settle([one]))
    else rejectAll(batch, error)
    inFlight--
    schedule()
  }
  /** Returns the error of the lookup. */
  const settle = async (batch: readonly WaitingKey<Key, Value>[]): Promise<unknown> => {
    try {
      const found = await lookup(batch.map(([key]) => key))
      for (const [key, callers] of batch) for (const { resolve } of callers) resolve(found.get(key))
      return undefined
    } catch (error) {
      return error ?? new Error('a lookup failed without an error')
    }
  }
  const schedule = () => {
    if (scheduled || waiting.size === 0) return
    scheduled = true
    setImmediate(flush)
  }
  return (key: Key): Promise<Value> =>
    new Promise((resolve, reject) => {
      const callers = waiting.get(key)
      if (callers) callers.push({ resolve, reject })
      else waiting.set(key, [{ resolve, reject }])
      schedule()
    })
}

/** Without an error, the callers have their results. */
function rejectAll<Key, Value>(batch: readonly WaitingKey<Key, Value>[], error: unknown): void {
  if (error === undefined) return
  for (const [, callers] of batch) for (const { reject } of callers) reject(error)
}
