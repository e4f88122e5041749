import type { Context, Device, FactorProof, Transaction, UserRow } from '../../../context.ts'
import type { MethodRow } from '../queries.ts'

/** What a proof is for. A code that was sent for one of them is none for another. */
export const actions = ['login', 'setup', 'remove', 'toggle', 'reauth'] as const
export type Action = (typeof actions)[number]

/** As requests write it: some clients call the toggle by what they want of it. */
export const wantedActions = [...actions, 'disable'] as const
export type WantedAction = (typeof wantedActions)[number]

/** In whose session a second factor is asked for, and for what. The user is held by then. */
export interface FactorRequest {
  user: UserRow
  sessionId: string
  /** Whether a second factor has confirmed the session by now, or a passkey alone has opened it. */
  confirmed: boolean
  action: Action
  /** When a partial session ends, in milliseconds: what is sent for it lives no longer. */
  endsAt: number | undefined
  device: Device
}

/** What a set-up request may bring. */
export interface SetupInput {
  identifier?: string | undefined
  name?: string | undefined
}

/** What a new method is made of. */
export interface NewMethod {
  identifier: string | null
  /** Sealed. */
  secret?: string
  /** Its owner sees all of it. */
  metadata?: Record<string, unknown>
  /** Members of this one reply, and of no other. */
  shown?: Record<string, unknown>
}

export interface StartResult {
  /** Whether a code is on its way. */
  sent: boolean
  /** Further members of the reply. */
  shown?: Record<string, unknown>
}

export interface CheckResult {
  right: boolean
  /** How often this very code may still be tried. */
  left?: number
  /** What was wrong, for the audit alone. */
  reason?: string
}

/** One kind of second factor: an entry in the table of `index.ts`, and a file. */
export interface Method {
  /** How many a user may have, unfinished ones included. */
  maxPerUser: number
  /** Whether this installation can set one up at all. */
  isAvailable(ctx: Context): boolean
  /** What its owner recognises it by. */
  masked(identifier: string | null): string | null
  /** Makes a new one of what the user wishes; `start` follows for the action setup. Absent: it is not set up that way. */
  prepare?(ctx: Context, user: UserRow, wish: SetupInput): NewMethod
  /** Gets a proof under way: sends a code, makes a challenge. Over the cap for codes an older one stays valid. */
  start(tx: Transaction, row: MethodRow, factorRequest: FactorRequest): Promise<StartResult>
  /** Throws VALIDATION_ERROR for what can be no proof of this kind: that costs no try. */
  assertForm(proof: FactorProof): void
  /**
   * Whether the proof is right. One conditional statement takes it, so that it is right once. For the action setup the
   * method is still to be activated, which the caller does.
   */
  check(ctx: Context, row: MethodRow, factorRequest: FactorRequest, proof: FactorProof): Promise<CheckResult>
  /** What else belongs to a right proof, in its transaction. */
  taken?(tx: Transaction, row: MethodRow, factorRequest: FactorRequest): Promise<void>
}
