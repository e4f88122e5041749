export type ErrorEntry = readonly [status: number, sentence: string]

const coreErrors = {
  VALIDATION_ERROR: [400, 'Some fields are not valid'],
  EMAIL_TAKEN: [400, 'Email already registered'],
  USER_NAME_TAKEN: [400, 'Username already taken'],
  PHONE_TAKEN: [400, 'Phone number already in use'],
  WEAK_PASSWORD: [400, 'Password must be at least 8 characters'],
  INVALID_TOKEN: [400, 'Invalid or expired token'],
  INVALID_CODE: [400, 'Invalid or expired code'],
  RESOURCE_REQUIRED: [400, 'Send the resource for which access tokens are accepted'],
  LAST_SIGN_IN_METHOD: [400, 'This is the only way to sign in'],
  ACCOUNT_EXISTS: [400, 'An account with this email exists. Sign in and link it.'],
  INVALID_CURRENT_PASSWORD: [400, 'Current password is incorrect'],
  INVALID_CREDENTIALS: [401, 'Invalid credentials'],
  INVALID_SESSION: [401, 'Invalid session'],
  SESSION_EXPIRED: [401, 'Session expired'],
  TWO_FACTOR_REQUIRED: [401, 'Two-factor verification required'],
  INVALID_PROVIDER_TOKEN: [401, 'The provider token was not accepted'],
  INVALID_CREDENTIAL: [401, 'The credential is not valid'],
  KEY_PAUSED: [401, 'The key is paused until its user sets up a second factor'],
  BRIDGE_SECRET_REQUIRED: [401, 'Invalid or missing bridge secret'],
  FORBIDDEN: [403, 'Insufficient permissions'],
  INSUFFICIENT_SCOPE: [403, 'The credential lacks a required scope'],
  KEY_NETWORK: [403, 'The key is not accepted from this network'],
  KEY_NOT_ACCEPTED: [403, 'Sign in to do this. Keys are not accepted here.'],
  CSRF_REJECTED: [403, 'Request origin not allowed'],
  REAUTH_REQUIRED: [403, 'Please confirm your identity'],
  EMAIL_NOT_VERIFIED: [403, 'Email not verified'],
  PASSWORDS_DISABLED: [
    403,
    'Passwords are switched off. Sign in with a passkey, with a link sent by email or with a provider.',
  ],
  REGISTRATION_DISABLED: [403, 'Registration is disabled'],
  REGISTRATION_REFUSED: [403, 'An account cannot be created with these details'],
  ACCOUNT_BLOCKED: [403, 'This account is blocked'],
  IMPERSONATED: [403, 'Not available while you act as another user'],
  LAST_SUPERADMIN: [403, 'At least one superadmin who can sign in must remain'],
  NOT_FOUND: [404, 'Not found'],
  module_not_installed: [404, 'module_not_installed'],
  METHOD_NOT_ALLOWED: [405, 'Method not allowed'],
  ROLE_IN_USE: [409, 'Users have this role. Give them another one first.'],
  PERMISSION_TAKEN: [409, 'A permission belongs to another application'],
  EDIT_CONFLICT: [409, 'This was changed in the meantime. Reload it and try again.'],
  MESSAGE_NOT_RETRYABLE: [409, 'This message cannot be sent again'],
  INSTALL_LOCKED: [409, 'Another installation is in progress. Try again later.'],
  MODULE_DEPENDENCY_ERROR: [409, 'The module requires other modules. Install them first.'],
  MODULE_DRIFT: [409, 'The installed database objects have changed. Repair the module first.'],
  EVENTS_EXPIRED: [410, 'Events after this cursor are no longer available'],
  PAYLOAD_TOO_LARGE: [413, 'Request body is too large'],
  UNSUPPORTED_MEDIA_TYPE: [415, 'Send the request body as application/json'],
  RATE_LIMITED: [429, 'Too many attempts. Try again later.'],
  ACCOUNT_LOCKED: [429, 'Too many failed attempts. Reset your password to continue.'],
  INTERNAL_ERROR: [500, 'Internal server error'],
  MODULE_RUN_FAILED: [500, 'The installation failed and was rolled back'],
  MODULE_DISABLED: [503, 'This module is switched off'],
  NOT_CONFIGURED: [503, 'This feature is not configured'],
  UNAVAILABLE: [503, 'Service temporarily unavailable'],
} as const satisfies Record<string, ErrorEntry>

