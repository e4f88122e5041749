import { setTimeout as sleep } from 'node:timers/promises'
import { DatabaseUnresponsive } from './errors.ts'

const quietLimit = 1_000
const lookEvery = 250

export interface ResponsivenessWatch {
  /** Rejects with `DatabaseUnresponsive` as soon as the server is found unresponsive. */
  answered<Value>(work: () => Promise<Value>): Promise<Value>
  /** Like `answered`, but completed work does not prove that the server responds. */
  wait<Value>(work: () => Promise<Value>, tidy?: (late: Value) => void): Promise<Value>
  stop(): void
}

const newSilence = () => new DatabaseUnresponsive('the database does not answer')

/**
 * A frozen server keeps connections open, so waiting work is rejected if the server sends no response for one second
 * and a probe then fails.
 */
export function watchResponsiveness(probe: () => Promise<boolean>, probeLimit: number): ResponsivenessWatch {
  const waiting = new Set<(error: Error) => void>()
  let state: 'well' | 'asking' | 'silent' | 'stopped' = 'well'
  let lastSign = performance.now()
  // Unlike `lastSign`, `lastResponse` is not updated when work begins to wait.
  let lastResponse = lastSign

  async function ask(): Promise<void> {
    state = 'asking'
    if (await hearsAnything()) state = 'well'
    else if (isOpen()) {
      state = 'silent'
      for (const fail of waiting) fail(newSilence())
      while (isOpen() && !(await probe())) await sleep(lookEvery, undefined, { ref: false })
      if (isOpen()) state = 'well'
    }
    lastSign = performance.now()
  }

  async function hearsAnything(): Promise<boolean> {
    const requested = performance.now()
    if (await probe()) return true
    // If the probe took far longer than its limit, this process was suspended and may not have read all responses.
    return lastResponse > requested || performance.now() - requested > 3 * probeLimit
  }

  const isOpen = () => state !== 'stopped'
  const isSilent = () => state === 'silent'
  const look = () => {
    if (state === 'well' && waiting.size > 0 && performance.now() - lastSign > quietLimit) void ask()
  }
  const timer = setInterval(look, lookEvery).unref()

  async function wait<Value>(work: () => Promise<Value>, tidy = (_late: Value) => {}): Promise<Value> {
    if (isSilent()) throw newSilence()
    if (waiting.size === 0) lastSign = performance.now()
    const { promise: silence, reject } = Promise.withResolvers<never>()
    waiting.add(reject)
    const outcome = work()
    try {
      return await Promise.race([outcome, silence])
    } catch (error) {
      if (error instanceof DatabaseUnresponsive) outcome.then(tidy, () => {})
      throw error
    } finally {
      waiting.delete(reject)
    }
  }

  return {
    async answered(work) {
      let isResponse = true
      try {
        return await wait(work)
      } catch (error) {
        // Server errors have a severity; driver and system errors do not.
        isResponse = error instanceof Error && 'severity' in error
        throw error
      } finally {
        if (isResponse) lastResponse = lastSign = performance.now()
      }
    },
    wait,
    stop() {
      state = 'stopped'
      clearInterval(timer)
    },
  }
}
