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
  /** Active methods, default first. Undefined if no second factor is required. If empty, `begin` adds one. */
  requiredMethods(db: Db, user: UserRow, proof: SignInProof): Promise<SecondFactorMethod[] | undefined>
  isConfirmed(db: Db, user: UserRow & { password_hash: string | null }, shown: string): Promise<boolean>
  /** Whether sign-ins of the user must be confirmed. Reads no tables of the module. */
  isRequiredOf(user: UserRow): boolean
  /** Whether privileged routes refuse the session, because the role of the user requires a confirmed one. */
  lacksConfirmation(view: Pick<SessionView, 'session' | 'user'>): boolean
  /** Sends the code of the default method. Users without a method get one. */
  begin(
    tx: Transaction,
    pending: PendingSignIn,
  ): Promise<{ methods: SecondFactorMethod[]; sent: boolean; expiresIn: number }>
  /** Throws INVALID_CODE. */
  reauthenticate(view: SessionView, proof: FactorProof, device: RequestDevice): Promise<void>
  offersSignIn(): boolean
  signsIn(db: Db, userId: string): Promise<boolean>
  /** Codes are sent to the new, verified address from now on. */
  followAddress(db: Db, move: { userId: string; from: string; to: string; at: Date }): Promise<void>
  /** Called in the caller's transaction, if the methods were set up by someone who had not verified the address. */
  removeAll(db: Db, userId: string): Promise<void>
  /** Whether remembered browsers may skip the second factor, even while the module is disabled. */
  remembersBrowsers(): boolean
  forgetBrowsers(db: Db, userId: string, at: Date): Promise<void>
}
