import type { Context, FactorProof, RequestDevice, Transaction, UserRow } from '../../../context.ts'
import type { MethodRow } from '../queries.ts'

/** A code for one action is not valid for another. */
export const actions = ['login', 'setup', 'remove', 'toggle', 'reauth'] as const
export type FactorAction = (typeof actions)[number]

/** As in requests, where some clients say `disable` for the toggle. */
export const wantedActions = [...actions, 'disable'] as const
export type WantedAction = (typeof wantedActions)[number]

/** The caller has locked the user. */
export interface FactorRequest {
  user: UserRow
  sessionId: string
  /** Whether a second factor or a passkey has confirmed the session. */
  confirmed: boolean
  action: FactorAction
  /** The end of a partial session, in milliseconds since the epoch, which limits the lifetime of codes. */
  endsAt: number | undefined
  device: RequestDevice
}

export interface SetupInput {
  identifier?: string | undefined
  name?: string | undefined
}

export interface NewMethod {
  identifier: string | null
  /** Encrypted. */
  secret?: string
  /** Visible to its owner. */
  metadata?: Record<string, unknown>
  /** Only in this response. */
  shown?: Record<string, unknown>
}

export interface StartResult {
  sent: boolean
  shown?: Record<string, unknown>
}

export interface CheckResult {
  right: boolean
  /** Remaining attempts for this code. */
  left?: number
  /** For the audit event only. */
  reason?: string
}

/** Implemented by one file per kind, and listed in `index.ts`. */
export interface FactorMethod {
  /** Including unfinished ones. */
  maxPerUser: number
  isAvailable(ctx: Context): boolean
  /** The text by which the owner recognizes the method. */
  masked(identifier: string | null): string | null
  /** Undefined if it is set up in another way. `start` follows for the action `setup`. */
  prepare?(ctx: Context, user: UserRow, requested: SetupInput): NewMethod
  /** Sends a code or issues a challenge. If the limit for codes is reached, an older code stays valid. */
  start(tx: Transaction, row: MethodRow, factorRequest: FactorRequest): Promise<StartResult>
  /** Throws VALIDATION_ERROR for malformed proofs, which do not count as attempts. */
  assertForm(proof: FactorProof): void
  /** Consumes the proof by one conditional statement. For `setup`, the caller activates the method. */
  check(ctx: Context, row: MethodRow, factorRequest: FactorRequest, proof: FactorProof): Promise<CheckResult>
  /** Further effects of a valid proof, in its transaction. */
  taken?(tx: Transaction, row: MethodRow, factorRequest: FactorRequest): Promise<void>
}
