import type { Question, ServiceResponses, SessionResponse } from './ask-service.ts'
import { WardenryError } from './errors.ts'

/** The maximum numbers of sessions per request, of concurrent requests and of waiting sessions. */
const limits = { batch: 500, inFlight: 4, waiting: 20_000 }

interface Asking {
  question: Question
  callers: Waiting[]
}

interface Waiting {
  resolve(answer: SessionResponse): void
  reject(error: unknown): void
}

/**
 * Combines the lookups from one turn of the event loop into as few requests as possible. If several waiting lookups are
 * for the same credential, visitor, scopes and API, it is requested only once.
 */
export function askQueue(ask: (questions: Question[]) => Promise<Pick<ServiceResponses, 'answers'>>) {
  const waiting = new Map<string, Asking>()
  let inFlight = 0
  let isScheduled = false

  const flush = async () => {
    isScheduled = false
    if (inFlight >= limits.inFlight || waiting.size === 0) return
    const batch = [...waiting].slice(0, limits.batch)
    for (const [key] of batch) waiting.delete(key)
    inFlight++
    schedule()
    try {
      const { answers } = await ask(batch.map(([, { question }]) => question))
      for (const [index, [, { callers }]] of batch.entries()) {
        for (const { resolve } of callers) resolve(answers[index] as SessionResponse)
      }
    } catch (error) {
      for (const [, { callers }] of batch) for (const { reject } of callers) reject(error)
    }
    inFlight--
    schedule()
  }
  const schedule = () => {
    if (isScheduled || waiting.size === 0 || inFlight >= limits.inFlight) return
    isScheduled = true
    setImmediate(flush)
  }
  return (question: Question): Promise<SessionResponse> =>
    new Promise((resolve, reject) => {
      const { token, endUser, scopes, resource } = question
      const key = JSON.stringify([token, endUser?.ip, endUser?.user_agent, scopes, resource])
      const asking = waiting.get(key)
      if (asking) asking.callers.push({ resolve, reject })
      else if (waiting.size < limits.waiting) waiting.set(key, { question, callers: [{ resolve, reject }] })
      else reject(new WardenryError('UNAVAILABLE', 'too many session lookups are waiting for the service'))
      schedule()
    })
}
