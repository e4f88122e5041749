import type { components } from './api.ts'

/**
 * The known error codes. Newer versions of the service and your own modules may return others, which are compared as
 * `String(error.code)`. With `string` in this type, a misspelt comparison would compile.
 */
export type ErrorCode = components['schemas']['ErrorCode'] | ClientErrorCode | HandoverErrorCode

/** Errors without a response. */
type ClientErrorCode = 'NETWORK_ERROR' | 'COOKIE_NOT_KEPT' | PasskeyErrorCode

/** Errors of the browser. `cause` is its exception. */
export type PasskeyErrorCode = 'PASSKEY_CANCELLED' | 'PASSKEY_EXISTS' | 'PASSKEY_NOT_SUPPORTED' | 'PASSKEY_FAILED'

/** The error codes of `finishHandover`. */
type HandoverErrorCode = 'INVALID_STATE' | 'ACCESS_DENIED' | 'LOGIN_REQUIRED'

export interface FieldProblem {
  field: string
  message: string
}

interface ErrorMembers {
  code: ErrorCode
  status: number
  details?: FieldProblem[] | undefined
  retryAfter?: number | undefined
  requestId?: string | undefined
  attemptsRemaining?: number | undefined
  unknownCredential?: boolean | undefined
  cause?: unknown
}

/** Thrown for every error response. If the service is unreachable, `code` is `NETWORK_ERROR` and `status` is 0. */
export class WardenryError extends Error {
  override readonly name = 'WardenryError'
  readonly code: ErrorCode
  readonly status: number
  /** The invalid fields in the request. */
  readonly details: FieldProblem[]
  /** Seconds to wait before trying again. */
  readonly retryAfter: number | undefined
  /** Identifies the request in the service's log. */
  readonly requestId: string | undefined
  /** The number of attempts left after an incorrect second-factor code. */
  readonly attemptsRemaining: number | undefined
  /** True if the passkey belongs to no user, for example because it was removed. The browser was told to forget it. */
  readonly unknownCredential: boolean

  constructor(sentence: string, { cause, ...members }: ErrorMembers) {
    super(sentence, { cause })
    const { code, status, details, retryAfter, requestId, attemptsRemaining, unknownCredential = false } = members
    this.code = code
    this.status = status
    this.details = details ?? []
    this.retryAfter = retryAfter
    this.requestId = requestId
    this.attemptsRemaining = attemptsRemaining
    this.unknownCredential = unknownCredential
  }
}

type ErrorBody = Partial<components['schemas']['Error']>

/** The response may come from a proxy instead of the service, so `body` can be anything. */
export function errorOf({ status, headers }: Response, body: unknown): WardenryError {
  const given: ErrorBody = typeof body === 'object' && body !== null ? body : {}
  const seconds = Number(headers.get('retry-after') ?? Number.NaN)
  return new WardenryError(given.error ?? `The service returned ${status}`, {
    code: given.code ?? (status >= 500 ? 'UNAVAILABLE' : 'INTERNAL_ERROR'),
    status,
    details: given.details,
    retryAfter: Number.isFinite(seconds) ? seconds : undefined,
    requestId: given.request_id ?? headers.get('x-request-id') ?? undefined,
    attemptsRemaining: given.attempts_remaining,
    unknownCredential: given.unknown_credential,
  })
}

export const unreachable = (cause: unknown): WardenryError =>
  new WardenryError('The service could not be reached', { code: 'NETWORK_ERROR', status: 0, cause })

/** `status` is that of the request that the browser sent without the cookie. */
export function cookieNotKept(service: string, origin: string, cause: WardenryError): WardenryError {
  const sentence =
    `The browser did not keep the session cookie. Cookies must be allowed, and this page (${origin}) ` +
    `must be on the same site as the service (${service})`
  return new WardenryError(sentence, { code: 'COOKIE_NOT_KEPT', status: cause.status, cause })
}
