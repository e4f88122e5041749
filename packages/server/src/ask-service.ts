import type { Binding } from './binding.ts'
import { callService } from './call-service.ts'
import type { ValidatedBearer } from './credential.ts'
import type { EndUser } from './end-user.ts'
import { WardenryError, type WardenryErrorCode } from './errors.ts'
import type { Settings } from './options.ts'
import { ownersOfBearer } from './read-bearer.ts'
import type { ValidatedSession } from './session.ts'

/** A session, key or token from an earlier response, with its tag. */
export interface KnownSession {
  value: ValidatedSession | ValidatedBearer
  /** Ids whose revocation invalidates the value, such as the user's. */
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

/** A session, key or token to look up for a visitor. */
export interface Question {
  token: string
  endUser: EndUser | undefined
  /** Only for keys and tokens: the scopes that it must have. */
  scopes?: readonly string[] | undefined
  /** Only for tokens: the API that is called. */
  resource?: string | undefined
}

/** The service accepted or rejected a session, key or token. Only sessions are rejected without a code. */
export type LookupResult = Valid | { state: 'refused'; code?: WardenryErrorCode }

/** The result of looking up one session, key or token. */
export type SessionResponse = LookupResult | { state: 'unknown'; error: WardenryError }

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
const bearerRejections = ['INVALID_CREDENTIAL', 'KEY_PAUSED', 'KEY_NETWORK', 'INSUFFICIENT_SCOPE'] as const

/**
 * Validates multiple sessions, or multiple keys or tokens of which the same is demanded, in one request. Rejects with a 503
 * error if the service does not return their states.
 */
export const askService =
  (settings: Pick<Settings, 'internalUrl' | 'bridgeSecret' | 'fetch'>) =>
  async (questions: Question[], known: (KnownSession | undefined)[]): Promise<ServiceResponses> => {
    const askedAt = performance.now()
    const tags = known.map((one) => one?.tag ?? '')
    const { status, body } = await callService(settings, path, {
      ...credentialsOf(questions),
      tags,
      end_users: questions.map(({ endUser }) => endUser ?? {}),
    })
    const { results, process, time } = body
    if (status !== 200 || !Array.isArray(results) || results.length !== questions.length) {
      throw unavailable(`${settings.internalUrl}${path} returned ${status} ${body.code ?? ''}`.trimEnd())
    }
    const isClock = typeof process === 'string' && typeof time === 'number'
    return {
      answers: results.map((result, index) =>
        (questions[0]?.scopes ? responseOfBearer : responseOf)(result, known[index]),
      ),
      askedAt,
      clock: isClock ? { process, time } : undefined,
    }
  }

function credentialsOf(questions: Question[]): object {
  const tokens = questions.map(({ token }) => token)
  const { scopes, resource } = questions[0] ?? {}
  if (!scopes) return { session_ids: tokens }
  const kind = resource === undefined ? { accept: ['api_key'] } : { accept: ['token'], resource }
  return { credentials: tokens, ...kind, ...(scopes.length > 0 && { scopes }) }
}

type Result = Record<string, unknown> | null

function responseOfBearer(result: Result, known: KnownSession | undefined): SessionResponse {
  if (result?.success === true) return validOf(result, known, readBearer)
  const code = bearerRejections.find((one) => one === result?.code)
  if (code) return { state: 'refused', code }
  return { state: 'unknown', error: unavailable(`${path} returned ${result?.code} for a key or token`) }
}

function responseOf(result: Result, known: KnownSession | undefined): SessionResponse {
  if (result?.success === true) return validOf(result, known, readSession)
  if (rejections.includes(String(result?.code))) return { state: 'refused' }
  return { state: 'unknown', error: unavailable(`${path} returned ${result?.code} for a session`) }
}

type Read = (content: unknown, owners: unknown) => string[] | undefined

/** `read` returns the owners, or undefined if the content is malformed. */
function validOf(result: Record<string, unknown>, known: KnownSession | undefined, read: Read): SessionResponse {
  const { success: _, cached, cacheSource, timestamp, age, tag, binding, unchanged, owners, ...rest } = result
  const isUnchanged = unchanged === true
  const value = isUnchanged ? withTimes(known?.value, rest) : deepFreeze(rest as unknown as KnownSession['value'])
  const ids = read(value, isUnchanged ? known?.owners : owners)
  const remaining = remainingOf(value, timestamp)
  if (!value || !ids || !(remaining > 0)) {
    return { state: 'unknown', error: unavailable(`${path} did not return a session, key or token`) }
  }
  return {
    state: 'valid',
    value,
    owners: ids,
    tag: String(isUnchanged ? known?.tag : (tag ?? '')),
    binding: isUnchanged ? known?.binding : bindingOf(binding),
    age: typeof age === 'number' ? age : 0,
    remaining,
  }
}

/** Only a key can be without an end. */
function remainingOf(value: KnownSession['value'] | undefined, timestamp: unknown): number {
  if (value?.session === null && value.expires_at === null) return Number.POSITIVE_INFINITY
  return Date.parse(value?.expires_at ?? '') - Date.parse(String(timestamp))
}

const readBearer: Read = (content, owners) => ownersOfBearer(content as ValidatedBearer | undefined, owners)

/** The service omits the owners if the user is the only one. */
function readSession(content: unknown, owners: unknown = []): string[] | undefined {
  const { user, session } = (content ?? {}) as Partial<ValidatedSession>
  if (typeof user?.id !== 'string' || typeof session?.id !== 'string') return undefined
  if (!Array.isArray(owners) || !owners.every((id) => typeof id === 'string')) return undefined
  return [...new Set([user.id, ...(owners as string[])])]
}

/** A malformed value matches no visitor. */
function bindingOf(binding: unknown): Binding | undefined {
  if (binding === undefined) return undefined
  const { ip, user_agent } = (binding ?? {}) as Partial<Binding>
  return { ip: String(ip), user_agent: String(user_agent) }
}

/** Updates the times that can change between two responses with the same tag. */
function withTimes(
  known: KnownSession['value'] | undefined,
  times: Record<string, unknown>,
): KnownSession['value'] | undefined {
  if (known?.session === null) return withEnd(known, times.expires_at)
  const [lastUsedAt, expiresAt] = [String(times.last_used_at), String(times.expires_at)]
  if (!known || (known.session.lastUsedAt === lastUsedAt && known.expires_at === expiresAt)) return known
  // With CLIENT_COMPAT, the service repeats `expires_at` inside `session`.
  const repeated = 'expires_at' in known.session && { expires_at: expiresAt }
  const session = { ...known.session, lastUsedAt, expiresAt, ...repeated }
  return deepFreeze({ ...known, session, expires_at: expiresAt })
}

/** Only the end of a key can change. */
function withEnd(known: ValidatedBearer, expiresAt: unknown): ValidatedBearer {
  const end = expiresAt === null ? null : String(expiresAt)
  if (known.expires_at === end || known.kind === 'token') return known
  return deepFreeze({ ...known, expires_at: end })
}

const unavailable = (message: string) => new WardenryError('UNAVAILABLE', message)

/** The cache returns the same object to many requests, so the object must not be modified. */
function deepFreeze<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value
  for (const member of Object.values(value)) deepFreeze(member)
  return Object.freeze(value)
}
