import type { components } from './api.ts'

/** The known error codes. A newer version of the service may return others. */
export type ErrorCode = components['schemas']['ErrorCode'] | 'NETWORK_ERROR' | (string & {})

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
  cause?: unknown
}

/** Thrown for every error response. If the service cannot be reached, `code` is `NETWORK_ERROR` and `status` is 0. */
export class WardenryError extends Error {
  override readonly name = 'WardenryError'
  readonly code: ErrorCode
  readonly status: number
  /** The invalid members of the request. */
  readonly details: FieldProblem[]
  /** Seconds to wait before the next attempt. */
  readonly retryAfter: number | undefined
  /** Identifies the request in the service's log. */
  readonly requestId: string | undefined
  /** After a wrong second factor, the number of remaining attempts. */
  readonly attemptsRemaining: number | undefined

  constructor(
    sentence: string,
    { code, status, details, retryAfter, requestId, attemptsRemaining, cause }: ErrorMembers,
  ) {
    super(sentence, { cause })
    this.code = code
    this.status = status
    this.details = details ?? []
    this.retryAfter = retryAfter
    this.requestId = requestId
    this.attemptsRemaining = attemptsRemaining
  }
}

type ErrorBody = Partial<components['schemas']['Error']>

/** The response may come from a proxy instead of the service, so `body` can have any content. */
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
  })
}

export const unreachable = (cause: unknown): WardenryError =>
  new WardenryError('The service could not be reached', { code: 'NETWORK_ERROR', status: 0, cause })