// biome-ignore lint/suspicious/noEmptyInterface: modules add members.
export interface ModuleErrors {}

export type ErrorCode = keyof typeof coreErrors | keyof ModuleErrors

export const sessionPending = 'TWO_FACTOR_REQUIRED' satisfies keyof typeof coreErrors

const table = new Map<string, ErrorEntry>(Object.entries(coreErrors))

export const errorCodes = Object.keys(coreErrors) as ErrorCode[]

export function addErrors(errors: Readonly<Record<string, ErrorEntry>>): void {
  for (const [code, entry] of Object.entries(errors)) {
    if (table.has(code)) throw new Error(`the error code ${code} is already declared`)
    table.set(code, entry)
    errorCodes.push(code as ErrorCode)
  }
}

const entryOf = (code: ErrorCode): ErrorEntry => table.get(code) ?? coreErrors.INTERNAL_ERROR

export const statusOf = (code: ErrorCode): number => entryOf(code)[0]

export const sentenceOf = (code: ErrorCode): string => entryOf(code)[1]

export interface FieldProblem {
  field: string
  message: string
}

/** The allowed and remaining attempts, and the end of the window in Unix seconds. */
export interface LimitState {
  limit: number
  remaining: number
  resetsAt: number
}

/** Computes both members from the same time so that they agree. */
export function limitEnd(now: number, restMs: number): { retryAfter: number; resetsAt: number } {
  const retryAfter = Math.max(1, Math.ceil(restMs / 1000))
  return { retryAfter, resetsAt: Math.floor(now / 1000) + retryAfter }
}

interface ErrorOptions {
  sentence?: string
  status?: number
  details?: FieldProblem[]
  /** In seconds. */
  retryAfter?: number
  /** A limit that applies in addition to the route's limit. */
  limit?: LimitState
  attemptsRemaining?: number
  unknownCredential?: true
  passkeyRequired?: true
  /** The scopes that a credential must have. */
  required?: readonly string[]
  cause?: unknown
}

export class AppError extends Error {
  readonly code: ErrorCode
  readonly status: number
  readonly details: FieldProblem[] | undefined
  readonly retryAfter: number | undefined
  readonly limit: LimitState | undefined
  readonly attemptsRemaining: number | undefined
  /** No user has the passkey that was sent, so the browser may forget it. */
  readonly unknownCredential: true | undefined
  /** The session can only add a passkey or, with REAUTH_REQUIRED, only a passkey confirms the identity. */
  readonly passkeyRequired: true | undefined
  readonly required: readonly string[] | undefined

  constructor(code: ErrorCode, options: ErrorOptions = {}) {
    super(options.sentence ?? sentenceOf(code), { cause: options.cause })
    this.code = code
    this.status = options.status ?? statusOf(code)
    this.details = options.details
    this.retryAfter = options.retryAfter
    this.limit = options.limit
    this.attemptsRemaining = options.attemptsRemaining
    this.unknownCredential = options.unknownCredential
    this.passkeyRequired = options.passkeyRequired
    this.required = options.required
  }
}

export const invalidField = (field: string, message: string): AppError =>
  new AppError('VALIDATION_ERROR', { details: [{ field, message }] })

export const needsBrowserSession = (): AppError =>
  new AppError('FORBIDDEN', {
    sentence: 'This requires a session of this service itself, not of an application. Sign in on its sign-in page.',
  })

export const emailTaken = (): AppError =>
  new AppError('EMAIL_TAKEN', { details: [{ field: 'email', message: 'is already registered' }] })
export const userNameTaken = (): AppError =>
  new AppError('USER_NAME_TAKEN', { details: [{ field: 'user_name', message: 'is already taken' }] })
export const phoneTaken = (): AppError =>
  new AppError('PHONE_TAKEN', { details: [{ field: 'phone', message: 'is already in use' }] })
