import type { Config } from '../config/load.ts'
import type { Transaction } from '../context.ts'
import type { SignInProof } from '../db/rows/sessions.ts'
import type { Db } from '../db/tables.ts'
import type { SessionView, UserRow } from './sessions.ts'

export interface SecondFactorMethod {
  id: string
  method: string
  status: 'active'
  identifier: string | null
}

export interface RequestDevice {
  address: string
  userAgent: string
  device: string
  acceptLanguage: string | undefined
  method: string
  requestId: string
  /** The superadmin acting as the signed-in user. */
  impersonatedBy?: string | undefined
}

export interface PendingSignIn {
  user: UserRow
  sessionId: string
  /** In milliseconds since the epoch. */
  endsAt: number
  methods: SecondFactorMethod[]
  device: RequestDevice
}

export interface FactorProof {
  method_id?: string | undefined
  code?: string | undefined
  response?: Record<string, unknown> | undefined
}

export interface SecondFactor {
  /**
   * Returns the active methods, with the default first. If the list is empty, `begin` adds a method. Returns undefined
   * if no second factor is required.
   */
  requiredMethods(db: Db, user: UserRow, proof: SignInProof): Promise<SecondFactorMethod[] | undefined>
  /** Returns the active methods, even if no second factor is required. */
  methodsOf(db: Db, userId: string): Promise<SecondFactorMethod[]>
  isConfirmed(db: Db, user: UserRow & { password_hash: string | null }, shown: string): Promise<boolean>
  /** Whether the user's sign-ins require a second factor. Does not read the module's tables. */
  isRequiredOf(user: UserRow): boolean
  /** Whether privileged routes reject the session because the user's role requires a confirmed session. */
  lacksConfirmation(view: Pick<SessionView, 'session' | 'user'>, config?: Config): boolean
  /** Starts the default method, for example by sending a code. If the user has no method, adds one first. */
  begin(
    tx: Transaction,
    pending: PendingSignIn,
  ): Promise<{ methods: SecondFactorMethod[]; sent: boolean; expiresIn: number }>
  /** Throws INVALID_CODE. */
  reauthenticate(view: SessionView, proof: FactorProof, device: RequestDevice): Promise<void>
  /** Moves the email method to the new address, which must already be verified. */
  followAddress(db: Db, move: { userId: string; from: string; to: string; at: Date }): Promise<void>
  /** Removes all methods, because they may predate email verification. `db` must be the caller's transaction. */
  removeAll(db: Db, userId: string): Promise<void>
  /** Takes effect even if the module or its settings are disabled, because administrators can re-enable them. */
  forgetBrowsers(db: Db, userIds: readonly string[], at: Date): Promise<void>
}
