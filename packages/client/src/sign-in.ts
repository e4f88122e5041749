import type { components } from './api.ts'

type Schemas = components['schemas']
export type User = Schemas['User']
export type SecondFactor = Schemas['SecondFactor']

export interface SignedIn {
  status: 'signed_in'
  user: User
  /** The time at which the session expires if it is not used until then. */
  expiresAt: string
}

export type SecondFactorProof =
  | { code: string; methodId?: string; rememberDevice?: boolean }
  | { response: Schemas['PasskeyResponse']; methodId?: string; rememberDevice?: boolean }

export interface SecondFactorRequired {
  status: 'second_factor_required'
  /** The second factors of the user. */
  methods: SecondFactor[]
  /**
   * Sends a code by email or text message, or returns the options for a passkey. Authenticator apps and recovery codes
   * do not need this call.
   */
  start(factor: SecondFactor): Promise<StartedSecondFactor>
  /** Completes the sign-in. Rejects with `INVALID_CODE` and `attemptsRemaining` if the code is wrong. */
  verify(proof: SecondFactorProof): Promise<SignedIn>
}

export type SignInResult = SignedIn | SecondFactorRequired

/** A password, the token from a mailed link, or a mailed or texted code. */
export type Credentials =
  | { email: string; password: string; deviceId?: string }
  | { userName: string; password: string; deviceId?: string }
  | { token: string; deviceId?: string }
  | { tokenId: string; code: string; deviceId?: string }

export interface StartedSecondFactor {
  /** The passkey options for `navigator.credentials.get`. */
  options?: unknown
}
