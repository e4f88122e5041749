const table = {
  INVALID_SESSION: [401, 'Sign in to continue.'],
  FORBIDDEN: [403, 'Your account has no access to this page.'],
  CSRF_REJECTED: [403, 'This request came from a page of another site.'],
  REAUTH_REQUIRED: [403, 'Confirm your identity to continue.'],
  INVALID_STATE: [400, 'This sign-in has expired, was already used, or was started in another browser.'],
  INVALID_CODE: [400, 'This sign-in has expired or was already used.'],
  ACCESS_DENIED: [403, 'The sign-in was cancelled.'],
  METHOD_NOT_ALLOWED: [405, 'This address accepts only POST requests.'],
  BRIDGE_SECRET_REQUIRED: [503, 'Sign-in is temporarily unavailable.'],
  UNAVAILABLE: [503, 'Sign-in is temporarily unavailable.'],
} as const satisfies Record<string, readonly [status: number, sentence: string]>

export type WardenryErrorCode = keyof typeof table

/** The one error class of this package. Programs look at `code`. */
export class WardenryError extends Error {
  override readonly name = 'WardenryError'
  readonly code: WardenryErrorCode
  /** The status that a visitor gets. */
  readonly status: number
  /** The sentence that a visitor may read. `message` is for logs. */
  readonly sentence: string

  constructor(code: WardenryErrorCode, message?: string, options?: ErrorOptions) {
    const [status, sentence] = table[code]
    super(message ?? sentence, options)
    this.code = code
    this.status = status
    this.sentence = sentence
  }
}

/** Whether the service could not be asked, so that nobody knows whether this visitor is signed in. */
export const isUnknown = (error: unknown): error is WardenryError =>
  error instanceof WardenryError && error.status === 503
