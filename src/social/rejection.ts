import { recordAudit } from '../audit/record.ts'
import type { Context } from '../context.ts'
import type { RequestDevice } from '../http/access/device.ts'
import { AppError, type ErrorCode, type FieldProblem } from '../lib/errors.ts'

interface Meaning {
  code: ErrorCode
  web: string
  details?: FieldProblem[]
}

const noAddress = [{ field: 'email', message: 'is required: the provider did not send an address' }]

/** The keys are the reasons that are recorded in the audit trail. */
const meanings = {
  access_denied: { code: 'INVALID_TOKEN', web: 'access_denied' },
  invalid_state: { code: 'INVALID_TOKEN', web: 'invalid_state' },
  not_accepted: { code: 'INVALID_TOKEN', web: 'provider_error' },
  provider_down: { code: 'UNAVAILABLE', web: 'provider_error' },
  account_exists: { code: 'ACCOUNT_EXISTS', web: 'account_exists' },
  registration_disabled: { code: 'REGISTRATION_DISABLED', web: 'registration_disabled' },
  email_required: { code: 'VALIDATION_ERROR', web: 'email_required', details: noAddress },
  unverified: { code: 'EMAIL_NOT_VERIFIED', web: 'email_required' },
  replayed: { code: 'INVALID_PROVIDER_TOKEN', web: 'provider_error' },
} as const satisfies Record<string, Meaning>

export type RejectionReason = keyof typeof meanings

/** The cause of a rejection, for the log. Contains no tokens, codes or secrets. */
export interface FailureCause {
  sentence: string
  /** The error code of OAuth that the provider sent. */
  oauth_error?: string | undefined
  /** The claim of the ID token that is not acceptable. */
  claim?: string
  /** The status and the address of the provider's response. */
  status?: number
  address?: string
  redirects_to?: string
  /** The issuers in the settings and in the discovery document. */
  expected?: string
  received?: string
}

export class SocialRejection extends AppError {
  readonly reason: RejectionReason
  /** The id of the sign-in flow on this service's pages. */
  signInFlow: string | undefined
  readonly failure: FailureCause | undefined

  constructor(
    reason: RejectionReason,
    { code, failure }: { code?: ErrorCode; failure?: FailureCause | undefined } = {},
  ) {
    const meaning: Meaning = meanings[reason]
    super(code ?? meaning.code, {
      cause: failure && new Error(failure.sentence),
      ...(meaning.details && { details: meaning.details }),
    })
    this.reason = reason
    this.failure = failure
  }
}

const otherErrors: Partial<Record<ErrorCode, string>> = {
  ACCOUNT_BLOCKED: 'account_blocked',
  RATE_LIMITED: 'rate_limited',
  REGISTRATION_REFUSED: 'registration_refused',
}

export function webError(error: unknown): string | undefined {
  if (error instanceof SocialRejection) return meanings[error.reason].web
  return error instanceof AppError ? otherErrors[error.code] : undefined
}

/** The message of the log line that every refused callback leaves. */
export const rejectionLine = 'a sign-in with a provider was refused'

export async function recordingRejectedSignIn<Result>(
  ctx: Context,
  provider: string,
  device: RequestDevice,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof SocialRejection) {
      const details = { provider, reason: error.reason }
      ctx.log.info({ ...details, ...error.failure }, rejectionLine)
      await recordAudit(ctx, { event: 'social_rejected', outcome: 'failure', device, details })
    }
    throw error
  }
}
