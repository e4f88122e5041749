import { databaseFault } from './errors.ts'

const limits = { batch: 200, inFlight: 2 }

interface LookupResult<Key, Value> {
  get(key: Key): Value
}

interface WaitingCaller<Value> {
  resolve(value: Value): void
  reject(error: unknown): void
}

type Batch<Key, Value> = readonly (readonly [Key, readonly WaitingCaller<Value>[]])[]

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
    await settle(batch)
    inFlight--
    schedule()
  }
  const settle = async (batch: Batch<Key, Value>): Promise<void> => {
    const error = await failureOf(batch)
    if (error === undefined) return
    // If the database is away, it would be for each of the keys, and their callers would wait even longer.
    if (batch.length === 1 || databaseFault(error)) return rejectAll(batch, error)
    for (const [at, one] of batch.entries()) {
      const ofKey = await failureOf([one])
      if (databaseFault(ofKey)) return rejectAll(batch.slice(at), ofKey)
      if (ofKey !== undefined) rejectAll([one], ofKey)
    }
  }
  /** Undefined if the callers have their results. */
  const failureOf = async (batch: Batch<Key, Value>): Promise<unknown> => {
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

function rejectAll<Key, Value>(batch: Batch<Key, Value>, error: unknown): void {
  for (const [, callers] of batch) for (const { reject } of callers) reject(error)
}
