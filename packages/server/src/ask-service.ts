import { callService } from './call-service.ts'
import { WardenryError } from './errors.ts'
import type { Settings } from './options.ts'
import type { ValidatedSession } from './session.ts'

/** What an earlier answer said, and the name that the service gave it. */
export interface KnownSession {
  value: ValidatedSession
  tag: string
}

interface Valid extends KnownSession {
  state: 'valid'
  /** In milliseconds, at the time of the answer: how long ago it was read from the database. */
  age: number
  /** In milliseconds, at the time of the answer: how long the session lasts unless it is used. */
  remaining: number
}

/** What the service knows of one session. */
export type SessionAnswer = Valid | { state: 'refused' } | { state: 'unknown'; error: WardenryError }

export interface Answers {
  /** In the order of the question. */
  answers: SessionAnswer[]
  /** From before the question was sent, on our monotonic clock. */
  askedAt: number
  /** Which process answered, and its clock. */
  clock: { process: string; time: number } | undefined
}

const path = '/auth/bridge/validate'
/** These alone say that a session is not valid. Whatever else goes wrong says nothing about it. */
const refusals = ['INVALID_SESSION', 'SESSION_EXPIRED', 'TWO_FACTOR_REQUIRED']

/** Asks about many sessions in one request. Rejects with UNAVAILABLE when there is no answer. */
export const askService =
  (settings: Pick<Settings, 'internalUrl' | 'bridgeSecret' | 'fetch'>) =>
  async (tokens: string[], known: (KnownSession | undefined)[]): Promise<Answers> => {
    const askedAt = performance.now()
    const tags = known.map((one) => one?.tag ?? '')
    const { status, body } = await callService(settings, path, { session_ids: tokens, tags })
    const { results, process, time } = body
    if (status !== 200 || !Array.isArray(results) || results.length !== tokens.length) {
      throw unavailable(`${settings.internalUrl}${path} answered ${status} ${body.code ?? ''}`.trimEnd())
    }
    const isClock = typeof process === 'string' && typeof time === 'number'
    return {
      answers: results.map((result, index) => answerOf(result, known[index])),
      askedAt,
      clock: isClock ? { process, time } : undefined,
    }
  }

function answerOf(result: Record<string, unknown> | null, known: KnownSession | undefined): SessionAnswer {
  if (result?.success === true) return validOf(result, known)
  if (refusals.includes(String(result?.code))) return { state: 'refused' }
  return { state: 'unknown', error: unavailable(`${path} answered ${result?.code} for a session`) }
}

function validOf(result: Record<string, unknown>, known: KnownSession | undefined): SessionAnswer {
  const { success: _, cached, cacheSource, timestamp, age, tag, unchanged, ...rest } = result
  const value = unchanged === true ? withTimes(known?.value, rest) : deepFreeze(rest as unknown as ValidatedSession)
  const remaining = Date.parse(value?.expires_at ?? '') - Date.parse(String(timestamp))
  const isSession = typeof value?.user?.id === 'string' && typeof value.session?.id === 'string' && remaining > 0
  if (!isSession) return { state: 'unknown', error: unavailable(`${path} answered something else than a session`) }
  return {
    state: 'valid',
    value,
    tag: String(unchanged === true ? known?.tag : (tag ?? '')),
    age: typeof age === 'number' ? age : 0,
    remaining,
  }
}

/** What is known already, with the two times that every use of a session changes. */
function withTimes(known: ValidatedSession | undefined, times: Record<string, unknown>): ValidatedSession | undefined {
  const [lastUsedAt, expiresAt] = [String(times.last_used_at), String(times.expires_at)]
  if (!known || (known.session.lastUsedAt === lastUsedAt && known.expires_at === expiresAt)) return known
  // The service repeats the end in the session for older clients, unless it is told not to.
  const repeated = 'expires_at' in known.session && { expires_at: expiresAt }
  const session = { ...known.session, lastUsedAt, expiresAt, ...repeated }
  return deepFreeze({ ...known, session, expires_at: expiresAt })
}

const unavailable = (message: string) => new WardenryError('UNAVAILABLE', message)

/** One object answers many requests: what one of them changed in it, the others would believe. */
function deepFreeze<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value
  for (const member of Object.values(value)) deepFreeze(member)
  return Object.freeze(value)
}
