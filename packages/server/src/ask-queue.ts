import type { Answers, SessionAnswer } from './ask-service.ts'
import { WardenryError } from './errors.ts'

/** The maximum numbers of sessions per request, of concurrent requests and of waiting sessions. */
const limits = { batch: 500, inFlight: 4, waiting: 20_000 }

interface Waiting {
  resolve(answer: SessionAnswer): void
  reject(error: unknown): void
}

/**
 * Combines the lookups from one turn of the event loop into as few requests as possible. If several waiting lookups are
 * for the same session, it is requested only once.
 */
export function askQueue(ask: (tokens: string[]) => Promise<Answers>) {
  const waiting = new Map<string, Waiting[]>()
  let inFlight = 0
  let isScheduled = false

  const flush = async () => {
    isScheduled = false
    if (inFlight >= limits.inFlight || waiting.size === 0) return
    const batch = [...waiting].slice(0, limits.batch)
    for (const [token] of batch) waiting.delete(token)
    inFlight++
    schedule()
    try {
      const { answers } = await ask(batch.map(([token]) => token))
      for (const [index, [, callers]] of batch.entries()) {
        for (const { resolve } of callers) resolve(answers[index] as SessionAnswer)
      }
    } catch (error) {
      for (const [, callers] of batch) for (const { reject } of callers) reject(error)
    }
    inFlight--
    schedule()
  }
  const schedule = () => {
    if (isScheduled || waiting.size === 0 || inFlight >= limits.inFlight) return
    isScheduled = true
    setImmediate(flush)
  }
  return (token: string): Promise<SessionAnswer> =>
    new Promise((resolve, reject) => {
      const callers = waiting.get(token)
      if (callers) callers.push({ resolve, reject })
      else if (waiting.size < limits.waiting) waiting.set(token, [{ resolve, reject }])
      else reject(new WardenryError('UNAVAILABLE', 'too many session lookups are waiting for the service'))
      schedule()
    })
}
