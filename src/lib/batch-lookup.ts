const limits = { batch: 200, inFlight: 2 }

interface LookupResult<Key, Value> {
  get(key: Key): Value
}

interface WaitingCaller<Value> {
  resolve(value: Value): void
  reject(error: unknown): void
}

/** Starts one lookup per event loop turn, and runs at most two at a time. Callers with equal keys share a result. */
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
    try {
      const found = await lookup(batch.map(([key]) => key))
      for (const [key, callers] of batch) for (const { resolve } of callers) resolve(found.get(key))
    } catch (error) {
      for (const [, callers] of batch) for (const { reject } of callers) reject(error)
    }
    inFlight--
    schedule()
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
