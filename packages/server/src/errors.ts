const table = {
  INVALID_SESSION: [401, 'Sign in to continue.'],
  INVALID_CREDENTIAL: [401, 'A valid API key or access token is required.'],
  KEY_PAUSED: [401, 'This API key is paused.'],
  KEY_NETWORK: [403, 'This API key cannot be used from this network.'],
  INSUFFICIENT_SCOPE: [403, 'This request requires a scope that is missing.'],
  FORBIDDEN: [403, 'Your account has no access to this page.'],
  CSRF_REJECTED: [403, 'This request came from a page of another site.'],
  REAUTH_REQUIRED: [403, 'Confirm your identity to continue.'],
  TWO_FACTOR_REQUIRED: [403, 'This page requires a sign-in with a second factor.'],
  AMBIGUOUS_SESSION: [400, 'This browser has too many sessions of this site to sign out.'],
  INVALID_STATE: [400, 'This sign-in has expired, was already used, or was started in another browser.'],
  INVALID_CODE: [400, 'This sign-in has expired or was already used.'],
  ACCESS_DENIED: [403, 'You cancelled the sign-in.'],
  INVALID_EVENT: [400, 'This event is not valid.'],
  SIGN_IN_FAILED: [400, 'The sign-in failed.'],
  METHOD_NOT_ALLOWED: [405, 'This address accepts only POST requests.'],
  BRIDGE_SECRET_REQUIRED: [503, 'Sign-in is temporarily unavailable.'],
  UNAVAILABLE: [503, 'Sign-in is temporarily unavailable.'],
} as const satisfies Record<string, readonly [status: number, sentence: string]>

export type WardenryErrorCode = keyof typeof table

/**
 * This package's only error class. `code` is for programs, `message` can be shown to users, and `cause` explains the
 * error in logs. If the error is not caught, Express and Koa respond with its `status`, Fastify and NestJS with its
 * `statusCode`, and Hono with `getResponse()`. Has the members of errors from the package `http-errors`.
 */
export class WardenryError extends Error {
  override readonly name = 'WardenryError'
  readonly code: WardenryErrorCode
  readonly status: number
  readonly statusCode: number
  /** Whether frameworks put the message in the response. */
  readonly expose: boolean
  /** Headers that Express, Fastify and Koa add to the response. */
  readonly headers: Readonly<Record<string, string>>

  constructor(code: WardenryErrorCode, reason?: string, cause?: unknown) {
    const [status, sentence] = table[code]
    super(sentence, reason === undefined ? undefined : { cause: new Error(reason, { cause }) })
    this.code = code
    this.status = status
    this.statusCode = status
    this.expose = status < 500
    this.headers = status === 503 ? { 'retry-after': '1' } : {}
  }

  /** The same error with a sentence that fits the request better. */
  withSentence(sentence: string): WardenryError {
    const error = new WardenryError(this.code)
    error.message = sentence
    error.cause = this.cause
    return error
  }

  addHeader(name: string, value: string): void {
    Object.assign(this.headers, { [name]: value })
  }

  /** The text to write to the log. */
  get reason(): string {
    return this.cause instanceof Error ? this.cause.message : this.message
  }

  getResponse(): Response {
    const body = { success: false, error: this.message, code: this.code }
    return Response.json(body, { status: this.status, headers: { 'cache-control': 'no-store', ...this.headers } })
  }
}

/** Whether the session's state is unknown because the service did not respond or rejected the bridge secret. */
export const isUnknown = (error: unknown): error is WardenryError =>
  error instanceof WardenryError && error.status === 503
