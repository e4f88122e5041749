import type { ClientRejectionReason } from '../rejections/reasons.ts'

export const clientTestSteps = ['client', 'secret', 'token', 'check', 'revoke'] as const
export type ClientTestStepName = (typeof clientTestSteps)[number]

export const clientTestReasons = [
  ...['not_live', 'account_ended', 'no_secret', 'rate_limited'],
  ...['invalid_client', 'invalid_scope', 'invalid_target', 'unauthorized_client', 'rejected', 'still_valid'],
] as const
export type ClientTestReason = (typeof clientTestReasons)[number]

export interface ClientTestStep {
  step: ClientTestStepName
  outcome: 'passed' | 'failed' | 'skipped'
  /** Why it failed. */
  reason: ClientTestReason | null
}

/** A token without its text and signature. */
export interface DecodedToken {
  format: 'jwt' | 'opaque'
  /** Null for opaque tokens, which contain nothing. Their claims are those of the introspection. */
  header: { alg: string; kid: string; typ: string } | null
  claims: Readonly<Record<string, unknown>>
}

export interface ClientTestResult {
  outcome: 'passed' | 'failed'
  steps: ClientTestStep[]
  token: DecodedToken | null
}

/** Thrown by the step that fails. */
export class FailedClientTest extends Error {
  readonly reason: ClientTestReason
  constructor(reason: ClientTestReason) {
    super(`the test failed: ${reason}`)
    this.reason = reason
  }
}

/** The errors of the token endpoint that are results of a test. */
export const reasonOfCode = (code: string | ClientRejectionReason): ClientTestReason | undefined =>
  code === 'RATE_LIMITED' ? 'rate_limited' : clientTestReasons.find((known) => known === code)
