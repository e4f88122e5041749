import { askGroups } from './ask-groups.ts'
import { askQueue } from './ask-queue.ts'
import type { KnownSession, LookupResult, Question, ServiceResponses } from './ask-service.ts'
import { cachedBearers } from './cached-bearers.ts'
import type { EndUser } from './end-user.ts'
import { WardenryError } from './errors.ts'
import type { EventStream, StreamHandler } from './event-stream.ts'
import { Freshness } from './freshness.ts'
import type { ValidatedSession } from './session.ts'
import { SessionCache } from './session-cache.ts'

interface Parts {
  ask(questions: Question[], known: (KnownSession | undefined)[]): Promise<ServiceResponses>
  follow(handler: StreamHandler): EventStream
  maxSessions: number
}

/** The following times are in milliseconds. */
const revalidateInterval = 100
const watchInterval = 1_000
/** A stream is reopened after this long without a valid heartbeat. */
const maxUnproven = 5_000
/** A stream is reopened if the service's clock has not been measured for this long. */
const maxMeasurementAge = 120_000
/** The maximum age of a cached session, measured from the time at which the service read it from the database. */
const maxCacheTime = 5_000
const revalidateBatch = 500
/** The maximum length of a session token. */
const maxTokenLength = 512

/** Serves cached sessions while the event stream proves that they are current. Otherwise, queries the service. */
export function cachedSessions({ ask: askPlain, follow, maxSessions }: Parts) {
  const cache = new SessionCache(maxSessions)
  const freshness = new Freshness()
  let maxAge = 0
  let stream: EventStream | undefined
  let timers: NodeJS.Timeout[] = []
  let isClosed = false
  let isRevalidating = false
  let openedAt = 0
  let provenAt = 0

  const ask = async (questions: Question[]): Promise<ServiceResponses> => {
    const reply = await askPlain(
      questions,
      questions.map(({ token }) => cache.known(token)),
    )
    const { answers, askedAt, clock } = reply
    // Reopening the stream clears the cache, and nothing is stored until the new stream has started.
    if (clock && !freshness.measured(clock.process, askedAt, clock.time, performance.now())) stream?.reconnect()
    for (const [index, response] of answers.entries()) {
      const { token } = questions[index] as Question
      if (response.state === 'valid') {
        cache.set(copied(token), response, askedAt, Math.min(response.remaining, maxAge - response.age))
      }
      if (response.state === 'refused' && !concernsUse(response.code)) cache.delete(token)
    }
    return reply
  }
  const askAll = askGroups(ask)
  const queue = askQueue(askAll)

  const revalidate = async () => {
    if (isRevalidating) return
    isRevalidating = true
    const used = cache.takeUsed()
    // Errors are ignored here: a session that is not revalidated expires from the cache, and its next use queries the
    // service.
    for (let start = 0; start < used.length; start += revalidateBatch) {
      await askAll(used.slice(start, start + revalidateBatch)).catch(() => {})
    }
    isRevalidating = false
  }
  const watch = () => {
    const now = performance.now()
    cache.sweep(now)
    const isWorking = now < provenAt + maxUnproven && now < freshness.measuredAt + maxMeasurementAge
    if (isWorking || now < openedAt + maxUnproven) return
    openedAt = now
    stream?.reconnect()
  }
  const begin = () => {
    openedAt = performance.now()
    timers = [setInterval(revalidate, revalidateInterval).unref(), setInterval(watch, watchInterval).unref()]
    stream = follow({
      start({ process, time, max_age }, askedAt) {
        freshness.begin(process, askedAt, time)
        maxAge = Math.min(max_age, maxCacheTime)
        cache.restart(performance.now())
      },
      heartbeat(event) {
        const now = performance.now()
        if (!freshness.heartbeat(event, now)) return stream?.reconnect()
        cache.proveUntil(freshness.until, now)
        if (freshness.until <= now) return
        provenAt = now
        stream?.proven()
      },
      revoked: (owner) => cache.revoke(owner, performance.now()),
      missed: () => cache.restart(performance.now()),
      lost() {
        freshness.end()
        cache.lose()
      },
    })
  }

  const lookUp = async (question: Question): Promise<LookupResult> => {
    if (isClosed) throw new WardenryError('UNAVAILABLE', 'this session source was closed')
    if (!stream && maxSessions > 0) begin()
    const response = await queue(question)
    if (response.state === 'unknown') throw response.error
    return response
  }
  const cached = (token: string, endUser: EndUser | undefined) =>
    cache.get(token, endUser) as ValidatedSession | undefined

  return {
    peek: (sessionToken: string, endUser?: EndUser): ValidatedSession | 'ask' => cached(sessionToken, endUser) ?? 'ask',
    async validate(sessionToken: string, endUser?: EndUser): Promise<ValidatedSession | undefined> {
      const known = cached(sessionToken, endUser)
      if (known) return known
      if (!canBeSession(sessionToken)) return undefined
      const response = await lookUp({ token: sessionToken, endUser })
      return response.state === 'valid' ? (response.value as ValidatedSession) : undefined
    },
    bearers: cachedBearers(cache, lookUp),
    close() {
      isClosed = true
      for (const timer of timers) clearInterval(timer)
      stream?.close()
      cache.lose()
    },
  }
}

/** The key is valid, but not for this use of it. */
const concernsUse = (code: string | undefined): boolean => code === 'KEY_NETWORK' || code === 'INSUFFICIENT_SCOPE'

const canBeSession = (token: unknown): boolean =>
  typeof token === 'string' && token.length <= maxTokenLength && /^[\x21-\x7e]+$/.test(token)

/** Copies the value because a substring of a header keeps the entire header in memory. */
const copied = (token: string): string => Buffer.from(token, 'latin1').toString('latin1')
