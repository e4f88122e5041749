import type { Transaction } from '../context.ts'
import type { Proof } from '../db/rows/sessions.ts'
import type { Db } from '../db/tables.ts'
import type { SessionView, UserRow } from './sessions.ts'

export interface SecondFactorMethod {
  id: string
  method: string
  status: 'active'
  identifier: string | null
}

/** The origin of a request, for use cases. */
export interface Device {
  address: string
  userAgent: string
  /** Such as "Chrome on macOS". */
  device: string
  acceptLanguage: string | undefined
  method: string
  requestId: string
}

/** A new partial session. */
export interface Beginning {
  user: UserRow
  sessionId: string
  /** In milliseconds since the epoch. */
  endsAt: number
  methods: SecondFactorMethod[]
  device: Device
}

/** A code, or the response of an authenticator. */
export interface FactorProof {
  method_id?: string | undefined
  code?: string | undefined
  response?: Record<string, unknown> | undefined
}

export interface SecondFactor {
  /**
   * The active methods, one of which must confirm the sign-in, default first; undefined if none is required. Without
   * any method, `begin` adds one.
   */
  requiredMethods(db: Db, user: UserRow, proof: Proof): Promise<SecondFactorMethod[] | undefined>
  /** Whether the user has confirmed a sign-in in this browser. Only called if a second factor is required. */
  isConfirmed(db: Db, user: UserRow & { password_hash: string | null }, shown: string): Promise<boolean>
  /** Whether privileged routes require a confirmed session from this role. */
  isDemandedOf(userType: string): boolean
  /**
   * Called in the transaction that creates the partial session: sends the code of the default method. Users without a
   * method get one.
   */
  begin(
    tx: Transaction,
    beginning: Beginning,
  ): Promise<{ methods: SecondFactorMethod[]; sent: boolean; expiresIn: number }>
  /** Throws INVALID_CODE. */
  reauthenticate(view: SessionView, proof: FactorProof, device: Device): Promise<void>
  /** Whether some methods can be used to sign in directly. */
  offersSignIn(): boolean
  /** Whether the user has such a method. */
  signsIn(db: Db, userId: string): Promise<boolean>
  /** The account has a new, verified address: codes are sent there. */
  followAddress(db: Db, move: { userId: string; from: string; to: string; at: Date }): Promise<void>
  /** Called in the caller's transaction, if the methods were set up by someone who had not verified the address. */
  removeAll(db: Db, userId: string): Promise<void>
  /** Whether remembered browsers may skip the second factor, even while the module is disabled. */
  remembersBrowsers(): boolean
  /** Called when sessions of the user end. */
  forgetBrowsers(db: Db, userId: string, at: Date): Promise<void>
}
