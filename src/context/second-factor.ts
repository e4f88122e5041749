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

/** Where a request comes from, as data for use cases. */
export interface Device {
  address: string
  userAgent: string
  /** In words: "Chrome on macOS". */
  device: string
  acceptLanguage: string | undefined
  method: string
  requestId: string
}

/** A partial session that has just been made, and what it waits for. */
export interface Beginning {
  user: UserRow
  sessionId: string
  /** When it ends, in milliseconds. */
  endsAt: number
  methods: SecondFactorMethod[]
  device: Device
}

/** What somebody shows of a second factor: a code, or the answer of an authenticator. */
export interface FactorProof {
  method_id?: string | undefined
  code?: string | undefined
  response?: Record<string, unknown> | undefined
}

export interface SecondFactor {
  /**
   * The active methods one of which must confirm this sign-in, the default one first; undefined when none is required.
   * Reads only: none at all is left to `begin`.
   */
  requiredMethods(db: Db, user: UserRow, proof: Proof): Promise<SecondFactorMethod[] | undefined>
  /**
   * Whether this user has confirmed a sign-in in the browser that shows this value, so that it is not asked again.
   * Asked only when something is required.
   */
  isConfirmed(db: Db, user: UserRow & { password_hash: string | null }, shown: string): Promise<boolean>
  /** Whether routes that ask for this role also ask for a session that a second factor has confirmed. */
  isDemandedOf(userType: string): boolean
  /**
   * In the transaction that makes the partial session: sends the code of the default method, when it has one to send.
   * Whoever must confirm and has no method gets one.
   */
  begin(
    tx: Transaction,
    beginning: Beginning,
  ): Promise<{ methods: SecondFactorMethod[]; sent: boolean; expiresIn: number }>
  /** Renews the recent proof of a full session. Throws INVALID_CODE. */
  reauthenticate(view: SessionView, proof: FactorProof, device: Device): Promise<void>
  /** Whether there are methods here that also let people in by themselves. */
  offersSignIn(): boolean
  /** Whether one of the user's methods also lets them in by itself. */
  signsIn(db: Db, userId: string): Promise<boolean>
  /** The account has another address, which is proven: codes that went to the former one go there from now on. */
  followAddress(db: Db, move: { userId: string; from: string; to: string; at: Date }): Promise<void>
  /** Forgets every method of a user, in the caller's transaction: whoever set them up had not proven who they are. */
  removeAll(db: Db, userId: string): Promise<void>
  /** Whether somebody may be asked for nothing, because of the browser. Also while the module is switched off. */
  remembersBrowsers(): boolean
  /** All sessions of a user end, or all others: browsers that were remembered are asked again, too. */
  forgetBrowsers(db: Db, userId: string, at: Date): Promise<void>
}
