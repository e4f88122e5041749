import type { Binding } from './binding.ts'
import { callService } from './call-service.ts'
import type { EndUser } from './end-user.ts'
import { WardenryError } from './errors.ts'
import type { Settings } from './options.ts'
import type { ValidatedSession } from './session.ts'

/** A session from an earlier response, with its tag. */
export interface KnownSession {
  value: ValidatedSession
  /** Ids whose revocation invalidates the session, such as the user's. */
  owners: readonly string[]
  tag: string
  binding: Binding | undefined
}

interface Valid extends KnownSession {
  state: 'valid'
  /** Milliseconds between the database read and the response. */
  age: number
  /** Milliseconds from the response until the session expires if it is not used. */
  remaining: number
}

/** A session to look up for a visitor. */
export interface Question {
  token: string
  endUser: EndUser | undefined
}

/** The result of looking up one session. */
export type SessionResponse = Valid | { state: 'refused' } | { state: 'unknown'; error: WardenryError }

export interface ServiceResponses {
  /** In the same order as the requested sessions. */
  answers: SessionResponse[]
  /** The time at which the request was sent, on this process's monotonic clock. */
  askedAt: number
  /** The process that responded, and the time on its monotonic clock. */
  clock: { process: string; time: number } | undefined
}

const path = '/auth/bridge/validate'
/** Only these codes mean that a session is invalid. After any other error, its state is unknown. */
const rejections = ['INVALID_SESSION', 'SESSION_EXPIRED', 'TWO_FACTOR_REQUIRED']

/** Validates multiple sessions in one request. Rejects with a 503 error if the service does not return their states. */
export const askService =
  (settings: Pick<Settings, 'internalUrl' | 'bridgeSecret' | 'fetch'>) =>
  async (questions: Question[], known: (KnownSession | undefined)[]): Promise<ServiceResponses> => {
    const askedAt = performance.now()
    const tags = known.map((one) => one?.tag ?? '')
    const { status, body } = await callService(settings, path, {
      session_ids: questions.map(({ token }) => token),
      tags,
      end_users: questions.map(({ endUser }) => endUser ?? {}),
    })
    const { results, process, time } = body
    if (status !== 200 || !Array.isArray(results) || results.length !== questions.length) {
      throw unavailable(`${settings.internalUrl}${path} returned ${status} ${body.code ?? ''}`.trimEnd())
    }
    const isClock = typeof process === 'string' && typeof time === 'number'
    return {
      answers: results.map((result, index) => responseOf(result, known[index])),
      askedAt,
      clock: isClock ? { process, time } : undefined,
    }
  }

function responseOf(result: Record<string, unknown> | null, known: KnownSession | undefined): SessionResponse {
  if (result?.success === true) return validOf(result, known)
  if (rejections.includes(String(result?.code))) return { state: 'refused' }
  return { state: 'unknown', error: unavailable(`${path} returned ${result?.code} for a session`) }
}

function validOf(result: Record<string, unknown>, known: KnownSession | undefined): SessionResponse {
  const { success: _, cached, cacheSource, timestamp, age, tag, binding, unchanged, owners, ...rest } = result
  const value = unchanged === true ? withTimes(known?.value, rest) : deepFreeze(rest as unknown as ValidatedSession)
  const remaining = Date.parse(value?.expires_at ?? '') - Date.parse(String(timestamp))
  const isSession =
    typeof value?.user?.id === 'string' && typeof value.session?.id === 'string' && remaining > 0 && areIds(owners)
  if (!isSession) return { state: 'unknown', error: unavailable(`${path} did not return a session`) }
  return {
    state: 'valid',
    value,
    owners: unchanged === true && known ? known.owners : [...new Set([value.user.id, ...((owners as string[]) ?? [])])],
    tag: String(unchanged === true ? known?.tag : (tag ?? '')),
    binding: unchanged === true ? known?.binding : bindingOf(binding),
    age: typeof age === 'number' ? age : 0,
    remaining,
  }
}

/** The service omits the owners if the user is the only one. */
const areIds = (owners: unknown): boolean =>
  owners === undefined || (Array.isArray(owners) && owners.every((id) => typeof id === 'string'))

/** A malformed value matches no visitor. */
function bindingOf(binding: unknown): Binding | undefined {
  if (binding === undefined) return undefined
  const { ip, user_agent } = (binding ?? {}) as Partial<Binding>
  return { ip: String(ip), user_agent: String(user_agent) }
}

/** Updates the two times that change whenever a session is used. */
function withTimes(known: ValidatedSession | undefined, times: Record<string, unknown>): ValidatedSession | undefined {
  const [lastUsedAt, expiresAt] = [String(times.last_used_at), String(times.expires_at)]
  if (!known || (known.session.lastUsedAt === lastUsedAt && known.expires_at === expiresAt)) return known
  // With CLIENT_COMPAT, the service repeats `expires_at` inside `session`.
  const repeated = 'expires_at' in known.session && { expires_at: expiresAt }
  const session = { ...known.session, lastUsedAt, expiresAt, ...repeated }
  return deepFreeze({ ...known, session, expires_at: expiresAt })
}

const unavailable = (message: string) => new WardenryError('UNAVAILABLE', message)

/** The cache returns the same object to many requests, so the object must not be modified. */
function deepFreeze<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value
  for (const member of Object.values(value)) deepFreeze(member)
  return Object.freeze(value)
}
