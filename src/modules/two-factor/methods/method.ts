import type { Context, FactorProof, RequestDevice, Transaction, UserRow } from '../../../context.ts'
import type { MethodRow } from '../queries.ts'

/** A code for one action is not valid for another. */
export const actions = ['login', 'setup', 'remove', 'toggle', 'reauth'] as const
export type FactorAction = (typeof actions)[number]

/** The actions that requests may contain. Some clients send `disable` instead of `toggle`. */
export const wantedActions = [...actions, 'disable'] as const
export type WantedAction = (typeof wantedActions)[number]

/** The caller has locked the user. */
export interface FactorRequest {
  user: UserRow
  sessionId: string
  /** Whether a second factor or a passkey has confirmed the session. */
  confirmed: boolean
  action: FactorAction
  /** The end of a partial session, in milliseconds since the Unix epoch. No code is valid after this time. */
  endsAt: number | undefined
  device: RequestDevice
}

export interface SetupInput {
  identifier?: string
  name?: string | undefined
}

export interface NewMethod {
  identifier: string | null
  /** Stored encrypted. */
  secret?: string
  /** The owner can read these values. */
  metadata?: Record<string, unknown>
  /** Returned only in the response to the enrolment request. */
  shown?: Record<string, unknown>
}

export interface StartResult {
  sent: boolean
  shown?: Record<string, unknown>
}

export interface CheckResult {
  right: boolean
  /** The remaining attempts for this code. */
  left?: number
  /** Recorded in the audit event but not returned. */
  reason?: string
}

/** Each kind of method is implemented in one file, and `index.ts` lists all kinds. */
export interface FactorMethod {
  /** The limit includes unfinished enrolments. */
  maxPerUser: number
  isAvailable(ctx: Context): boolean
  /** Returns the text that identifies the method to its owner. */
  masked(identifier: string | null): string | null
  /** Undefined for kinds that a request cannot enrol. After `prepare`, `start` is called with the action `setup`. */
  prepare?(ctx: Context, user: UserRow, requested: SetupInput): NewMethod
  /** Sends a code or issues a challenge. If the limit for codes is reached, the previous code stays valid. */
  start(tx: Transaction, row: MethodRow, factorRequest: FactorRequest): Promise<StartResult>
  /** Throws VALIDATION_ERROR for malformed codes and responses, which do not count as attempts. */
  assertForm(proof: FactorProof): void
  /** Consumes the proof with one conditional statement. For `setup`, the caller then activates the method. */
  check(tx: Transaction, row: MethodRow, factorRequest: FactorRequest, proof: FactorProof): Promise<CheckResult>
  /** Applies the additional effects of a valid code or response, in the same transaction. */
  taken?(tx: Transaction, row: MethodRow, factorRequest: FactorRequest): Promise<void>
}
